import type { clientFields } from '../../../shared/records/client.ts';
import type { WordsOf, WordsTable } from './words.ts';

const untilResource = 'A resource of the tenant can set another time.';

/** Labels and help texts of the fields of an application's clients. */
export const clientWords: WordsOf<typeof clientFields> = {
  name: { label: 'Name', help: 'Only operators see it.' },
  auth_method: {
    label: 'How the client proves who it is',
    choices: {
      secret: 'With a secret (a backend)',
      private_key_jwt: 'With a private key (a backend with high demands)',
      none: 'Not at all (an app or a page in the browser)',
    },
  },
  jwks: {
    label: 'Public keys',
    help: 'For a client that proves itself with a private key.',
    inner: { keys: { label: 'Keys', help: 'The keys of a JSON Web Key Set.' } },
  },
  permissions: {
    label: 'Permissions',
    help: 'For example users:read. A client without permissions and roles may do everything in its own application.',
  },
  roles: { label: 'Roles', help: 'Roles of the application. Their permissions are added to those above.' },
  trusted: {
    label: 'Trust the network addresses that it reports',
    help: 'For a backend that sends codes for people: limits are then counted for the people and not for the backend.',
  },
  require_pkce: { label: 'Requires PKCE', help: 'An app without a secret always needs PKCE.' },
  access_token_ttl: { label: 'An access token is valid for', unit: 'seconds', help: untilResource },
  refresh_token_ttl: { label: 'A refresh token is valid for', unit: 'seconds', help: untilResource },
  max_refresh_rotate: { label: 'A login can be refreshed for', unit: 'seconds', help: untilResource },
  backchannel_logout_uri: {
    label: 'Address to notify when a session ends',
    help: 'A public https address of your backend.',
  },
  acr_values: {
    label: 'When a login asks for a second factor',
    choices: { require: 'People without one cannot log in', prefer: 'People without one can log in' },
    advanced: true,
  },
  offline_access_needs_consent: {
    label: 'Ask people before the client gets a refresh token',
    advanced: true,
  },
  refresh_token_rotation: {
    label: 'Each use replaces the refresh token',
    help: 'Only clients with a private key or with bound tokens may switch this off.',
    advanced: true,
  },
  profile: {
    label: 'Security profile',
    help: 'Sets what the profile requires, and refuses what it forbids.',
    choices: { fapi2: 'FAPI 2.0' },
    advanced: true,
  },
  require_pushed_requests: {
    label: 'Requires pushed authorization requests',
    help: 'A login must begin with a call of the backend.',
    advanced: true,
  },
  bound_codes: { label: 'Requires the verifier or address for each code', advanced: true },
  dpop_bound: {
    label: 'Binds tokens to a key (DPoP)',
    help: 'A stolen token is useless without the key.',
    advanced: true,
  },
  dpop_nonce: { label: 'Requires a nonce in DPoP proofs', advanced: true },
  strict_audience: { label: 'Accepts only assertions for this issuer', advanced: true },
  id_token_signed_response_alg: { label: 'Signature of tokens', advanced: true },
  backchannel_logout_session_required: {
    label: 'Requires the session in logout notices',
    help: 'They always contain it.',
    advanced: true,
  },
};

/** Settings for people's logins, which management clients do not have. */
const LOGIN_FIELDS = [
  ...['permissions', 'roles', 'require_pkce', 'require_pushed_requests', 'bound_codes', 'acr_values'],
  ...['offline_access_needs_consent', 'refresh_token_ttl', 'max_refresh_rotate', 'refresh_token_rotation'],
  ...['backchannel_logout_uri', 'backchannel_logout_session_required', 'profile'],
];

/** Labels and help texts of the fields of management clients. */
export const managementClientWords: WordsTable = {
  ...Object.fromEntries(
    Object.entries<WordsTable[string]>(clientWords).map(([name, words]) => [
      name,
      LOGIN_FIELDS.includes(name) ? { ...words, hidden: true as const } : words,
    ]),
  ),
  auth_method: {
    label: clientWords.auth_method.label,
    choices: { secret: 'With a secret', private_key_jwt: 'With a private key (for high demands)' },
  },
};
