import {
  AAL1_ABSOLUTE_SECONDS,
  AAL2_ABSOLUTE_SECONDS,
  AAL2_IDLE_SECONDS,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
} from '../../../shared/domain/basis/limits.ts';
import type {
  androidAppFields,
  applicationFields,
  iosAppFields,
  noticesFields,
  rateLimitsFields,
  roleFields,
} from '../../../shared/records/application.ts';
import { brandWords } from './brand.ts';
import { loginPreferencesWords, openIdProviderWords } from './login-methods.ts';
import type { WordsOf, WordsTable } from './words.ts';

/** Pages of an application's settings, by the name that URLs contain. */
export const APPLICATION_PAGES = {
  login: 'Login methods',
  look: 'Look',
  people: 'People and sign-up',
  tokens: 'Tokens and sessions',
  addresses: 'Addresses',
  limits: 'Limits',
} as const;

const noticesWords: WordsOf<typeof noticesFields> = {
  new_device: { label: 'After a login on a new device' },
  contact_changed: {
    label: 'When an email address or phone number changes',
    help: 'The former address is always notified.',
  },
  credentials_changed: { label: 'When a passkey or a linked account is added or removed' },
  locked: { label: 'When wrong codes have locked a login method' },
};

const rateLimitsWords: WordsOf<typeof rateLimitsFields> = {
  sends_per_minute: { label: 'Messages per minute to one address', help: 'Counted for each channel.' },
  sends_per_day: { label: 'Messages per day to one address', help: 'Counted for each channel.' },
  calls_per_minute: {
    label: 'API calls per minute of one client',
    help: 'For an app without a secret, counted for each network address.',
  },
  anonymous_per_minute: {
    label: 'Messages per minute from one network',
    help: 'Requested on the login pages, or through a trusted client.',
  },
  anonymous_per_day: {
    label: 'Messages per day from one network',
    help: 'Requested on the login pages, or through a trusted client.',
  },
  anonymous_sign_ups_per_minute: {
    label: 'Messages per minute from one network to unknown addresses',
    help: 'Raise it if many people sign up from one office or event.',
  },
  sms_per_prefix_per_hour: {
    label: 'Text messages per hour to one range of numbers',
    help: 'Stops fraud with premium numbers, which are usually neighbours.',
  },
  sms_per_prefix_per_day: { label: 'Text messages per day to one range of numbers' },
  sms_unverified_per_prefix: {
    label: 'Unused codes per day before a range of numbers is blocked',
    help: 'The codes of a fraud are never typed.',
  },
  sms_dry_run: {
    label: 'Only report text messages above the limits',
    help: 'They are still sent, and you pay for them. Use it to try out new limits.',
  },
};

const roleWords: WordsOf<typeof roleFields> = {
  name: { label: 'Name' },
  permissions: { label: 'Permissions' },
};
const androidAppWords: WordsOf<typeof androidAppFields> = {
  package_name: { label: 'Package name' },
  sha256_cert_fingerprints: { label: 'Fingerprints of the signing certificates' },
};
const iosAppWords: WordsOf<typeof iosAppFields> = {
  team_id: { label: 'Team ID' },
  bundle_id: { label: 'Bundle ID' },
};

