import * as constants from '../../../shared/domain/basis/limits.ts';
import { limitsUsedByFunctions } from './limits-used.ts';
import { table } from './readme.ts';

type Limits = typeof constants;

/** What is limited, the limit, and who can change it. */
type Row = readonly [what: string, value: (limits: Limits) => string, changed: string];

const FIXED = 'fixed';
const UNITS = ['SECONDS_PER_MINUTE', 'MINUTE_SECONDS', 'HOUR_SECONDS', 'DAY_SECONDS', 'THIRTY_DAYS_SECONDS'];

const number = (value: number): string => value.toLocaleString('en-US');

function duration(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const;
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${number(count)} ${name}${count === 1 ? '' : 's'}`;
}
const minutes = (count: number): string => duration(count * 60);
const kilobytes = (bytes: number): string => `${bytes / 1024} KB`;
const characters = (count: number): string => `${number(count)} characters`;

const credentials: readonly Row[] = [
  [
    'Digits of a passcode',
    (l) => `${l.PASSCODE_DIGITS} (${l.PASSCODE_DIGITS_MIN} to ${l.PASSCODE_DIGITS_MAX})`,
    '`digits`',
  ],
  [
    'Lifetime of a passcode',
    (l) => `${minutes(l.PASSCODE_EXPIRES_MINUTES)}, at most ${minutes(l.PASSCODE_EXPIRES_MINUTES_MAX)}`,
    '`expires_minutes`; `expires_in` of a send',
  ],
  [
    'Failed tries until the lock',
    (l) => `${l.PASSCODE_MAX_TRIES} (1 to ${l.PASSCODE_MAX_TRIES_MAX})`,
    '`max_tries`',
  ],
  [
    'Length of the lock',
    (l) => `${minutes(l.PASSCODE_LOCK_MINUTES)}, at most ${minutes(l.PASSCODE_LOCK_MINUTES_MAX)}`,
    '`lock_minutes`',
  ],
  ['Failures in a row until passcodes are off', (l) => number(l.PASSCODE_MAX_FAILURES), FIXED],
  ['A failure is remembered for', (l) => duration(l.PASSCODE_FAILURES_KEPT_SECONDS), FIXED],
  [
    'Lifetime of a link',
    (l) => `${minutes(l.LINK_EXPIRES_MINUTES)}, at most ${minutes(l.LINK_EXPIRES_MINUTES_MAX)}`,
    '`link.expires_minutes`; `email_expiration` of a send',
  ],
  ['What is used up or over is kept for', (l) => duration(l.CONSUMED_KEPT_SECONDS), FIXED],
];

const tokens: readonly Row[] = [
  [
    'Access token of a user',
    (l) => duration(l.ACCESS_TOKEN_SECONDS),
    '`access_token_ttl` of resource or client',
  ],
  ['ID token', (l) => duration(l.ID_TOKEN_SECONDS), FIXED],
  ['Client token', (l) => duration(l.CLIENT_TOKEN_SECONDS), '`access_token_ttl` of resource or client'],
  ['Refresh token', (l) => duration(l.REFRESH_TOKEN_SECONDS), '`refresh_token_ttl` of resource or client'],
  [
    'All refreshing after one login',
    (l) => duration(l.REFRESH_FAMILY_SECONDS),
    '`max_refresh_rotate` of resource or client',
  ],
  [
    'What these can be set to',
    (l) =>
      `from ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_ACCESS_TTL_MAX_SECONDS)} (access), ${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} (refresh)`,
    FIXED,
  ],
  [
    'Session',
    (l) => `${duration(l.SESSION_IDLE_SECONDS)} idle, ${duration(l.SESSION_ABSOLUTE_SECONDS)} in all`,
    '`session_preset`, `session_idle_seconds`, `session_absolute_seconds`',
  ],
  [
    'Presets of sessions: `aal1`; `aal2`',
    (l) =>
      `${duration(l.AAL1_ABSOLUTE_SECONDS)} in all; ${duration(l.AAL2_IDLE_SECONDS)} idle, ${duration(l.AAL2_ABSOLUTE_SECONDS)} in all`,
    '`session_preset`',
  ],
  [
    'What a session can be set to',
    (l) => `from ${duration(l.SESSION_SECONDS_MIN)} to ${duration(l.SESSION_SECONDS_MAX)}`,
    FIXED,
  ],
  [
    'Living sessions of a user; the login that makes more ends the least recently used',
    (l) => `${l.SESSIONS_MAX}`,
    FIXED,
  ],
  [
    'Logins of one session that can be refreshed; endings of such that it remembers',
    (l) => `${number(l.SESSION_FAMILIES_MAX)}; ${number(l.ENDED_FAMILIES_MAX)}`,
    FIXED,
  ],
  [
    'Code to exchange; pushed request',
    (l) => `${duration(l.AUTHORIZATION_CODE_SECONDS)}; ${duration(l.PUSHED_REQUEST_SECONDS)}`,
    FIXED,
  ],
  [
    'From the authorization request to its code, by the hosted page; from the first to the second factor of section C',
    (l) => duration(l.LOGIN_TRANSACTION_SECONDS),
    FIXED,
  ],
  ['From the way to a social provider to its answer', (l) => duration(l.UPSTREAM_LOGIN_SECONDS), FIXED],
  [
    'Calls to a provider while a browser waits',
    (l) =>
      `${duration(l.PROVIDER_MILLISECONDS / 1000)}, each ${duration(l.PROVIDER_CALL_MILLISECONDS / 1000)}`,
    FIXED,
  ],
  ["Apple's client secret, which we sign", (l) => duration(l.APPLE_SECRET_SECONDS), FIXED],
  [
    'The same answer to a refresh token that comes again',
    (l) => `for ${duration(l.REFRESH_GRACE_SECONDS)}, while its successor is unused`,
    FIXED,
  ],
  [
    'A hosted page says that a message is on its way',
    (l) => `after ${number(l.SEND_ANSWER_MILLISECONDS)} milliseconds or more`,
    FIXED,
  ],
  ['Tenants at which one browser is logged out at once', (l) => number(l.LOGOUT_TENANTS_MAX), FIXED],
  ['A browser is told from others for', (l) => duration(l.BROWSER_COOKIE_SECONDS), FIXED],
  [
    'Browsers that count as known to a user',
    (l) => `for ${duration(l.KNOWN_DEVICE_SECONDS)} after a login there, the last ${l.KNOWN_DEVICES_MAX}`,
    FIXED,
  ],
];

const windows: readonly Row[] = [
  [
    'Messages to one recipient, per application and channel',
    (l) => `${l.SENDS_PER_MINUTE} a minute, ${l.SENDS_PER_DAY} a day`,
    '`sends_per_minute`, `sends_per_day`',
  ],
  ['Notices of one kind to one user', (l) => `${l.NOTICES_PER_DAY} a day (UTC)`, FIXED],
  [
    'Calls of a client; of a public one, which proves nothing, from each network address',
    (l) => `${l.CLIENT_CALLS_PER_MINUTE} a minute`,
    '`calls_per_minute`',
  ],
  [
    'Browser requests per network address',
    (l) => `${l.ANONYMOUS_CALLS_PER_MINUTE} a minute, counted by each function instance`,
    FIXED,
  ],
  [
    'Messages that one network address asks for on the hosted pages, or through a trusted client, per application',
    (l) => `${l.ANONYMOUS_CALLS_PER_MINUTE} a minute`,
    '`anonymous_per_minute`',
  ],
  [
    'SMS to numbers that begin with the same digits, per application',
    (l) =>
      `${l.SMS_PER_PREFIX_PER_HOUR} an hour, ${l.SMS_PER_PREFIX_PER_DAY} a day, for ${l.SMS_PREFIX_DIGITS} digits with the country code`,
    '`sms_per_prefix_per_hour`, `sms_per_prefix_per_day`',
  ],
  [
    'SMS to such numbers whose codes nobody has used, in a day, per application; beyond it a code that was right pays for some',
    (l) =>
      `${l.SMS_UNVERIFIED_PER_PREFIX}, then ${l.SMS_PROBES_PER_HOUR} an hour; it pays for ${l.SMS_VERIFIED_PAYS_FOR}`,
    '`sms_unverified_per_prefix`',
  ],
  [
    'SMS of a tenant, over all its applications',
    (l) =>
      `${number(l.SMS_PER_TENANT_PER_DAY)} a day, ${number(l.SMS_PER_TENANT_PER_30_DAYS)} in thirty days; sign-ups end at ${l.SMS_BUDGET_FOR_STRANGERS * 100} % of both`,
    '`otl tenant update --sms-per-day`, `--sms-per-30-days`',
  ],
  ['What a rate limit can be set to', (l) => `1 to ${number(l.RATE_LIMIT_MAX)}`, FIXED],
];

const requests: readonly Row[] = [
  ['Body of a request', (l) => kilobytes(l.BODY_MAX_BYTES), FIXED],
  [
    '`state`; `nonce`',
    (l) =>
      `${kilobytes(l.STATE_MAX_BYTES)} as an address spells it, where a byte may take three; ${characters(l.NONCE_MAX)}`,
    FIXED,
  ],
  [
    'Texts with a limit of the specification',
    (l) =>
      `\`device_id\` ${l.DEVICE_ID_MAX}, \`client_id\` ${l.CLIENT_ID_MAX}, \`base64logo\` ${number(l.LOGO_BASE64_MAX)}, \`custom_message\` ${l.SMS_CUSTOM_MESSAGE_MAX}, \`sender_id\` ${l.SMS_SENDER_ID_MAX} characters`,
    FIXED,
  ],
  [
    '`approval_data`',
    (l) => `${l.APPROVAL_DATA_MAX_KEYS} keys, ${kilobytes(l.APPROVAL_DATA_MAX_BYTES)} as JSON`,
    FIXED,
  ],
  [
    '`claims`',
    (l) => `${kilobytes(l.CLAIMS_REQUEST_MAX_BYTES)} as JSON, ${l.CLAIM_VALUES_MAX} values`,
    FIXED,
  ],
  [
    'Client assertions',
    (l) =>
      `${characters(l.PROOF_MAX)}, \`jti\` ${l.PROOF_ID_MAX}; at most ${duration(l.CLIENT_ASSERTION_SECONDS)} ahead, ${l.PROOF_SKEW_SECONDS} seconds of clock skew`,
    FIXED,
  ],
  [
    'DPoP proofs',
    (l) =>
      `${characters(l.PROOF_MAX)}, ${l.PROOF_SKEW_SECONDS} seconds of clock skew; a nonce is good in its ${duration(l.DPOP_NONCE_WINDOW_SECONDS)} and the next`,
    FIXED,
  ],
  ['What a browser says of itself, in the log', (l) => characters(l.USER_AGENT_MAX), FIXED],
  ['Entries of a list', (l) => `${l.LIST_LIMIT}, at most ${l.LIST_LIMIT_MAX}`, '`limit`'],
  ['Records that one page of a filtered list looks through', (l) => number(l.LIST_EXAMINED_MAX), FIXED],
];

