// Settings of the API commands that the operation table does not contain. `otl <noun> <verb>` calls the operation that is named
// after both, such as `listMembers` for `otl member list`. Options fill the path, query and body of the request.

import { describeEvent, describeHold } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import type { TimelineRecord, toChangeRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { UserRecord } from '../../../shared/domain/users/user-record.ts';
import type { ApplicationRecord, ClientRecord } from '../../../shared/ports/directory.ts';
import type { WebhookRecord } from '../../../shared/ports/events.ts';
import type { CommandInput } from '../engine/command.ts';
import type { Column } from '../terminal/outcome.ts';
import { makeColumns } from '../terminal/print.ts';
import { describeMissingFeatures, describeNextSteps } from './applications.ts';

export interface Verb {
  /** Operation ID. Default: the ID formed from verb and noun, such as `listMembers` for `otl member list`. */
  readonly operation?: string;
  /**
   * Alternative operations for the same purpose. The user selects an alternative with the option that is named after the
   * operation's own parameter, such as `--email` for `getUserByEmail`.
   */
  readonly alternatives?: readonly string[];
  /**
   * Request field that the positional argument fills; `null` if the command has no argument. Default: the identifier of the
   * noun's records, except for `create` and `list`, which have no argument.
   */
  readonly argument?: string | null;
  /** Body fields that are offered as options: a map from option name to field. If absent, all fields are offered. */
  readonly onlyFields?: Readonly<Record<string, string>>;
  /** True if `otl` asks for confirmation before it runs the command. Default: true only for `delete`. */
  readonly asksConfirmation?: boolean;
  /** Operation whose result the command prints after its main operation, because that operation responds without content. */
  readonly thenShows?: string;
  readonly isDefault?: true;
  readonly columns?: readonly Column<never>[];
  /** Returns the lines that are printed above a list, except with `--json`. `option` returns the value of an option. */
  readonly notes?: (answer: never, option: CommandInput['option']) => readonly string[];
  /** Returns the text that is printed below a record, except with `--json`. */
  readonly note?: (record: never) => string;
  readonly examples?: readonly string[];
}

export interface Noun {
  readonly summary: string;
  /** Path parameter that the verbs take as their positional argument, such as `userId`; `null` if there is none. */
  readonly argument: string | null;
  readonly columns?: readonly Column<never>[];
  readonly verbs: Readonly<Record<string, Verb>>;
}

/** Verbs that the commands of most nouns share, each with its default settings. */
const EACH = { create: {}, list: {}, show: {}, update: {}, delete: {} };

const TIME = {
  heading: 'TIME',
  text: ({ time }: { readonly time: string }) => time.slice(0, 19).replace('T', ' '),
};

const userColumns = [
  'user_id' as const,
  'status' as const,
  {
    heading: 'KNOWN AS',
    text: ({ email, phone_number: phone, username }: UserRecord) =>
      email?.value ?? phone?.value ?? username ?? '',
    flexible: true,
  },
  'created_at' as const,
];

const whatColumn = { heading: 'WHAT', text: describeEvent, flexible: true, wraps: true } as const;
const messageColumns = makeColumns<TimelineRecord>(
  TIME,
  whatColumn,
  { heading: 'USER', text: ({ user_id }) => String(user_id ?? '') },
  { heading: 'MESSAGE', text: ({ message_id }) => String(message_id ?? '') },
);
const eventColumns = makeColumns<TimelineRecord>(
  TIME,
  whatColumn,
  { heading: 'FROM', text: ({ ip_address, source_address }) => String(ip_address ?? source_address ?? '') },
  {
    heading: 'MESSAGE OR REQUEST',
    text: ({ message_id, request_id }) => String(message_id ?? request_id ?? ''),
  },
);

const changeColumns = makeColumns<ReturnType<typeof toChangeRecord>>(
  TIME,
  { heading: 'WHO', text: ({ operator, client_id }) => String(operator ?? client_id ?? '') },
  {
    heading: 'WHAT',
    text: ({ operation, record_id, user_id }) => [operation, record_id ?? user_id].filter(Boolean).join(' '),
  },
  {
    heading: 'VALUES',
    text: ({ changes }) =>
      changes.map(({ field, before = '–', after = '–' }) => `${field}: ${before} → ${after}`).join('; '),
    flexible: true,
    wraps: true,
  },
);

const deliveryColumns = makeColumns<{
  readonly delivery_id: string;
  readonly type: string;
  readonly attempts: readonly { readonly status?: number; readonly error?: string }[];
}>(
  'delivery_id',
  'type',
  { heading: 'ATTEMPTS', text: ({ attempts }) => String(attempts.length) },
  {
    heading: 'LAST RESPONSE',
    text: ({ attempts }) => String(attempts.at(-1)?.status ?? attempts.at(-1)?.error),
  },
);

export const nouns = {
  application: {
    summary: 'applications that end users log in to: redirect URIs, login methods, resources',
    argument: 'appId',
    columns: makeColumns<ApplicationRecord>(
      'app_id',
      'name',
      {
        heading: 'LOGIN BY',
        text: ({ login_preferences: preferences = {} }) => Object.keys(preferences).join(', ') || '-',
        flexible: true,
      },
      'created_at',
    ),
    verbs: {
      ...EACH,
      create: {
        note: describeNextSteps,
        examples: [
          '--name Shop --kind web --address http://localhost:8080',
          `--name Shop --login-preferences '{"link":{},"email":{"digits":8}}'`,
        ],
      },
      show: { note: describeMissingFeatures },
      'add-redirect-uri': { operation: 'updateApplication', onlyFields: { uri: 'add_redirect_uris' } },
    },
  },
  client: {
    summary: 'credentials that act for an application, or for the whole tenant',
    argument: 'clientId',
    columns: makeColumns<ClientRecord>(
      'client_id',
      'name',
      'kind',
      { heading: 'PKCE', text: ({ require_pkce }) => (require_pkce ? 'required' : '-') },
      {
        heading: 'SECRETS LAST USED',
        text: ({ secrets }) => secrets.map(({ last_used_on }) => last_used_on ?? 'unused').join(', ') || '-',
      },
      'created_at',
    ),
    verbs: {
      ...EACH,
      create: { examples: ['--app 0a1b2c --name "Shop backend"', '--management --name Provisioning'] },
      'rotate-secret': { operation: 'addClientSecret' },
      'revoke-secret': { operation: 'revokeClientSecret', thenShows: 'getClient', asksConfirmation: true },
    },
  },
  user: {
    summary: 'people who log in',
    argument: 'userId',
    columns: makeColumns<UserRecord>(...userColumns),
    verbs: {
      ...EACH,
      create: {
        examples: ['--email ann@example.com', '--username ann --custom-identifier loyalty_card=A-7'],
      },
      find: {
        operation: 'findUsers',
        argument: 'beginning',
        columns: makeColumns<UserRecord & { readonly found_by: string }>(...userColumns, 'found_by'),
      },
      show: { alternatives: ['getUserByEmail', 'getUserByPhoneNumber', 'getUserByUsername'] },
      unlock: { operation: 'unlockUser', thenShows: 'getUser' },
      'test-code': { operation: 'readTestCode' },
      'phone-risk': { operation: 'setPhoneRisk' },
      'clear-phone-risk': { operation: 'clearPhoneRisk', thenShows: 'getUser' },
      recover: { operation: 'grantRecovery', asksConfirmation: true },
      'cancel-erasure': { operation: 'cancelErasure' },
      export: { operation: 'exportUser' },
      timeline: {
        operation: 'userTimeline',
        columns: eventColumns,
        notes: ({ holds }: { readonly holds: readonly HoldRecord[] }) => holds.map(describeHold),
      },
    },
  },
  deliveries: {
    summary: 'messages sent to an address, even if no user has it, and failed messages',
    argument: null,
    verbs: {
      list: {
        operation: 'listDeliveries',
        isDefault: true,
        columns: messageColumns,
        notes: ({ user_id: id }: { readonly user_id?: string }, option) =>
          option('to') === undefined
            ? []
            : [
                id === undefined
                  ? 'No user has this address.'
                  : `The user ${id} has this address: otl user timeline ${id}`,
              ],
      },
    },
  },
  changes: {
    summary: 'who changed what, with the values before and after',
    argument: null,
    verbs: { list: { operation: 'listChanges', isDefault: true, columns: changeColumns } },
  },
  statistics: {
    summary: 'logins, failures and messages per hour and application, and limits that are almost reached',
    argument: null,
    verbs: { show: { operation: 'getStatistics', isDefault: true } },
  },
  session: {
    summary: 'active sessions of a user',
    argument: null,
    columns: makeColumns<Record<'session_id' | 'start_time' | 'expiration_time', string>>(
      'session_id',
      'start_time',
      'expiration_time',
    ),
    verbs: { list: {}, delete: { operation: 'endSessions' } },
  },
  passkey: {
    summary: 'passkeys of a user, named by their credential IDs',
    argument: 'credentialId',
    columns: makeColumns<Record<'credential_id' | 'name' | 'created_at', string>>(
      'credential_id',
      'name',
      'created_at',
    ),
    verbs: { list: {}, update: { operation: 'renamePasskey' }, delete: {} },
  },
  resource: {
    summary: 'audiences of access tokens, with the lifetimes of their tokens',
    argument: 'resourceId',
    columns: makeColumns<Record<'resource_id' | 'name' | 'uri' | 'access_token_ttl', string>>(
      'resource_id',
      'name',
      'uri',
      'access_token_ttl',
    ),
    verbs: { ...EACH, show: { alternatives: ['findResourceByUri'] } },
  },
  organization: {
    summary: "business customers of a tenant, whose members are the tenant's users",
    argument: 'organizationId',
    columns: makeColumns<Record<'org_id' | 'name' | 'created_at', string>>('org_id', 'name', 'created_at'),
    verbs: EACH,
  },
  member: {
    summary: 'users in organizations; a member is named by the ID of the user',
    argument: 'userId',
    columns: makeColumns<Record<'user_id' | 'roles' | 'created_at', string>>(
      'user_id',
      'roles',
      'created_at',
    ),
    verbs: EACH,
  },
  webhook: {
    summary: 'URLs that receive signed security events',
    argument: 'webhookId',
    columns: makeColumns<WebhookRecord>(
      'webhook_id',
      'url',
      { heading: 'EVENTS', text: ({ events }) => events.join(' ') || 'all', flexible: true },
      'enabled',
    ),
    verbs: {
      ...EACH,
      'rotate-secret': { operation: 'addWebhookSecret' },
      deliveries: { operation: 'listWebhookDeliveries', columns: deliveryColumns },
      test: { operation: 'testWebhook' },
      'send-again': { operation: 'sendWebhookAgain' },
    },
  },
  operator: {
    summary: 'people who operate a tenant, and their roles',
    argument: 'userId',
    columns: makeColumns<Record<'user_id' | 'email' | 'role' | 'state', string>>(
      'user_id',
      'email',
      'role',
      'state',
    ),
    verbs: {
      invite: { argument: 'email' },
      list: {},
      confirm: {},
      'set-role': { operation: 'setOperatorRole' },
      remove: { asksConfirmation: true },
    },
  },
} as const satisfies Readonly<Record<string, Noun>>;