/** Labels and help texts of an application's settings. */
export const applicationWords: WordsOf<typeof applicationFields> & WordsTable = {
  app_id: { label: 'Application ID' },
  login_preferences: { label: 'Ways to log in', page: 'login', inner: loginPreferencesWords },
  offer_passkeys: {
    label: 'Offer a passkey after a login',
    help: 'People whose device supports passkeys can create one when they have logged in. Passkeys must be on.',
    page: 'login',
  },
  enrol_second_factor: {
    label: 'Allow adding a second factor during a login',
    help: 'For logins that require two factors. Anyone who can read the mailbox of a person with one factor can then add the second one. The person is notified, and can undo it for seven days.',
    page: 'login',
  },
  openid_providers: {
    label: 'Other login providers',
    help: 'OpenID providers in addition to those above, in the order of their buttons.',
    page: 'login',
    advanced: true,
    inner: openIdProviderWords,
  },
  passcodes_across_clients: {
    label: 'Accept codes that another client of this application sent',
    page: 'login',
    advanced: true,
  },

  name: {
    label: 'Name',
    help: 'People see it on the login pages and in messages.',
    page: 'look',
    start: true,
  },
  language: {
    label: 'Language of messages',
    help: 'For people whose own language is unknown. The login pages use the language of the browser.',
    choices: { en: 'English', es: 'Spanish', fr: 'French', de: 'German', ja: 'Japanese', ar: 'Arabic' },
    page: 'look',
    start: true,
  },
  brand: { label: 'Branding', page: 'look', inner: brandWords },

  public_signup: {
    label: 'New people can sign up',
    help: 'If this is off, only people whom you have added can log in.',
    page: 'people',
    start: true,
  },
  hosted_sign_up: {
    label: 'The login pages create accounts',
    help: 'A person with an unknown address gets an account. It has no effect while new people cannot sign up.',
    page: 'people',
  },
  notices: { label: 'Security notices to people by mail', page: 'people', inner: noticesWords },
  roles: {
    label: 'Roles',
    help: 'Names for lists of permissions, which people and clients of this application can have.',
    page: 'people',
    advanced: true,
    inner: roleWords,
  },
  test_identities: {
    label: 'Test users are allowed',
    help: 'Clients can create test users and read their codes, for automated tests. The environment must allow it, too.',
    page: 'people',
    advanced: true,
  },

  session_preset: {
    label: 'How long people stay logged in',
    help: 'An upper limit for the two durations below.',
    choices: {
      aal1: `Up to ${AAL1_ABSOLUTE_SECONDS / SECONDS_PER_DAY} days`,
      aal2: `Up to ${AAL2_ABSOLUTE_SECONDS / SECONDS_PER_HOUR} hours, or ${AAL2_IDLE_SECONDS / SECONDS_PER_HOUR} without use`,
    },
    page: 'tokens',
  },
  session_idle_seconds: { label: 'A session ends when it was unused for', unit: 'seconds', page: 'tokens' },
  session_absolute_seconds: { label: 'A session ends after, in any case', unit: 'seconds', page: 'tokens' },
  binding_max_age_seconds: {
    label: 'Age of a login that may change passkeys and addresses',
    unit: 'seconds',
    help: 'After this time, people confirm such changes with a new login.',
    page: 'tokens',
  },
  id_token_claims: {
    label: 'Personal data in ID tokens',
    choices: { requested: 'Only what the login asks for', all: 'Always the email address and groups' },
    page: 'tokens',
    advanced: true,
  },
  app_id_audience: {
    label: 'Access tokens name this application as audience',
    help: 'Only for tokens without a resource.',
    page: 'tokens',
    advanced: true,
  },
  resources: {
    label: 'APIs of the tenant that accept its tokens',
    help: 'In addition to the resources of this application.',
    refers: 'listResources',
    page: 'tokens',
    advanced: true,
  },
  refresh_reuse_seconds: {
    label: 'Time in which an app may repeat a refresh',
    unit: 'seconds',
    help: 'Helps apps on unreliable networks. A stolen refresh token can be used during this time, too.',
    page: 'tokens',
    advanced: true,
  },
  client_document_hosts: {
    label: 'Hosts of clients that register themselves',
    help: 'For agents and MCP clients. An asterisk stands for any host. People must consent before such a client gets a token.',
    page: 'tokens',
    advanced: true,
  },

  redirect_uris: {
    label: 'Addresses to return to after a login',
    help: 'Complete addresses: a login that names any other address is refused.',
    page: 'addresses',
    start: true,
  },
  post_logout_redirect_uris: { label: 'Addresses to return to after a logout', page: 'addresses' },
  home_uri: {
    label: 'Home page',
    help: 'Error pages link to it. Its host must be one of the addresses above, or one that was confirmed.',
    page: 'addresses',
  },
  origins: {
    label: 'Sites that use the passkeys',
    help: 'For example https://shop.example.com. If there is none, only the login pages use passkeys.',
    page: 'addresses',
  },
  rp_id: {
    label: 'Domain of the passkeys',
    help: 'For example example.com. The first passkey fixes it for ever. If it is empty, the domain of the login pages.',
    page: 'addresses',
  },
  code_host: {
    label: 'Host of your own page for codes from text messages',
    help: 'Browsers then fill the code in on this host. Leave it empty if people type codes on the login pages.',
    page: 'addresses',
    advanced: true,
  },
  android_apps: {
    label: 'Android apps that use the passkeys',
    page: 'addresses',
    advanced: true,
    inner: androidAppWords,
  },
  ios_apps: {
    label: 'Apps for Apple devices that use the passkeys',
    page: 'addresses',
    advanced: true,
    inner: iosAppWords,
  },

  rate_limits: { label: 'Limits of this application', page: 'limits', inner: rateLimitsWords },
};
