import * as v from 'valibot';
import { HOST_NAME } from '../domain/basis/host-name.ts';
import {
  AAL1_ABSOLUTE_SECONDS,
  AAL2_ABSOLUTE_SECONDS,
  AAL2_IDLE_SECONDS,
  ANONYMOUS_SENDS_PER_DAY,
  ANONYMOUS_SENDS_PER_MINUTE,
  ANONYMOUS_SIGN_UPS_PER_MINUTE,
  APPLICATION_RESOURCES_MAX,
  BINDING_MAX_AGE_SECONDS,
  BINDING_MAX_AGE_SECONDS_MAX,
  BINDING_MAX_AGE_SECONDS_MIN,
  CLIENT_CALLS_PER_MINUTE,
  NAME_MAX,
  ORIGINS_MAX,
  PERMISSIONS_MAX,
  RATE_LIMIT_MAX,
  REDIRECT_URIS_MAX,
  RELATED_HOSTS_MAX,
  ROLES_MAX,
  RP_ID_MAX,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  SENDS_PER_DAY,
  SENDS_PER_MINUTE,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS_MAX,
  SESSION_SECONDS_MIN,
  SMS_PER_PREFIX_PER_DAY,
  SMS_PER_PREFIX_PER_HOUR,
  SMS_PREFIX_DIGITS,
  SMS_UNVERIFIED_PER_PREFIX,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { LANGUAGES } from '../ports/languages.ts';
import { brandBody, brandRecord } from './brand.ts';
import { described, doc, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import {
  applicationId,
  dates,
  field,
  id,
  integer,
  listOf,
  name,
  permissions,
  resultOf,
  roleName,
  shown,
  tenantId,
  textUpTo,
  uri,
} from './fields/record.ts';
import { LoginPreferencesBody, LoginPreferencesRecord } from './login-preferences.ts';

/** What users log in to. */

const list = <const Schema extends v.GenericSchema>(entry: Schema, max: number) =>
  v.pipe(v.array(entry), v.maxLength(max));

const roleNameWords = doc('Name of the role, which clients and users name.', 'support');
const rolePermissions = doc(
  `What the role permits, as \`<noun>:<verb>\`: permissions of this service or of your own. \`[appId]\` stands for the ID of the application. At most ${PERMISSIONS_MAX}.`,
  ['users:read', 'orders:refund'],
);
const role = v.object({
  name: described(roleName, roleNameWords),
  permissions: described(permissions, rolePermissions),
});
const roleRecord = v.object({
  name: described(v.string(), roleNameWords),
  permissions: described(v.array(v.string()), rolePermissions),
});

const sendsPerMinute = doc(
  `Messages to one mailbox or phone in a minute, by each channel (default: ${SENDS_PER_MINUTE}).`,
  SENDS_PER_MINUTE,
);
const sendsPerDay = doc(
  `Messages to one mailbox or phone in a day, by each channel (default: ${SENDS_PER_DAY}).`,
  SENDS_PER_DAY,
);
const callsPerMinute = doc(
  `Calls of a client in a minute; of a public one from each network address (default: ${CLIENT_CALLS_PER_MINUTE}).`,
  CLIENT_CALLS_PER_MINUTE,
);
const anonymousPerMinute = doc(
  `Messages in a minute that one network asks for on hosted pages or through a trusted client (default: ${ANONYMOUS_SENDS_PER_MINUTE}).`,
  ANONYMOUS_SENDS_PER_MINUTE,
);
const anonymousPerDay = doc(
  `The same in a day (default: ${ANONYMOUS_SENDS_PER_DAY}).`,
  ANONYMOUS_SENDS_PER_DAY,
);
const anonymousSignUps = doc(
  `Of these, messages in a minute to addresses without a user (default: ${ANONYMOUS_SIGN_UPS_PER_MINUTE}).`,
  ANONYMOUS_SIGN_UPS_PER_MINUTE,
);
const smsPerHour = doc(
  `SMS in an hour to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_HOUR}).`,
  SMS_PER_PREFIX_PER_HOUR,
);
const smsPerDay = doc(
  `SMS in a day to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_DAY}).`,
  SMS_PER_PREFIX_PER_DAY,
);
const smsUnverified = doc(
  `Of these, SMS with unused codes in a day, before the range closes (default: ${SMS_UNVERIFIED_PER_PREFIX}).`,
  SMS_UNVERIFIED_PER_PREFIX,
);
const smsDryRun = doc(
  'Whether SMS that the limits of ranges would refuse are noted in the log and go out (default: false).',
  false,
);
const limit = integer(1, RATE_LIMIT_MAX);
const rateLimits = v.object({
  sends_per_minute: field(limit, sendsPerMinute),
  sends_per_day: field(limit, sendsPerDay),
  calls_per_minute: field(limit, callsPerMinute),
  anonymous_per_minute: field(limit, anonymousPerMinute),
  anonymous_per_day: field(limit, anonymousPerDay),
  anonymous_sign_ups_per_minute: field(limit, anonymousSignUps),
  sms_per_prefix_per_hour: field(limit, smsPerHour),
  sms_per_prefix_per_day: field(limit, smsPerDay),
  sms_unverified_per_prefix: field(limit, smsUnverified),
  sms_dry_run: field(v.boolean(), smsDryRun),
});
const rateLimitsRecord = v.object({
  sends_per_minute: shown(v.number(), sendsPerMinute),
  sends_per_day: shown(v.number(), sendsPerDay),
  calls_per_minute: shown(v.number(), callsPerMinute),
  anonymous_per_minute: shown(v.number(), anonymousPerMinute),
  anonymous_per_day: shown(v.number(), anonymousPerDay),
  anonymous_sign_ups_per_minute: shown(v.number(), anonymousSignUps),
  sms_per_prefix_per_hour: shown(v.number(), smsPerHour),
  sms_per_prefix_per_day: shown(v.number(), smsPerDay),
  sms_unverified_per_prefix: shown(v.number(), smsUnverified),
  sms_dry_run: shown(v.boolean(), smsDryRun),
});

const newDevice = doc('Whether users are told of a login from a new device (default: true).', true);
const contactChanged = doc(
  'Whether users are told of a new email address or phone number (default: true). Former addresses are told in any case.',
  true,
);
const credentialsChanged = doc(
  'Whether users are told of passkeys, device keys and linked accounts that come or go (default: true).',
  true,
);
const locked = doc('Whether users are told of codes that wrong ones have locked (default: true).', true);
const notices = v.object({
  new_device: field(v.boolean(), newDevice),
  contact_changed: field(v.boolean(), contactChanged),
  credentials_changed: field(v.boolean(), credentialsChanged),
  locked: field(v.boolean(), locked),
});
const noticesRecord = v.object({
  new_device: described(v.boolean(), newDevice),
  contact_changed: described(v.boolean(), contactChanged),
  credentials_changed: described(v.boolean(), credentialsChanged),
  locked: described(v.boolean(), locked),
});

const language = v.picklist(LANGUAGES);
const idTokenClaims = v.picklist(['all', 'requested']);
const sessionPreset = v.picklist(['aal1', 'aal2']);
const sessionSeconds = integer(SESSION_SECONDS_MIN, SESSION_SECONDS_MAX);

const words = {
  name: doc(`Name, as users see it in messages. At most ${NAME_MAX} characters.`, 'Shop'),
  redirectUris: doc(
    `Where logins may end, compared character by character (default: nowhere). \`https\`, \`http\` on a loopback host, or the scheme of a native application; no fragment, at most ${URI_MAX} characters. At most ${REDIRECT_URIS_MAX}; a list replaces the former one.`,
    ['https://shop.example.com/complete'],
  ),
  addedUris: doc(
    `More of \`redirect_uris\`: they join the list, and what others add at the same time stays. The application has at most ${REDIRECT_URIS_MAX}.`,
    ['https://shop.example.com/app/complete'],
  ),
  afterLogout: doc(
    `Where logouts may end, compared character by character (default: nowhere). At most ${REDIRECT_URIS_MAX}.`,
    ['https://shop.example.com/goodbye'],
  ),
  publicSignup: doc('Whether a login may make a user (default: false).', false),
  hostedSignUp: doc(
    'Whether the hosted pages make a user for an address that has none, while `public_signup` is on (default: true).',
    true,
  ),
  offerPasskeys: doc(
    'Whether a login on the hosted pages ends with the offer of a passkey, where `passkey` is among the login preferences and the device can hold one (default: true).',
    true,
  ),
  loginPreferences: doc(
    'Login methods that are on, with their settings (default: link, email and passkey). Methods that are not given stay as they are; null switches one off.',
  ),
  roles: doc(`What clients and users with a role may do (default: nothing). At most ${ROLES_MAX} roles.`),
  resources: doc(
    `IDs of resources of the tenant that it may ask tokens for, beside its own (default: none). At most ${APPLICATION_RESOURCES_MAX}.`,
    ['0q5w8h2tz9x4k7m1vd6rc3nyb'],
  ),
  rateLimits: doc(`Limits in place of the defaults, each from 1 to ${RATE_LIMIT_MAX}.`),
  language: doc(
    "Language of messages that a backend sends (default: en). Hosted pages have the browser's.",
    'en',
  ),
  codeHost: doc(
    `Host of your pages where users type codes of text messages, so that browsers offer them there. At most ${RP_ID_MAX} characters, in lower case. Absent: text messages name no host.`,
    'shop.example.com',
  ),
  brand: doc('Look of the hosted pages and their mails. A new one replaces the former as a whole.'),
  linkHosts: doc(
    'Hosts that an operator has confirmed: links of `brand` may lead there, as to hosts of the redirect URIs.',
    ['help.example.com'],
  ),
  homeUri: doc(
    `Home page, where pages of errors lead (default: nowhere). \`https\`, on a host that the redirect URIs had before the change, or that an operator has confirmed; no fragment, at most ${URI_MAX} characters.`,
    'https://shop.example.com/',
  ),
  notices: doc('Which notices users get (default: all).'),
  acrossClients: doc(
    'Whether a passcode that one client sent may be authenticated by another (default: false).',
    false,
  ),
  appIdAudience: doc(
    'Whether access tokens without a resource name the application in `aud` too (default: false).',
    false,
  ),
  testIdentities: doc(
    'Whether its clients may make test users and read their codes, where the environment allows it too (default: false).',
    false,
  ),
  idTokenClaims: doc(
    'What ID tokens of logins at /oidc/auth say of the user: `requested` by scope and `claims`, or `all`, which is email and groups without being asked (default: requested).',
    'requested',
  ),
  sessionPreset: doc(
    `When users log in anew (NIST SP 800-63B-4): \`aal1\` after ${AAL1_ABSOLUTE_SECONDS / SECONDS_PER_DAY} days; \`aal2\` after ${AAL2_ABSOLUTE_SECONDS / SECONDS_PER_HOUR} hours, or ${AAL2_IDLE_SECONDS / SECONDS_PER_HOUR} without use.`,
    'aal1',
  ),
  idleSeconds: doc(
    `Lifetime of a session without use, in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_IDLE_SECONDS}). At most what \`session_preset\` allows.`,
    SESSION_IDLE_SECONDS,
  ),
  absoluteSeconds: doc(
    `Lifetime of a session in all, in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_ABSOLUTE_SECONDS}). At most what \`session_preset\` allows.`,
    AAL1_ABSOLUTE_SECONDS,
  ),
  bindingMaxAge: doc(
    `How old a login may be that adds or removes a credential, in seconds, ${BINDING_MAX_AGE_SECONDS_MIN} to ${BINDING_MAX_AGE_SECONDS_MAX} (default: ${BINDING_MAX_AGE_SECONDS}).`,
    BINDING_MAX_AGE_SECONDS,
  ),
  rpId: doc(
    `RP ID of its passkeys (default: the host of the login pages). A host name in lower case, at most ${RP_ID_MAX} characters; the first passkey fixes it.`,
    'example.com',
  ),
  origins: doc(
    `Where its passkeys are used: \`https\` origins or \`android:apk-key-hash:<hash>\` (default: the login pages). At most ${ORIGINS_MAX}, and ${RELATED_HOSTS_MAX} hosts outside the RP ID.`,
    ['https://shop.example.com'],
  ),
};

const applicationFields = {
  redirect_uris: field(list(uri, REDIRECT_URIS_MAX), words.redirectUris),
  post_logout_redirect_uris: field(list(uri, REDIRECT_URIS_MAX), words.afterLogout),
  public_signup: field(v.boolean(), words.publicSignup),
  hosted_sign_up: field(v.boolean(), words.hostedSignUp),
  offer_passkeys: field(v.boolean(), words.offerPasskeys),
  login_preferences: field(LoginPreferencesBody, words.loginPreferences),
  roles: field(list(role, ROLES_MAX), words.roles),
  resources: field(list(id, APPLICATION_RESOURCES_MAX), words.resources),
  rate_limits: field(rateLimits, words.rateLimits),
  language: field(language, words.language),
  code_host: field(
    v.pipe(v.string(), maxCharacters(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    words.codeHost,
  ),
  brand: field(brandBody, words.brand),
  home_uri: field(uri, words.homeUri),
  notices: field(notices, words.notices),
  passcodes_across_clients: field(v.boolean(), words.acrossClients),
  app_id_audience: field(v.boolean(), words.appIdAudience),
  test_identities: field(v.boolean(), words.testIdentities),
  id_token_claims: field(idTokenClaims, words.idTokenClaims),
  session_preset: field(sessionPreset, words.sessionPreset),
  session_idle_seconds: field(sessionSeconds, words.idleSeconds),
  session_absolute_seconds: field(sessionSeconds, words.absoluteSeconds),
  binding_max_age_seconds: field(
    integer(BINDING_MAX_AGE_SECONDS_MIN, BINDING_MAX_AGE_SECONDS_MAX),
    words.bindingMaxAge,
  ),
  rp_id: field(
    v.pipe(textUpTo(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    words.rpId,
  ),
  origins: field(list(uri, ORIGINS_MAX), words.origins),
};

export const CreateApplicationBody = described(
  v.object({ name: described(name, words.name), ...applicationFields }),
  sample('name', 'redirect_uris', 'public_signup', 'login_preferences', 'language'),
);
export const UpdateApplicationBody = described(
  v.object({
    name: shown(name, words.name),
    ...applicationFields,
    add_redirect_uris: shown(list(uri, REDIRECT_URIS_MAX), words.addedUris),
  }),
  sample('public_signup', 'login_preferences', 'add_redirect_uris'),
);
export type ApplicationFields = v.InferOutput<typeof UpdateApplicationBody>;
export const ApplicationRecord = described(
  v.object({
    app_id: described(v.string(), applicationId),
    tenant_id: described(v.string(), tenantId),
    name: described(v.string(), words.name),
    redirect_uris: described(v.array(v.string()), words.redirectUris),
    post_logout_redirect_uris: described(v.array(v.string()), words.afterLogout),
    public_signup: described(v.boolean(), words.publicSignup),
    hosted_sign_up: described(v.boolean(), words.hostedSignUp),
    offer_passkeys: described(v.boolean(), words.offerPasskeys),
    login_preferences: v.optional(LoginPreferencesRecord),
    roles: described(v.array(roleRecord), words.roles),
    resources: described(v.array(v.string()), words.resources),
    rate_limits: shown(rateLimitsRecord, words.rateLimits),
    language: shown(language, words.language),
    code_host: shown(v.string(), words.codeHost),
    brand: shown(brandRecord, words.brand),
    home_uri: shown(v.string(), words.homeUri),
    link_hosts: shown(v.array(v.string()), words.linkHosts),
    notices: described(noticesRecord, words.notices),
    passcodes_across_clients: described(v.boolean(), words.acrossClients),
    app_id_audience: described(v.boolean(), words.appIdAudience),
    test_identities: described(v.boolean(), words.testIdentities),
    id_token_claims: described(idTokenClaims, words.idTokenClaims),
    session_preset: shown(sessionPreset, words.sessionPreset),
    session_idle_seconds: shown(v.number(), words.idleSeconds),
    session_absolute_seconds: shown(v.number(), words.absoluteSeconds),
    binding_max_age_seconds: shown(v.number(), words.bindingMaxAge),
    rp_id: shown(v.string(), words.rpId),
    origins: described(v.array(v.string()), words.origins),
    ...dates,
  }),
  doc('What users log in to.'),
);
export type ApplicationRecord = v.InferOutput<typeof ApplicationRecord>;
export const ApplicationResponse = resultOf(ApplicationRecord);
export const ApplicationIdPath = v.object({ appId: described(id, applicationId) });
export const ApplicationListResponse = listOf(ApplicationRecord);
