import { holdWords, wordsOf } from '../../../shared/domain/support/event-words.ts';
import type { HoldRecord } from '../../../shared/domain/support/support-view.ts';
import type { changeRecord, TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import type { UserRecord } from '../../../shared/domain/users/user-record.ts';
import type { ApplicationRecord, ClientRecord } from '../../../shared/ports/directory.ts';
import type { WebhookRecord } from '../../../shared/ports/events.ts';
import type { Column } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';
import { offNote, stepsAfter } from './applications.ts';

/*
 * Commands of the API: what cannot be read from the table of operations. `otl <noun> <verb>` calls the operation of both
 * names, such as `otl member list` listMembers. Its path, query and body are the options.
 */

export interface Verb {
  /** Absent: that of both names. */
  readonly operation?: string;
  /** Further operations that do the same; each is chosen by the option of its own parameter. */
  readonly or?: readonly string[];
  /** The field of the request that stands without an option; `null`: none does. Absent: that of the noun, but to create or list. */
  readonly argument?: string | null;
  /** The only fields of the body that are options, by their options. */
  readonly only?: Readonly<Record<string, string>>;
  /** Asks before it runs; absent: to delete. */
  readonly asks?: boolean;
  /** An operation without an answer: then this one shows the record. */
  readonly thenShows?: string;
  readonly isDefault?: true;
  readonly columns?: readonly Column<never>[];
  /** Lines printed above a list, but not with `--json`. */
  readonly notes?: (answer: never) => readonly string[];
  /** Text printed below a record, but not with `--json`. */
  readonly note?: (record: never) => string;
  readonly examples?: readonly string[];
}

export interface Noun {
  readonly summary: string;
  /** The parameter that names one of its records. */
  readonly argument: string | null;
  readonly columns?: readonly Column<never>[];
  readonly verbs: Readonly<Record<string, Verb>>;
}

/** Verbs of most nouns. */
const EACH = { create: {}, list: {}, show: {}, update: {}, delete: {} };

const TIME = {
  heading: 'TIME',
  text: ({ time }: { readonly time: string }) => time.slice(0, 19).replace('T', ' '),
};

const ofUsers = [
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

const ofEvents = columnsOf<TimelineRecord>(
  TIME,
  { heading: 'WHAT', text: wordsOf, flexible: true, wraps: true },
  { heading: 'FROM', text: ({ ip_address, source_address }) => String(ip_address ?? source_address ?? '') },
  {
    heading: 'MESSAGE OR REQUEST',
    text: ({ message_id, request_id }) => String(message_id ?? request_id ?? ''),
  },
);

const ofChanges = columnsOf<ReturnType<typeof changeRecord>>(
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

const ofDeliveries = columnsOf<{
  readonly delivery_id: string;
  readonly type: string;
  readonly attempts: readonly { readonly status?: number; readonly error?: string }[];
}>(
  'delivery_id',
  'type',
  { heading: 'ATTEMPTS', text: ({ attempts }) => String(attempts.length) },
  {
    heading: 'LAST ANSWER',
    text: ({ attempts }) => String(attempts.at(-1)?.status ?? attempts.at(-1)?.error),
  },
);

export const nouns = {
  application: {
    summary: 'what end users log in to: redirect URIs, login methods, resources',
    argument: 'appId',
    columns: columnsOf<ApplicationRecord>(
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
        note: stepsAfter,
        examples: [
          '--name Shop --kind web --address http://localhost:8080',
          `--name Shop --login-preferences '{"link":{},"email":{"digits":8}}'`,
        ],
      },
      show: { note: offNote },
      'add-redirect-uri': { operation: 'updateApplication', only: { uri: 'add_redirect_uris' } },
    },
  },
  client: {
    summary: 'credentials that act for an application, or for the whole tenant',
    argument: 'clientId',
    columns: columnsOf<ClientRecord>(
      'client_id',
      'name',
      'kind',
      { heading: 'PKCE', text: ({ require_pkce }) => (require_pkce ? 'demanded' : '-') },
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
      'revoke-secret': { operation: 'revokeClientSecret', thenShows: 'getClient', asks: true },
    },
  },
  user: {
    summary: 'people who log in',
    argument: 'userId',
    columns: columnsOf<UserRecord>(...ofUsers),
    verbs: {
      ...EACH,
      create: {
        examples: ['--email ann@example.com', '--username ann --custom-identifier loyalty_card=A-7'],
      },
      find: {
        operation: 'findUsers',
        argument: 'beginning',
        columns: columnsOf<UserRecord & { readonly found_by: string }>(...ofUsers, 'found_by'),
      },
      show: { or: ['getUserByEmail', 'getUserByPhoneNumber', 'getUserByUsername'] },
      unlock: { operation: 'unlockUser', thenShows: 'getUser' },
      'test-code': { operation: 'readTestCode' },
      'phone-risk': { operation: 'setPhoneRisk' },
      'clear-phone-risk': { operation: 'clearPhoneRisk', thenShows: 'getUser' },
      recover: { operation: 'grantRecovery', asks: true },
      'cancel-erasure': { operation: 'cancelErasure' },
      export: { operation: 'exportUser' },
      timeline: {
        operation: 'userTimeline',
        columns: ofEvents,
        notes: ({ holds }: { readonly holds: readonly HoldRecord[] }) => holds.map(holdWords),
      },
    },
  },
  deliveries: {
    summary: 'messages to an address, also of one that no user has',
    argument: null,
    verbs: {
      list: {
        operation: 'listDeliveries',
        isDefault: true,
        columns: ofEvents,
        notes: ({ user_id: id }: { readonly user_id?: string }) => [
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
    verbs: { list: { operation: 'listChanges', isDefault: true, columns: ofChanges } },
  },
  statistics: {
    summary: 'logins, failures and messages by the hour, and limits that are near',
    argument: null,
    verbs: { show: { operation: 'getStatistics', isDefault: true } },
  },
  session: {
    summary: 'logins of a user that live',
    argument: null,
    columns: columnsOf<Record<'session_id' | 'start_time' | 'expiration_time', string>>(
      'session_id',
      'start_time',
      'expiration_time',
    ),
    verbs: { list: {}, delete: { operation: 'endSessions' } },
  },
  passkey: {
    summary: 'passkeys of a user, named by their credential IDs',
    argument: 'credentialId',
    columns: columnsOf<Record<'credential_id' | 'name' | 'created_at', string>>(
      'credential_id',
      'name',
      'created_at',
    ),
    verbs: { list: {}, update: { operation: 'renamePasskey' }, delete: {} },
  },
  resource: {
    summary: 'audiences of access tokens, with the lifetimes of their tokens',
    argument: 'resourceId',
    columns: columnsOf<Record<'resource_id' | 'name' | 'uri' | 'access_token_ttl', string>>(
      'resource_id',
      'name',
      'uri',
      'access_token_ttl',
    ),
    verbs: { ...EACH, show: { or: ['findResourceByUri'] } },
  },
  organization: {
    summary: "business customers of a tenant, whose members are the tenant's users",
    argument: 'organizationId',
    columns: columnsOf<Record<'org_id' | 'name' | 'created_at', string>>('org_id', 'name', 'created_at'),
    verbs: EACH,
  },
  member: {
    summary: 'users in organizations; a member is named by the ID of the user',
    argument: 'userId',
    columns: columnsOf<Record<'user_id' | 'roles' | 'created_at', string>>('user_id', 'roles', 'created_at'),
    verbs: EACH,
  },
  webhook: {
    summary: 'addresses to which security-relevant events are posted, signed',
    argument: 'webhookId',
    columns: columnsOf<WebhookRecord>(
      'webhook_id',
      'url',
      { heading: 'EVENTS', text: ({ events }) => events.join(' ') || 'all', flexible: true },
      'enabled',
    ),
    verbs: {
      ...EACH,
      'rotate-secret': { operation: 'addWebhookSecret' },
      deliveries: { operation: 'listWebhookDeliveries', columns: ofDeliveries },
      test: { operation: 'testWebhook' },
      'send-again': { operation: 'sendWebhookAgain' },
    },
  },
  operator: {
    summary: 'people who operate a tenant, and their roles',
    argument: 'userId',
    columns: columnsOf<Record<'user_id' | 'email' | 'role' | 'state', string>>(
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
      remove: { asks: true },
    },
  },
} as const satisfies Readonly<Record<string, Noun>>;
