import { brandFields } from './brand.ts';
import { dates, type Fields, flag, number, text } from './field.ts';
import { LANGUAGES } from './languages.ts';
import { loginPreferencesFields } from './login-preferences.ts';
import { openIdProviderFields } from './providers.ts';

/** Rate limits that an application sets instead of the defaults in domain/basis/limits.ts. */
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
  /** True if SMS that exceed a limit per number range are sent all the same, and are only logged. */
  smsDryRun: flag,
} as const satisfies Fields;

/** Notices that an application's users receive by mail. A notice is off if its field is false. */
export const noticesFields = {
  /** Notice after a login from a new device. */
  newDevice: { kind: 'flag', default: true },
  /** Notice when an email address or phone number is added or replaced. The previous address is always notified. */
  contactChanged: { kind: 'flag', default: true },
  /** Notice when a passkey, device key or social account is added or removed. */
  credentialsChanged: { kind: 'flag', default: true },
  /** Notice when codes are locked after too many wrong attempts. */
  locked: { kind: 'flag', default: true },
} as const satisfies Fields;

/** Role of an application: a name for a list of permissions. Each permission has the form `<noun>:<verb>`. */
export const roleFields = {
  name: { kind: 'text', always: true },
  permissions: { kind: 'texts', always: true },
} as const satisfies Fields;

/**
 * Android app of an application. The fields are named as in Google's statement list
 * (developers.google.com/digital-asset-links).
 */
export const androidAppFields = {
  packageName: { kind: 'text', always: true },
  /** SHA-256 fingerprints of the certificates that sign the app. */
  sha256CertFingerprints: { kind: 'texts', always: true },
} as const satisfies Fields;

/** App of an application for Apple's systems, such as iOS. */
export const iosAppFields = {
  /** Prefix of the app ID. For all apps since 2011, it is the team ID. */
  teamId: { kind: 'text', always: true },
  bundleId: { kind: 'text', always: true },
} as const satisfies Fields;

const guardedNumber = { ...number, operators: 'guarded' } as const;

export const applicationFields = {
  applicationId: { kind: 'text', always: true, access: 'read', wire: 'app_id' },
  tenantId: { kind: 'text', always: true, access: 'read' },
  name: { kind: 'text', always: true, operators: 'developer', unguarded: 'presents' },
  redirectUris: { kind: 'texts', always: true, default: [], operators: 'guarded' },
  /** URIs to which a logout may redirect (OpenID Connect RP-Initiated Logout 1.0 §3.1). */
  postLogoutRedirectUris: { kind: 'texts', default: [], operators: 'guarded' },
  publicSignup: { kind: 'flag', always: true, default: false, operators: 'guarded' },
  /** True if hosted pages create an account when an unknown address is entered. A request can override this setting. */
  hostedSignUp: { kind: 'flag', always: true, default: true, operators: 'guarded' },
  /** True if hosted logins end with the offer to create a passkey, on devices that support passkeys. */
  offerPasskeys: { kind: 'flag', always: true, default: true, unguarded: 'presents' },
  /** True if a user with only one factor may create a second factor in a login that requires two factors. */
  enrolSecondFactor: { kind: 'flag', default: false, operators: 'guarded' },
  /** Login methods of the application, with their settings. A method without an entry is turned off. */
  loginPreferences: { kind: 'record', of: loginPreferencesFields, operators: 'guarded' },
  /** OpenID providers that the application offers in addition to the built-in providers, in the order of their buttons. */
  openidProviders: { kind: 'records', of: openIdProviderFields, default: [], operators: 'guarded' },
  /** Roles of the application, with the permissions that they give to clients and users. */
  roles: { kind: 'records', of: roleFields, default: [], operators: 'guarded' },
  /** IDs of the tenant's resources for which this application may request tokens, in addition to its own resources. */
  resourceIds: { kind: 'texts', always: true, default: [], wire: 'resources', operators: 'guarded' },
  rateLimits: { kind: 'record', of: rateLimitsFields, unguarded: 'limits' },
  language: { kind: 'choice', of: LANGUAGES, operators: 'developer', unguarded: 'presents' },
  /** Host of the application's pages on which users type codes from SMS that its backend sent. */
  codeHost: { ...text, operators: 'guarded' },
  brand: { kind: 'record', of: brandFields, operators: 'developer', unguarded: 'presents' },
  /** URL to which the application's error pages link. The scheme is `https`, or `http` for a loopback host. */
  homeUri: { ...text, operators: 'developer', unguarded: 'presents' },
  /** Hosts to which links on the hosted pages may point. An operator has confirmed that they belong to the application. */
  linkHosts: { kind: 'texts', access: 'read' },
  notices: { kind: 'record', of: noticesFields, default: {}, operators: 'developer', unguarded: 'presents' },
  /** True if clients of the application may log users in with codes that other clients of the application have sent. */
  passcodesAcrossClients: { kind: 'flag', default: false, operators: 'guarded' },
  /** True if access tokens without a resource have the application ID as an audience, in addition to the default audience. */
  appIdAudience: { kind: 'flag', default: false, operators: 'guarded' },
  /** True if the application's clients may create test users and read their codes. The environment must also allow this. */
  testIdentities: { kind: 'flag', default: false, operators: 'guarded' },
  /** Claims in ID tokens from `/oidc/auth`: only those that `scope` and `claims` request, or also email and groups. */
  idTokenClaims: {
    kind: 'choice',
    of: ['all', 'requested'],
    always: true,
    default: 'requested',
    operators: 'guarded',
  },
  /** Preset for the time after which users must log in again (NIST SP 800-63B-4). The settings in seconds override it. */
  sessionPreset: { kind: 'choice', of: ['aal1', 'aal2'], operators: 'guarded' },
  sessionIdleSeconds: guardedNumber,
  sessionAbsoluteSeconds: guardedNumber,
  /** Maximum age in seconds of a login with which a user may add or remove a credential. */
  bindingMaxAgeSeconds: guardedNumber,
  /** Seconds for which a public client may repeat a refresh request, as long as it has not used the new refresh token. */
  refreshReuseSeconds: guardedNumber,
  /**
   * Hosts from which client metadata documents are accepted (draft-ietf-oauth-client-id-metadata-document-02). `*` allows any
   * host.
   */
  clientDocumentHosts: { kind: 'texts', default: [], operators: 'guarded' },
  /** RP ID of the application's passkeys (WebAuthn L3 §4). Undefined means the host of the browser origin. */
  rpId: { ...text, operators: 'guarded' },
  /** RP ID that has been permanent since the application's first passkey was registered. */
  fixedRpId: { kind: 'text', access: 'none' },
  /**
   * Origins at which passkeys may be used, including `android:apk-key-hash:…`. If empty, only the browser origin is allowed.
   */
  origins: { kind: 'texts', default: [], operators: 'guarded' },
  /** Android apps that may use the application's passkeys. The origins of these apps need no entry in `origins`. */
  androidApps: { kind: 'records', of: androidAppFields, default: [], operators: 'guarded' },
  /** Apps on Apple's systems that may use the application's passkeys. Their origin is the host of the RP ID. */
  iosApps: { kind: 'records', of: iosAppFields, default: [], operators: 'guarded' },
  ...dates,
} as const satisfies Fields;
