import type { operatorFields } from '../../../shared/records/operator.ts';
import type { memberFields, organizationFields } from '../../../shared/records/organization.ts';
import type { nameFields } from '../../../shared/records/profile.ts';
import type { resourceFields, scopeFields } from '../../../shared/records/resource.ts';
import type { customIdentifierFields, userFields } from '../../../shared/records/user.ts';
import type { webhookFields } from '../../../shared/records/webhook.ts';
import type { WordsOf, WordsTable } from './words.ts';

const nameWords: WordsOf<typeof nameFields> = {
  first_name: { label: 'First name' },
  last_name: { label: 'Last name' },
};
const customIdentifierWords: WordsOf<typeof customIdentifierFields> = {
  type: { label: 'Type' },
  value: { label: 'Value' },
};

const profileWords: WordsOf<typeof userFields> = {
  username: { label: 'User name', help: 'For your application. People cannot log in with it.' },
  language: { label: 'Language', help: 'Of messages to this person, for example en or de.' },
  picture: { label: 'Address of a picture' },
  groups: { label: 'Groups', help: 'Applications see them in tokens.', advanced: true },
  roles: { label: 'Roles', help: 'Roles of the application, which give permissions.', advanced: true },
  custom_identifiers: {
    label: 'Own identifiers',
    help: 'For example the number of a customer card.',
    advanced: true,
    inner: customIdentifierWords,
  },
  custom_app_data: { label: 'Data of your application', advanced: true },
};

const stated = {
  label: 'You have verified it',
  help: 'Say yes only if this person has proven to you that it is theirs. The first login then takes nothing away from the account.',
} as const;

/**
 * Labels and help texts of a user's fields. `profileWords` covers the fields of the table `userFields`; the API handles the
 * others separately.
 */
const userWords: WordsTable = {
  email: {
    label: 'Email address',
    help: 'A new address is unverified until the person has used it to log in.',
  },
  phone_number: {
    label: 'Phone number',
    help: 'In international form, for example +12015550123. A new number is unverified until the person has used it.',
  },
  name: { label: 'Name', inner: nameWords },
  status: {
    label: 'This person may log in',
    help: 'If not, all sessions end, and no codes are sent.',
    choices: { Active: 'Yes', Disabled: 'No' },
  },
  ...profileWords,
  applications: {
    label: 'Applications',
    help: 'Those that the person uses. You need none if the tenant has only one.',
    refers: 'listApplications',
    advanced: true,
  },
  external_user_id: { label: 'ID in your own system', advanced: true },
  external_application: {
    label: 'Application to which that ID belongs',
    help: 'You need none if the tenant has only one.',
    refers: 'listApplications',
    advanced: true,
  },
  email_verified: { ...stated, label: 'You have verified the email address', advanced: true },
  phone_number_verified: { ...stated, label: 'You have verified the phone number', advanced: true },
  end_sessions: { label: 'A changed address or number ends all sessions', advanced: true },
  session_id: {
    label: 'Session in which the person has just logged in',
    help: 'The person proves the new address in it, so that nothing else is superseded.',
    advanced: true,
  },
  test: {
    label: 'Test user',
    help: 'Codes are not sent but read by tests. This cannot be changed later.',
    advanced: true,
  },
};

const scopeWords: WordsOf<typeof scopeFields> = {
  name: { label: 'Name' },
  sentence: { label: 'Sentence for people who are asked to consent' },
  default: { label: 'Granted without being asked for' },
  acr: { label: 'Requires a second factor' },
  max_age: { label: 'Greatest age of the login', unit: 'seconds' },
};

const resourceWords: WordsOf<typeof resourceFields> = {
  name: { label: 'Name', help: 'People see it when they are asked to consent.' },
  uri: { label: 'Address of the API', help: 'Tokens for the API name it as their audience.' },
  description: { label: 'Description' },
  access_token_ttl: { label: 'An access token is valid for', unit: 'seconds' },
  refresh_token_ttl: { label: 'A refresh token is valid for', unit: 'seconds' },
  max_refresh_rotate: { label: 'A login can be refreshed for', unit: 'seconds' },
  scopes: {
    label: 'Scopes',
    help: 'Permissions that a token can have at this API.',
    advanced: true,
    inner: scopeWords,
  },
};

const webhookWords: WordsOf<typeof webhookFields> = {
  url: { label: 'Address', help: 'A public https address of your backend, to which events are posted.' },
  events: {
    label: 'Events',
    help: 'For example login.failed, or login.* for all that begin so. If there is none, all events are posted.',
  },
  app_id: {
    label: 'Application',
    help: 'The one whose events are posted. If there is none, those of the whole tenant.',
    refers: 'listApplications',
  },
  enabled: { label: 'Events are posted' },
};

const organizationWords: WordsOf<typeof organizationFields> = {
  name: { label: 'Name', help: 'People see it when they log in to the organization.' },
};

const memberWords: WordsOf<typeof memberFields> = {
  user_id: {
    label: 'Person',
    help: 'An email address or phone number of the person, or the user ID.',
    isPerson: true,
  },
  roles: { label: 'Roles in the organization', help: 'organizationAdmin may manage the members.' },
};

const operatorWords: WordsOf<typeof operatorFields> & WordsTable = {
  email: { label: 'Email address', help: 'The invitation is sent to it.' },
  role: {
    label: 'Role',
    choices: {
      viewer: 'Viewer (reads)',
      support: 'Support (helps people to log in)',
      developer: 'Developer (changes names, looks and webhooks)',
      admin: 'Admin (changes everything)',
    },
  },
  state: { label: 'State', hidden: true },
  invited_by: { label: 'Invited by', refers: 'listOperators' },
};

/**
 * Labels and help texts of the record types that have no file of their own in this folder, by the API path segment of the type.
 */
export const recordWords = {
  users: userWords,
  'phone-risk': {
    signal: {
      label: 'What has happened to the number',
      choices: {
        sim_swap: 'Another SIM card has it',
        number_ported: 'Another network has it',
        device_swap: 'Another device has it',
        other: 'Something else',
      },
    },
    observed_at: {
      label: 'When it was seen',
      help: 'If it is empty, now.',
    },
    reason: { label: 'Code of the report', help: 'Letters, digits, dots, colons, hyphens and underscores.' },
  },
  'webauthn-credentials': { name: { label: 'Name', help: 'To tell several passkeys apart.' } },
  resources: resourceWords,
  webhooks: webhookWords,
  organizations: organizationWords,
  members: memberWords,
  operators: operatorWords,
} as const satisfies Readonly<Record<string, WordsTable>>;
