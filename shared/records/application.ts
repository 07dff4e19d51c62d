import { brandFields } from './brand.ts';
import { dates, type Fields, flag, number, text } from './field.ts';
import { LANGUAGES } from './languages.ts';
import { loginPreferencesFields } from './login-preferences.ts';

/** Overrides of the default rate limits of an application; see domain/basis/limits.ts. */
export const rateLimitsFields = {
  sendsPerMinute: number,
  sendsPerDay: number,
  callsPerMinute: number,
  anonymousPerMinute: number,
  anonymousPerDay: number,
  anonymousSignUpsPerMinute: number,
  smsPerPrefixPerHour: number,
  smsPerPrefixPerDay: number,
  smsUnverifiedPerPrefix: number,
  /** True to log, but still send, SMS that the limits per number range would refuse. */
  smsDryRun: flag,
} as const satisfies Fields;

/** Notices that an application's users get by mail. */
export const noticesFields = {
  /** Sent after a login from a new device. */
  newDevice: { kind: 'flag', default: true },
  /** Sent when an email address or phone number is added or replaced. Former addresses are always notified. */
  contactChanged: { kind: 'flag', default: true },
  /** Sent when a passkey, device key or social account is added or removed. */
  credentialsChanged: { kind: 'flag', default: true },
  /** Sent when codes are locked after too many wrong ones. */
  locked: { kind: 'flag', default: true },
} as const satisfies Fields;

/** Role of an application: a name for a list of permissions, each `<noun>:<verb>`. */
export const roleFields = {
  name: { kind: 'text', always: true },
  permissions: { kind: 'texts', always: true },
} as const satisfies Fields;

const guardedNumber = { ...number, operators: 'guarded' } as const;

export const applicationFields = {
  applicationId: { kind: 'text', always: true, access: 'read', wire: 'app_id' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true, operators: 'developer', unguarded: 'presents' },
  redirectUris: { kind: 'texts', always: true, default: [], operators: 'guarded' },
  /** Allowed URIs to which a logout may redirect (OpenID Connect RP-Initiated Logout 1.0 §3.1). */
  postLogoutRedirectUris: { kind: 'texts', default: [], operators: 'guarded' },
  publicSignup: { kind: 'flag', always: true, default: false, operators: 'guarded' },
  /** True if hosted pages create an account for an unknown address, unless a request says otherwise. */
  hostedSignUp: { kind: 'flag', always: true, default: true, operators: 'guarded' },
  /** True if a hosted login ends with the offer of a passkey, where the device supports it. */
  offerPasskeys: { kind: 'flag', always: true, default: true, unguarded: 'presents' },
  /** True if a login that requires two factors lets a user with one factor enrol another. */
  enrolSecondFactor: { kind: 'flag', default: false, operators: 'guarded' },
  /** Configured login methods. A method that is absent is off. */
  loginPreferences: { kind: 'record', of: loginPreferencesFields, operators: 'guarded' },
  /** Roles of the application, with the permissions that they give to clients and users. */
  roles: { kind: 'records', of: roleFields, default: [], operators: 'guarded' },
  /** IDs of the tenant's resources that this application may request tokens for, in addition to its own. */
  resourceIds: { kind: 'texts', always: true, default: [], wire: 'resources', operators: 'guarded' },
  rateLimits: { kind: 'record', of: rateLimitsFields, unguarded: 'limits' },
  language: { kind: 'choice', of: LANGUAGES, operators: 'developer', unguarded: 'presents' },
  /** Host of the application's pages on which users type codes from SMS that a backend sent. */
  codeHost: { ...text, operators: 'guarded' },
  brand: { kind: 'record', of: brandFields, operators: 'developer', unguarded: 'presents' },
  /** URL that the application's error pages link to: `https`, or `http` on a loopback host. */
  homeUri: { ...text, operators: 'developer', unguarded: 'presents' },
  /** Hosts that an operator has confirmed as the application's. Links on its pages may point to them. */
  linkHosts: { kind: 'texts', access: 'read' },
  notices: { kind: 'record', of: noticesFields, default: {}, operators: 'developer', unguarded: 'presents' },
  /** True if one client of the application may authenticate with a code that another one sent. */
  passcodesAcrossClients: { kind: 'flag', default: false, operators: 'guarded' },
  /** True if access tokens without a resource also have the application ID as audience, in addition to the default. */
  appIdAudience: { kind: 'flag', default: false, operators: 'guarded' },
  /** True if the application's clients may create test users and read their codes. The environment must allow it, too. */
  testIdentities: { kind: 'flag', default: false, operators: 'guarded' },
  /** Claims of ID tokens from `/oidc/auth`: only those that scope and claims ask for, or also email and groups. */
  idTokenClaims: {
    kind: 'choice',
    of: ['all', 'requested'],
    always: true,
    default: 'requested',
    operators: 'guarded',
  },
  /** Preset for the time after which users must authenticate again (NIST SP 800-63B-4). The values in seconds override it. */
  sessionPreset: { kind: 'choice', of: ['aal1', 'aal2'], operators: 'guarded' },
  sessionIdleSeconds: guardedNumber,
  sessionAbsoluteSeconds: guardedNumber,
  /** Maximum age in seconds of a login that adds or removes a credential. */
  bindingMaxAgeSeconds: guardedNumber,
  /** Seconds during which a public client may send a refresh token again if its successor is unused. */
  refreshReuseSeconds: guardedNumber,
  /** Hosts whose metadata documents are accepted as clients (draft-ietf-oauth-client-id-metadata-document-02); `*`: any. */
  clientDocumentHosts: { kind: 'texts', default: [], operators: 'guarded' },
  /** RP ID of the application's passkeys (WebAuthn L3 §4). Absent: the host of the browser origin. */
  rpId: { ...text, operators: 'guarded' },
  /** RP ID that the application's first passkey has fixed permanently. */
  fixedRpId: { kind: 'text', access: 'none' },
  /** Origins at which passkeys may be used, including `android:apk-key-hash:…`. Absent: the browser origin. */
  origins: { kind: 'texts', default: [], operators: 'guarded' },
  ...dates,
} as const satisfies Fields;