const records: readonly Row[] = [
  [
    'Texts of a user',
    (l) =>
      `address ${l.ADDRESS_MAX}, username ${l.USERNAME_MAX}, each name ${l.NAME_MAX}, external ID ${l.EXTERNAL_ID_MAX}, picture ${number(l.PICTURE_MAX)}, language ${l.LANGUAGE_TAG_MAX} characters`,
    FIXED,
  ],
  ['Groups of a user', (l) => `${l.GROUPS_MAX} of ${characters(l.GROUP_MAX)}`, FIXED],
  [
    'Custom identifiers of a user',
    (l) => `${l.CUSTOM_IDENTIFIERS_MAX} of ${characters(l.CUSTOM_IDENTIFIER_MAX)}`,
    FIXED,
  ],
  [
    'What is told of a phone number',
    (l) =>
      `reason ${characters(l.SIGNAL_REASON_MAX)}; observed ${l.SIGNAL_SKEW_SECONDS} seconds ahead of us at most`,
    FIXED,
  ],
  [
    '`custom_app_data`',
    (l) => `${kilobytes(l.CUSTOM_DATA_MAX_BYTES)} as JSON, ${l.CUSTOM_DATA_MAX_DEPTH} levels deep`,
    FIXED,
  ],
  [
    'An application',
    (l) =>
      `${l.REDIRECT_URIS_MAX} redirect URIs of ${characters(l.URI_MAX)}, ${l.APPLICATION_RESOURCES_MAX} attached resources`,
    FIXED,
  ],
  [
    'Permissions of a role; of all roles of an application',
    (l) => `${l.PERMISSIONS_MAX}; ${l.PERMISSIONS_OF_ROLES_MAX}`,
    FIXED,
  ],
  [
    'A client',
    (l) =>
      `${l.PERMISSIONS_MAX} permissions; ${l.CLIENT_SECRETS_MAX} secrets that work at the same time, or ${l.CLIENT_KEYS_MAX} public keys (RSA of ${l.RSA_BITS_MIN} to ${l.RSA_BITS_MAX} bits), key IDs of ${characters(l.KEY_ID_MAX)}`,
    FIXED,
  ],
  [
    'Webhooks of a tenant',
    (l) =>
      `${l.LIST_LIMIT_MAX}, each of ${l.WEBHOOK_EVENTS_MAX} event types of ${characters(l.WEBHOOK_EVENT_MAX)}`,
    FIXED,
  ],
  ['Accounts at providers of a user', (l) => number(l.IDENTITIES_MAX), FIXED],
  [
    'Description of a resource; roles of a member; of an application, client or user',
    (l) => `${characters(l.DESCRIPTION_MAX)}; ${l.MEMBER_ROLES_MAX}; ${l.ROLES_MAX}`,
    FIXED,
  ],
];

