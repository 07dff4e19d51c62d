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
  APPS_MAX,
  BINDING_MAX_AGE_SECONDS,
  BINDING_MAX_AGE_SECONDS_MAX,
  BINDING_MAX_AGE_SECONDS_MIN,
  CLIENT_CALLS_PER_MINUTE,
  DOCUMENT_HOSTS_MAX,
  NAME_MAX,
  OPENID_PROVIDERS_MAX,
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
import { describe, described, operatorRole, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { androidApp, iosApp } from './fields/native-apps.ts';
import { createSchemas } from './fields/of-record.ts';
import {
  applicationId,
  id,
  integer,
  list,
  name,
  optionalField,
  permissions,
  roleName,
  tenantId,
  textUpTo,
  toPage,
  toResult,
  uri,
} from './fields/record.ts';
import { LoginPreferencesBody, LoginPreferencesRecord, OpenIdProviders } from './login-preferences.ts';

// Schemas of applications, to which users log in.

const role = createSchemas(roleFields, {
  name: [roleName, describe('Name of the role, by which clients and users refer to it.', 'support')],
  permissions: [
    permissions,
    describe(
      `Permissions of the role, as \`<noun>:<verb>\`: those of this service or your own. \`[appId]\` stands for the ID of the application. At most ${PERMISSIONS_MAX}.`,
      ['users:read', 'orders:refund'],
    ),
  ],
});

const hostOrAny = new RegExp(`^\\*$|${HOST_NAME.source}`);
const limit = integer(1, RATE_LIMIT_MAX);
const rateLimits = createSchemas(rateLimitsFields, {
  sendsPerMinute: [
    limit,
    describe(
      `Messages to a mailbox or phone per minute and channel (default: ${SENDS_PER_MINUTE}).`,
      SENDS_PER_MINUTE,
    ),
  ],
  sendsPerDay: [
    limit,
    describe(
      `Messages to one mailbox or phone per day and channel (default: ${SENDS_PER_DAY}).`,
      SENDS_PER_DAY,
    ),
  ],
  callsPerMinute: [
    limit,
    describe(
      `Calls of a client per minute; for a public client, per network address (default: ${CLIENT_CALLS_PER_MINUTE}).`,
      CLIENT_CALLS_PER_MINUTE,
    ),
  ],
  anonymousPerMinute: [
    limit,
    describe(
      `Messages per minute that one network requests on hosted pages or through a trusted client (default: ${ANONYMOUS_SENDS_PER_MINUTE}).`,
      ANONYMOUS_SENDS_PER_MINUTE,
    ),
  ],
  anonymousPerDay: [
    limit,
    describe(
      `Messages per day that one network requests on hosted pages or through a trusted client (default: ${ANONYMOUS_SENDS_PER_DAY}).`,
      ANONYMOUS_SENDS_PER_DAY,
    ),
  ],
  anonymousSignUpsPerMinute: [
    limit,
    describe(
      `Messages per minute that one network requests for addresses without a user (default: ${ANONYMOUS_SIGN_UPS_PER_MINUTE}).`,
      ANONYMOUS_SIGN_UPS_PER_MINUTE,
    ),
  ],
  smsPerPrefixPerHour: [
    limit,
    describe(
      `SMS per hour to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_HOUR}).`,
      SMS_PER_PREFIX_PER_HOUR,
    ),
  ],
  smsPerPrefixPerDay: [
    limit,
    describe(
      `SMS per day to numbers with the same first ${SMS_PREFIX_DIGITS} digits (default: ${SMS_PER_PREFIX_PER_DAY}).`,
      SMS_PER_PREFIX_PER_DAY,
    ),
  ],
  smsUnverifiedPerPrefix: [
    limit,
    describe(
      `SMS per day with unused codes to such numbers, before no more are sent to them (default: ${SMS_UNVERIFIED_PER_PREFIX}).`,
      SMS_UNVERIFIED_PER_PREFIX,
    ),
  ],
  smsDryRun: describe(
    'Whether SMS that the limits for number ranges would refuse are only logged and still sent (default: false).',
    false,
  ),
});

const notices = createSchemas(noticesFields, {
  newDevice: describe('Whether users are notified of a login from a new device (default: true).', true),
  contactChanged: describe(
    'Whether users are notified of a new email address or phone number (default: true). Former addresses are always notified.',
    true,
  ),
  credentialsChanged: describe(
    'Whether users are notified when a passkey, device key or linked account is added or removed (default: true).',
    true,
  ),
  locked: describe(
    'Whether users are notified when wrong codes have locked their codes (default: true).',
    true,
  ),
});

const sessionSeconds = integer(SESSION_SECONDS_MIN, SESSION_SECONDS_MAX);
const application = createSchemas(applicationFields, {
  applicationId,
  tenantId,
  name: [name, describe(`Name, as users see it in messages. At most ${NAME_MAX} characters.`, 'Shop')],
  redirectUris: [
    list(uri, REDIRECT_URIS_MAX),
    describe(
      `Allowed redirect URIs of logins, compared character by character (default: none). \`https\`, \`http\` on a loopback host, or the scheme of a native application, without fragment, at most ${URI_MAX} characters. At most ${REDIRECT_URIS_MAX}; a list replaces the existing one.`,
      ['https://shop.example.com/complete'],
    ),
  ],
  postLogoutRedirectUris: [
    list(uri, REDIRECT_URIS_MAX),
    describe(
      `Allowed redirect URIs of logouts, compared character by character (default: none). At most ${REDIRECT_URIS_MAX}.`,
      ['https://shop.example.com/goodbye'],
    ),
  ],
  publicSignup: describe('Whether a login may create a user (default: false).', false),
  hostedSignUp: describe(
    'Whether the hosted pages create a user for an unknown address if `public_signup` is on (default: true).',
    true,
  ),
  offerPasskeys: describe(
    'Whether a login on the hosted pages ends with the offer of a passkey, if `passkey` is among the login preferences and the device supports it (default: true).',
    true,
  ),
  enrolSecondFactor: describe(
    'Whether a hosted login that requires two factors lets a user with one factor enrol the second one in it (default: false). Anyone who controls the one factor, such as a reader of the mailbox, then gets `mfa` at this application. All addresses of the user are notified, with a link that undoes it for 7 days. Users with roles and administrators of organizations can never enrol this way.',
    false,
  ),
  loginPreferences: [
    { create: LoginPreferencesBody, record: LoginPreferencesRecord },
    describe(
      'Login methods that are on, with their settings (default: link, email and passkey). Methods that are not given stay unchanged; null turns one off.',
    ),
  ],
  openidProviders: [
    OpenIdProviders,
    describe(
      `OpenID providers that the application offers in addition to the built-in ones (default: none), at most ${OPENID_PROVIDERS_MAX}. Register the redirect URI \`{base_url}/auth/openid/<name>/callback\` at the provider. Its client secret is set with \`otl application set-provider\`.`,
    ),
  ],
  roles: [
    { create: list(role.create, ROLES_MAX), record: v.array(role.record) },
    describe(`Roles with permissions for clients and users (default: none). At most ${ROLES_MAX} roles.`),
  ],
  resourceIds: [
    list(id, APPLICATION_RESOURCES_MAX),
    describe(
      `IDs of the tenant's resources that the application may request tokens for, in addition to its own (default: none). At most ${APPLICATION_RESOURCES_MAX}.`,
      ['0q5w8h2tz9x4k7m1vd6rc3nyb'],
    ),
  ],
  rateLimits: [
    rateLimits,
    describe(`Rate limits that override the defaults, each from 1 to ${RATE_LIMIT_MAX}.`),
  ],
  language: describe(
    "Language of messages to users without a supported language of their own (default: en). Hosted pages and their messages use the browser's language.",
    'en',
  ),
  codeHost: [
    v.pipe(v.string(), maxCharacters(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    describe(
      `Host of your pages where users type codes from text messages, so that browsers can fill them in there. At most ${RP_ID_MAX} characters, in lower case. Absent: text messages contain no host.`,
      'shop.example.com',
    ),
  ],
  brand: [
    brand,
    describe(
      'Appearance of the hosted pages and their mails. A new value replaces the existing one as a whole.',
    ),
  ],
  homeUri: [
    uri,
    describe(
      `Home page that error pages link to (default: none). \`https\`, on a host of the redirect URIs before the change or one that an operator has confirmed, without fragment, at most ${URI_MAX} characters.`,
      'https://shop.example.com/',
    ),
  ],
  linkHosts: describe(
    'Hosts that an operator has confirmed. Links of `brand` may point to them, as to the hosts of the redirect URIs.',
    ['help.example.com'],
  ),
  notices: [notices, describe('Notices that users get (default: all).')],
  passcodesAcrossClients: describe(
    'Whether a client may authenticate with a passcode that another client of the application sent (default: false).',
    false,
  ),
  appIdAudience: describe(
    'Whether access tokens without a resource also have the application in `aud` (default: false).',
    false,
  ),
  testIdentities: describe(
    "Whether the application's clients may create test users and read their codes, if the environment allows it, too (default: false).",
    false,
  ),
  idTokenClaims: describe(
    'Claims in ID tokens of logins at /oidc/auth: `requested` for those that scope and `claims` ask for, or `all` to always add email and groups (default: requested).',
    'requested',
  ),
  sessionPreset: describe(
    `Time after which users must log in again (NIST SP 800-63B-4): \`aal1\` after ${AAL1_ABSOLUTE_SECONDS / SECONDS_PER_DAY} days; \`aal2\` after ${AAL2_ABSOLUTE_SECONDS / SECONDS_PER_HOUR} hours, or ${AAL2_IDLE_SECONDS / SECONDS_PER_HOUR} without use.`,
    'aal1',
  ),
  sessionIdleSeconds: [
    sessionSeconds,
    describe(
      `Lifetime of an unused session in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_IDLE_SECONDS}). At most what \`session_preset\` allows.`,
      SESSION_IDLE_SECONDS,
    ),
  ],
  sessionAbsoluteSeconds: [
    sessionSeconds,
    describe(
      `Total lifetime of a session in seconds, ${SESSION_SECONDS_MIN} to ${SESSION_SECONDS_MAX} (default: ${SESSION_ABSOLUTE_SECONDS}). At most what \`session_preset\` allows.`,
      AAL1_ABSOLUTE_SECONDS,
    ),
  ],
  bindingMaxAgeSeconds: [
    integer(BINDING_MAX_AGE_SECONDS_MIN, BINDING_MAX_AGE_SECONDS_MAX),
    describe(
      `Maximum age in seconds of a login that adds or removes a credential, ${BINDING_MAX_AGE_SECONDS_MIN} to ${BINDING_MAX_AGE_SECONDS_MAX} (default: ${BINDING_MAX_AGE_SECONDS}).`,
      BINDING_MAX_AGE_SECONDS,
    ),
  ],
  refreshReuseSeconds: [
    integer(0, REFRESH_REUSE_SECONDS_MAX),
    describe(
      `Seconds during which a public client without DPoP gets the same answer for a refresh token whose successor is unused, 0 to ${REFRESH_REUSE_SECONDS_MAX} (default: ${REFRESH_GRACE_SECONDS}). During this time a thief and the owner can both use it.`,
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
    describe(
      `Hosts whose client ID metadata documents are accepted as clients of the application, \`*\` for any (default: none). Users must consent before such a client gets a token. At most ${DOCUMENT_HOSTS_MAX}.`,
      ['agent.example.com'],
    ),
  ],
  rpId: [
    v.pipe(textUpTo(RP_ID_MAX), v.regex(HOST_NAME, 'must be a host name in lower case')),
    describe(
      `RP ID of the application's passkeys (default: the host of the login pages). A host name in lower case, at most ${RP_ID_MAX} characters; the first passkey fixes it.`,
      'example.com',
    ),
  ],
  origins: [
    list(uri, ORIGINS_MAX),
    describe(
      `Origins at which the application's passkeys are used: \`https\` origins, or \`android:apk-key-hash:<hash>\` of an app in \`android_apps\` (default: the login pages). At most ${ORIGINS_MAX}, and ${RELATED_HOSTS_MAX} hosts outside the RP ID.`,
      ['https://shop.example.com'],
    ),
  ],
  androidApps: [
    { create: list(androidApp.create, APPS_MAX), record: v.array(androidApp.record) },
    describe(
      `Android apps that may use the application's passkeys (default: none). If the application has no \`rp_id\`, /.well-known/assetlinks.json lists the apps. The origins of their certificates are allowed without an entry in \`origins\`. At most ${APPS_MAX}.`,
    ),
  ],
  iosApps: [
    { create: list(iosApp.create, APPS_MAX), record: v.array(iosApp.record) },
    describe(
      `Apps for iOS and other Apple systems that may use the application's passkeys (default: none). If the application has no \`rp_id\`, /.well-known/apple-app-site-association lists the apps. At most ${APPS_MAX}.`,
    ),
  ],
});
const addedUris = describe(
  `Redirect URIs to add to \`redirect_uris\`. URIs that others add at the same time are kept. The application can have at most ${REDIRECT_URIS_MAX}.`,
  ['https://shop.example.com/app/complete'],
);

export const CreateApplicationBody = described(
  application.create,
  sample('name', 'redirect_uris', 'public_signup', 'login_preferences', 'language'),
);
export const UpdateApplicationBody = described(
  v.object({
    ...application.update.entries,
    add_redirect_uris: optionalField(list(uri, REDIRECT_URIS_MAX), addedUris, operatorRole('guarded')),
  }),
  sample('public_signup', 'login_preferences', 'add_redirect_uris'),
);
export const ApplicationRecord = described(
  application.record,
  describe('An application, which users log in to.'),
);
export const ApplicationResponse = toResult(ApplicationRecord);
export const ApplicationIdPath = v.object({ appId: described(id, applicationId) });
export const ApplicationListResponse = toPage(ApplicationRecord);
