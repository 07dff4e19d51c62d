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
  DOCUMENT_HOSTS_MAX,
  NAME_MAX,
  ORIGINS_MAX,
  PERMISSIONS_MAX,
  RATE_LIMIT_MAX,
  REDIRECT_URIS_MAX,
  REFRESH_GRACE_SECONDS,
  REFRESH_REUSE_SECONDS_MAX,
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
import { applicationFields, noticesFields, rateLimitsFields, roleFields } from '../records/application.ts';
import { brand } from './brand.ts';
import { described, doc, operatorRole, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf } from './fields/of-record.ts';
import {
  applicationId,
  id,
  integer,
  list,
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

const role = schemasOf(roleFields, {
  name: [roleName, doc('Name of the role, which clients and users name.', 'support')],
  permissions: [
    permissions,
    doc(
      `What the role permits, as \`<noun>:<verb>\`: permissions of this service or of your own. \`[appId]\` stands for the ID of the application. At most ${PERMISSIONS_MAX}.`,
      ['users:read', 'orders:refund'],
    ),
  ],
});

const hostOrAny = new RegExp(`^\\*$|${HOST_NAME.source}`);
const limit = integer(1, RATE_LIMIT_MAX);
const rateLimits = schemasOf(rateLimitsFields, {
  sendsPerMinute: [
    limit,
    doc(
      `Messages to one mailbox or phone in a minute, by each channel (default: ${SENDS_PER_MINUTE}).`,
      SENDS_PER_MINUTE,
    ),
  ],
  sendsPerDay: [
    limit,
    doc(
      `Messages to one mailbox or phone in a day, by each channel (default: ${SENDS_PER_DAY}).`,
      SENDS_PER_DAY,
    ),
  ],
  callsPerMinute: [
    limit,
    doc(
      `Calls of a client in a minute; of a public one from each network address (default: ${CLIENT_CALLS_PER_MINUTE}).`,
      CLIENT_CALLS_PER_MINUTE,
    ),
  ],
  anonymousPerMinute: [
    limit,
    doc(
      `Messages in a minute that one network asks for on hosted pages or through a trusted client (default: ${ANONYMOUS_SENDS_PER_MINUTE}).`,
      ANONYMOUS_SENDS_PER_MINUTE,
    ),
  ],
  anonymousPerDay: [
    limit,
    doc(`The same in a day (default: ${ANONYMOUS_SENDS_PER_DAY}).`, ANONYMOUS_SENDS_PER_DAY),
  ],
  anonymousSignUpsPerMinute: [
    limit,
    doc(
      `Of these, messages in a minute to addresses without a user (default: ${ANONYMOUS_SIGN_UPS_PER_MINUTE}).`,
      ANONYMOUS_SIGN_UPS_PER_MINUTE,
    ),
  ],
  smsPerPrefixPerHour: [
    limit,
    doc(
      `SMS in an hour to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_HOUR}).`,
      SMS_PER_PREFIX_PER_HOUR,
    ),
  ],
  smsPerPrefixPerDay: [
    limit,
    doc(
      `SMS in a day to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_DAY}).`,
      SMS_PER_PREFIX_PER_DAY,
    ),
  ],
  smsUnverifiedPerPrefix: [
    limit,
    doc(
      `Of these, SMS with unused codes in a day, before the range closes (default: ${SMS_UNVERIFIED_PER_PREFIX}).`,
      SMS_UNVERIFIED_PER_PREFIX,
    ),
  ],
  smsDryRun: doc(
    'Whether SMS that the limits of ranges would refuse are noted in the log and go out (default: false).',
    false,
  ),
});

const notices = schemasOf(noticesFields, {
  newDevice: doc('Whether users are told of a login from a new device (default: true).', true),
  contactChanged: doc(
    'Whether users are told of a new email address or phone number (default: true). Former addresses are told in any case.',
    true,
  ),
  credentialsChanged: doc(
    'Whether users are told of passkeys, device keys and linked accounts that come or go (default: true).',
    true,
  ),
  locked: doc('Whether users are told of codes that wrong ones have locked (default: true).', true),
});

const sessionSeconds = integer(SESSION_SECONDS_MIN, SESSION_SECONDS_MAX);
const application = schemasOf(applicationFields, {
  applicationId,
  tenantId,
  name: [name, doc(`Name, as users see it in messages. At most ${NAME_MAX} characters.`, 'Shop')],
  redirectUris: [
    list(uri, REDIRECT_URIS_MAX),
    doc(
      `Where logins may end, compared character by character (default: nowhere). \`https\`, \`http\` on a loopback host, or the scheme of a native application; no fragment, at most ${URI_MAX} characters. At most ${REDIRECT_URIS_MAX}; a list replaces the former one.`,
      ['https://shop.example.com/complete'],
    ),
  ],
  postLogoutRedirectUris: [
    list(uri, REDIRECT_URIS_MAX),
    doc(
      `Where logouts may end, compared character by character (default: nowhere). At most ${REDIRECT_URIS_MAX}.`,
      ['https://shop.example.com/goodbye'],
    ),
  ],
  publicSignup: doc('Whether a login may make a user (default: false).', false),
  hostedSignUp: doc(
    'Whether the hosted pages make a user for an address that has none, while `public_signup` is on (default: true).',
    true,
  ),
  offerPasskeys: doc(
    'Whether a login on the hosted pages ends with the offer of a passkey, where `passkey` is among the login preferences and the device can hold one (default: true).',
    true,
  ),
  enrolSecondFactor: doc(
    'Whether a hosted login that demands two factors lets a person who has one kind make the other in it (default: false). Who holds the one kind, such as the reader of a mailbox, then gets `mfa` here. All addresses of the person are told, with a link that ends it for 7 days. Never for users with roles, or who administer an organization.',
    false,
  ),
  loginPreferences: [
    { create: LoginPreferencesBody, record: LoginPreferencesRecord },
    doc(
      'Login methods that are on, with their settings (default: link, email and passkey). Methods that are not given stay as they are; null switches one off.',
    ),
  ],
  roles: [
    { create: list(role.create, ROLES_MAX), record: v.array(role.record) },
    doc(`What clients and users with a role may do (default: nothing). At most ${ROLES_MAX} roles.`),
  ],
  resourceIds: [
    list(id, APPLICATION_RESOURCES_MAX),
    doc(
      `IDs of resources of the tenant that it may ask tokens for, beside its own (default: none). At most ${APPLICATION_RESOURCES_MAX}.`,
      ['0q5w8h2tz9x4k7m1vd6rc3nyb'],
    ),
  ],
  rateLimits: [rateLimits, doc(`Limits in place of the defaults, each from 1 to ${RATE_LIMIT_MAX}.`)],
  language: doc(
    "Language of messages to users without a supported language of their own (default: en). Hosted pages, and the messages they send, have the browser's.",
    'en',
  ),
  codeHost: [
    v.pipe(v.string(), maxCharacters(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    doc(
      `Host of your pages where users type codes of text messages, so that browsers offer them there. At most ${RP_ID_MAX} characters, in lower case. Absent: text messages name no host.`,
      'shop.example.com',
    ),
  ],
  brand: [brand, doc('Look of the hosted pages and their mails. A new one replaces the former as a whole.')],
  homeUri: [
    uri,
    doc(
      `Home page, where pages of errors lead (default: nowhere). \`https\`, on a host that the redirect URIs had before the change, or that an operator has confirmed; no fragment, at most ${URI_MAX} characters.`,
      'https://shop.example.com/',
    ),
  ],
  linkHosts: doc(
    'Hosts that an operator has confirmed: links of `brand` may lead there, as to hosts of the redirect URIs.',
    ['help.example.com'],
  ),
  notices: [notices, doc('Which notices users get (default: all).')],
  passcodesAcrossClients: doc(
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
  sessionIdleSeconds: [
    sessionSeconds,
    doc(
      `Lifetime of a session without use, in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_IDLE_SECONDS}). At most what \`session_preset\` allows.`,
      SESSION_IDLE_SECONDS,
    ),
  ],
  sessionAbsoluteSeconds: [
    sessionSeconds,
    doc(
      `Lifetime of a session in all, in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_ABSOLUTE_SECONDS}). At most what \`session_preset\` allows.`,
      AAL1_ABSOLUTE_SECONDS,
    ),
  ],
  bindingMaxAgeSeconds: [
    integer(BINDING_MAX_AGE_SECONDS_MIN, BINDING_MAX_AGE_SECONDS_MAX),
    doc(
      `How old a login may be that adds or removes a credential, in seconds, ${BINDING_MAX_AGE_SECONDS_MIN} to ${BINDING_MAX_AGE_SECONDS_MAX} (default: ${BINDING_MAX_AGE_SECONDS}).`,
      BINDING_MAX_AGE_SECONDS,
    ),
  ],
  refreshReuseSeconds: [
    integer(0, REFRESH_REUSE_SECONDS_MAX),
    doc(
      `How long a public client without DPoP gets the same answer for a refresh token whose successor is unused, in seconds, 0 to ${REFRESH_REUSE_SECONDS_MAX} (default: ${REFRESH_GRACE_SECONDS}). As long can a thief and the owner both use it.`,
      60,
    ),
  ],
  clientDocumentHosts: [
    list(
      v.pipe(
        v.string(),
        maxCharacters(RP_ID_MAX),
        v.regex(hostOrAny, 'must be * or a host name in lower case'),
      ),
      DOCUMENT_HOSTS_MAX,
    ),
    doc(
      `Hosts whose client ID metadata documents stand for clients of the application, \`*\` for any (default: none). People are asked before such a client gets a token. At most ${DOCUMENT_HOSTS_MAX}.`,
      ['agent.example.com'],
    ),
  ],
  rpId: [
    v.pipe(textUpTo(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    doc(
      `RP ID of its passkeys (default: the host of the login pages). A host name in lower case, at most ${RP_ID_MAX} characters; the first passkey fixes it.`,
      'example.com',
    ),
  ],
  origins: [
    list(uri, ORIGINS_MAX),
    doc(
      `Where its passkeys are used: \`https\` origins or \`android:apk-key-hash:<hash>\` (default: the login pages). At most ${ORIGINS_MAX}, and ${RELATED_HOSTS_MAX} hosts outside the RP ID.`,
      ['https://shop.example.com'],
    ),
  ],
});
const addedUris = doc(
  `More of \`redirect_uris\`: they join the list, and what others add at the same time stays. The application has at most ${REDIRECT_URIS_MAX}.`,
  ['https://shop.example.com/app/complete'],
);

export const CreateApplicationBody = described(
  application.create,
  sample('name', 'redirect_uris', 'public_signup', 'login_preferences', 'language'),
);
export const UpdateApplicationBody = described(
  v.object({
    ...application.update.entries,
    add_redirect_uris: shown(list(uri, REDIRECT_URIS_MAX), addedUris, operatorRole('guarded')),
  }),
  sample('public_signup', 'login_preferences', 'add_redirect_uris'),
);
export const ApplicationRecord = described(application.record, doc('What users log in to.'));
export const ApplicationResponse = resultOf(ApplicationRecord);
export const ApplicationIdPath = v.object({ appId: described(id, applicationId) });
export const ApplicationListResponse = listOf(ApplicationRecord);