const signing: readonly Row[] = [
  ['Challenge for a passkey', (l) => duration(l.WEBAUTHN_CHALLENGE_SECONDS), FIXED],
  ['Token for the hosted registration', (l) => duration(l.PASSKEY_REGISTRATION_SECONDS), FIXED],
  ['Challenge for a device key', (l) => duration(l.APPROVAL_SECONDS), FIXED],
  ['Credential ID', (l) => `${number(l.CREDENTIAL_ID_MAX_BYTES)} bytes`, FIXED],
  ['Keys of a user', (l) => `${l.PASSKEYS_MAX} passkeys, ${l.DEVICE_KEYS_MAX} device keys`, FIXED],
  ['Origins of an application', (l) => `${l.ORIGINS_MAX}, of hosts of ${characters(l.RP_ID_MAX)}`, FIXED],
  ['Origins that a browser lets use our RP ID from elsewhere', (l) => `${l.RELATED_HOSTS_MAX} hosts`, FIXED],
];

const inside: readonly Row[] = [
  [
    'Configuration kept by a function instance',
    (l) => `${duration(l.DIRECTORY_CACHE_SECONDS)}, ${number(l.DIRECTORY_CACHE_MAX)} records of a kind`,
    FIXED,
  ],
  [
    'Keys, metadata and API document, in the caches of others',
    (l) => duration(l.PUBLIC_CACHE_SECONDS),
    FIXED,
  ],
  ["A provider's metadata, kept by a function instance", (l) => duration(l.PROVIDER_METADATA_SECONDS), FIXED],
  [
    'A claim on an identifier that no user carries',
    (l) =>
      `given up by its maker after ${duration(l.CLAIM_FILL_SECONDS)}, replaceable after ${duration(l.ORPHANED_CLAIM_SECONDS)}`,
    FIXED,
  ],
  [
    'Attempts to change a record that others change too; removals at once when a user is erased; given-up identifiers that erasing remembers',
    (l) => `${l.CHANGE_ATTEMPTS}; ${l.PARALLEL_REMOVALS}; ${l.FORMER_IDENTIFIERS_MAX}`,
    FIXED,
  ],
];

const groups = {
  'Passcodes and links': credentials,
  'Tokens and sessions': tokens,
  'Passkeys and approvals': signing,
  Windows: windows,
  Requests: requests,
  Records: records,
  'Inside the service': inside,
} as const;

/** The limits that the service has, as `shared/domain/basis/limits.ts` names them. */
export const limitsTable = (): string =>
  Object.entries(groups)
    .map(([title, rows]) =>
      table(
        [title, 'Limit', 'Changed by'],
        rows.map(([what, value, changed]) => [what, value(constants), changed]),
      ),
    )
    .join('\n\n');

/** Constants that the functions of the table of operations use, and no row of this table shows. */
export function limitsNotShown(): readonly string[] {
  const shown = new Set<string | symbol>(UNITS);
  const watched = new Proxy(
    { ...constants },
    {
      get(target, name, receiver) {
        shown.add(name);
        return Reflect.get(target, name, receiver);
      },
    },
  );
  for (const rows of Object.values(groups)) for (const [, value] of rows) value(watched);
  return limitsUsedByFunctions().filter((name) => !shown.has(name));
}
