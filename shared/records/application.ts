import { brandFields } from './brand.ts';
import { dates, type Fields, flag, number, text } from './field.ts';
import { LANGUAGES } from './languages.ts';
import { loginPreferencesFields } from './login-preferences.ts';

/** Overrides of the default rate limits; see domain/basis/limits.ts. */
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
  /** What limits of SMS to numbers that begin alike would refuse is noted and goes out. */
  smsDryRun: flag,
} as const satisfies Fields;

/** Which notices its users get by mail. */
export const noticesFields = {
  /** A login from a new device. */
  newDevice: { kind: 'flag', default: true },
  /** A first or another email address or phone number. Former addresses are told in any case. */
  contactChanged: { kind: 'flag', default: true },
  /** Passkeys, device keys and social accounts that were added or removed. */
  credentialsChanged: { kind: 'flag', default: true },
  /** Codes that are locked after too many wrong ones. */
  locked: { kind: 'flag', default: true },
} as const satisfies Fields;

/** A name for permissions, `<noun>:<verb>` each. */
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
  /** Where a logout may end (OpenID Connect RP-Initiated Logout 1.0 §3.1). */
  postLogoutRedirectUris: { kind: 'texts', default: [], operators: 'guarded' },
  publicSignup: { kind: 'flag', always: true, default: false, operators: 'guarded' },
  /** Hosted pages make an account for an address without one, unless a request says otherwise. */
  hostedSignUp: { kind: 'flag', always: true, default: true, operators: 'guarded' },
  /** A hosted login ends with the offer of a passkey where the device can hold one. */
  offerPasskeys: { kind: 'flag', always: true, default: true, unguarded: 'presents' },
  /** A login that demands two factors lets a person with one make the other. */
  enrolSecondFactor: { kind: 'flag', default: false, operators: 'guarded' },
  /** A login method that is absent is off. */
  loginPreferences: { kind: 'record', of: loginPreferencesFields, operators: 'guarded' },
  /** What its roles let clients and users do. */
  roles: { kind: 'records', of: roleFields, default: [], operators: 'guarded' },
  /** Resources of the tenant that this application may ask tokens for, beside its own. */
  resourceIds: { kind: 'texts', always: true, default: [], wire: 'resources', operators: 'guarded' },
  rateLimits: { kind: 'record', of: rateLimitsFields, unguarded: 'limits' },
  language: { kind: 'choice', of: LANGUAGES, operators: 'developer', unguarded: 'presents' },
  /** The host of its pages where users type codes of text messages that a backend sent. */
  codeHost: { ...text, operators: 'guarded' },
  brand: { kind: 'record', of: brandFields, operators: 'developer', unguarded: 'presents' },
  /** Where its pages of errors lead: `https`, or `http` on a loopback host. */
  homeUri: { ...text, operators: 'developer', unguarded: 'presents' },
  /** Hosts that an operator has confirmed as the application's: links of its pages may lead there. */
  linkHosts: { kind: 'texts', access: 'read' },
  notices: { kind: 'record', of: noticesFields, default: {}, operators: 'developer', unguarded: 'presents' },
  /** Lets a code that one client of the application sent be authenticated by another. */
  passcodesAcrossClients: { kind: 'flag', default: false, operators: 'guarded' },
  /** Access tokens without a resource name the application as audience too, beside the default. */
  appIdAudience: { kind: 'flag', default: false, operators: 'guarded' },
  /** Its clients may make test users and read their codes, and these may log in; seen where the environment allows it too. */
  testIdentities: { kind: 'flag', default: false, operators: 'guarded' },
  /** What ID tokens of logins at `/oidc/auth` give: what scope and claims ask for, or email and groups unasked. */
  idTokenClaims: {
    kind: 'choice',
    of: ['all', 'requested'],
    always: true,
    default: 'requested',
    operators: 'guarded',
  },
  /** After which time people have to authenticate anew (NIST SP 800-63B-4); the seconds beside it say more exactly. */
  sessionPreset: { kind: 'choice', of: ['aal1', 'aal2'], operators: 'guarded' },
  sessionIdleSeconds: guardedNumber,
  sessionAbsoluteSeconds: guardedNumber,
  /** How old a login may be that binds or removes a credential. */
  bindingMaxAgeSeconds: guardedNumber,
  /** How long a public client may send the refresh token again whose successor is unused. */
  refreshReuseSeconds: guardedNumber,
  /** Hosts whose documents stand for clients of it (draft-ietf-oauth-client-id-metadata-document-02); `*`: any. */
  clientDocumentHosts: { kind: 'texts', default: [], operators: 'guarded' },
  /** The RP ID of its passkeys (WebAuthn L3 §4); absent: the host of the browser origin. */
  rpId: { ...text, operators: 'guarded' },
  /** The RP ID that its first passkey has fixed: it is the application's for good. */
  fixedRpId: { kind: 'text', access: 'none' },
  /** Where passkeys may be used, `android:apk-key-hash:…` included; absent: the browser origin. */
  origins: { kind: 'texts', default: [], operators: 'guarded' },
  ...dates,
} as const satisfies Fields;
