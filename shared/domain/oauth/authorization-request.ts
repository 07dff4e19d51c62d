import { catalogue } from '../../errors/catalogue.ts';
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, ResourceScope } from '../../ports/directory.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import type { GenerationBound } from '../../ports/trust.ts';
import type { AddressItem } from '../../records/channels.ts';
import { toProviderName } from '../../records/providers.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { requireRedirectUri, requireShortState } from '../basis/redirect-uri.ts';
import { isServiceScope, SCOPES } from '../claims/scope-claims.ts';
import { readClaimsParameter } from './authorization-claims.ts';
import { isDocumentClient } from './client-document.ts';
import { readCodeChallenge } from './pkce.ts';

/** Unvalidated parameters of a form or query. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>;

/** Removes parameters without a value, which must be treated as omitted (RFC 6749 §3.1). */
export function withoutEmpty<Parameters extends AuthorizationParameters>(parameters: Parameters): Parameters {
  const sent = Object.entries(parameters).filter(([, value]) => value !== '');
  return Object.fromEntries(sent) as Parameters;
}

/** Scope as the consent page shows it. Scopes of the service have no `sentence`, because the page provides their texts. */
export type RequestedScope = Pick<ResourceScope, 'name' | 'sentence' | 'acr'>;

/** Consent for which a login page must ask the user. */
export interface ConsentRequest {
  /** Hash that identifies the consent: see `Consent.key`. */
  readonly key: string;
  readonly scopes: readonly RequestedScope[];
  /** True if the client wants a refresh token. */
  readonly offline: boolean;
  /**
   * True if the user must consent at every login, because the redirect URI opens an app on the device, and another app could
   * claim the same URI (RFC 8252 §8.6).
   */
  readonly isAlways: boolean;
}

/** Validated authorization request (RFC 6749 §4.1.1, OIDC Core §3.1.2.1). It is plain JSON, because pending logins store it. */
export interface AuthorizationRequest {
  /**
   * Source of the request: `oidc` is the authorization endpoint, `browser` a redirect operation (SPEC B), which sends no `iss`.
   */
  readonly origin: 'oidc' | 'browser';
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseMode: 'query' | 'form_post';
  readonly state?: string;
  readonly nonce?: string;
  readonly scope: string;
  readonly offlineAccess: boolean;
  readonly prompts: readonly string[];
  /** Maximum age, in seconds, of the login that the request accepts (`max_age`). */
  readonly maxAge?: number;
  readonly resources: readonly string[];
  /** Consent that the user must give if the client is identified by a metadata document. */
  readonly consent?: ConsentRequest;
  /** ID of the earlier consent under which the code is issued. */
  readonly consentId?: string;
  readonly claims?: string;
  readonly requireMfa: boolean;
  /** True if users who have a second factor must use it. Unlike `requireMfa`, other users may log in without one. */
  readonly preferMfa?: true;
  readonly requirePhone: boolean;
  /** Login methods in the order of preference: names of providers, and `centralized` for the login page. */
  readonly ways?: readonly string[];
  /** True if the login page offers passkeys first, and offers to create one after a login by another method. */
  readonly passkeyFirst?: true;
  readonly createNewUser: boolean;
  readonly loginHint?: string;
  readonly customMessage?: string;
  readonly uiLocales?: string;
  readonly organizationId?: string;
  readonly codeChallenge?: string;
  readonly provenClient?: true;
  readonly dpopJkt?: string;
  readonly approvalData?: ApprovalData;
  /** Data for registering a passkey instead of logging in. The user's names in it come from the client. */
  readonly enrolment?: {
    readonly userName: string;
    readonly displayName?: string;
    readonly externalUserId?: string;
    /** User who is created together with the passkey. */
    readonly newUser?: { readonly externalUserId: string; readonly email?: string };
  };
  /** User whom `id_token_hint` names. No other user may log in. */
  readonly expectedUserId?: string;
  /** Requirements of a login that opens the account page. Such a login returns no code to the client. */
  readonly account?: AccountNeeds;
  /**
   * Credential change to undo, instead of logging in. The undo requires an earlier factor in addition to the link in the
   * notice.
   */
  readonly undo?: UndoRequest;
}

/** Undo of a credential change, started from the link in a notice. */
export interface UndoRequest extends GenerationBound {
  readonly userId: string;
  readonly changeId: string;
  readonly kind: 'address' | 'change';
  /** Secret of the undo link. When the login completes, the secret is used to find the change again. */
  readonly link: string;
}

/** Requirements of a login that leads to the account page. */
export interface AccountNeeds {
  /** Required login: a session, a recent proof, or the proofs that adding and removing a credential requires. */
  readonly login: 'session' | 'fresh' | 'binding';
  /** Credential that the user adds after the login. */
  readonly adds?: 'passkey' | AddressItem | ProviderName;
}

/** Supported values of `prompt`. `create` is defined in OpenID "Initiating User Registration" 1.0. */
const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'];
const JKT = /^[A-Za-z0-9_-]{43}$/;
const DIGITS = /^\d{1,9}$/;

/** Values that JavaScript clients send for an absent parameter. */
const ABSENT: readonly (string | undefined)[] = ['', 'undefined', 'null'];

/** Returns the value of a parameter, or undefined if it is empty or the literal text `undefined` or `null`. */
export function readParameter(value: string | undefined): string | undefined {
  return ABSENT.includes(value) ? undefined : value;
}

export function splitWords(value: string | undefined): readonly string[] {
  return [...new Set((value ?? '').split(' ').filter((word) => word !== ''))];
}

/** Reads a boolean parameter. Errors: `system_invalid_input`. */
export function readFlag(
  parameters: AuthorizationParameters,
  name: 'create_new_user' | 'require_mfa' | 'createNewUser',
  otherwise: boolean,
): boolean {
  const value = readParameter(parameters[name]);
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false') throw invalidInput(`${name}: must be true or false`);
  return value === 'true';
}

/**
 * Validates the redirect URI and the length of `state`. Must run before all other checks: without a valid redirect URI, errors
 * are shown to the user directly (RFC 6749 §4.1.2.1). Errors: `system_invalid_input`, `redirect_uri_not_allowed`.
 */
export function readRedirectUri(application: Application, parameters: AuthorizationParameters): string {
  const { redirect_uri: redirectUri } = parameters;
  if (redirectUri === undefined) throw invalidInput('redirect_uri: is required');
  requireShortState(parameters.state);
  return requireRedirectUri(application, redirectUri);
}

/**
 * Returns true if a request is plain OAuth without OpenID: it requests tokens for a resource, by the resource's URI or one of
 * its scopes. Pushed requests must include `openid` (SPEC F), except pushed requests of FAPI clients.
 */
function isOAuthOnly(parameters: AuthorizationParameters, client: Client): boolean {
  const { profile } = client;
  const requested = splitWords(parameters.scope);
  const namesResource = readParameter(parameters.resource) !== undefined;
  if (parameters[PROVEN_CLIENT] === 'true')
    return profile === 'fapi2' && namesResource && requested.length > 0;
  return namesResource || isDocumentClient(client) || requested.some((name) => !isServiceScope(name));
}

export const openIdRequired = () =>
  invalidInput(`scope: must include openid; known are ${SCOPES.join(', ')}`);

function readScope(parameters: AuthorizationParameters, prompts: readonly string[], client: Client) {
  const requested = splitWords(parameters.scope);
  if (!requested.includes('openid') && !isOAuthOnly(parameters, client)) throw openIdRequired();
  // OIDC Core §11 also allows refresh tokens without consent under other conditions. Registration with this service is such a
  // condition. If `offline_access` is dropped, the scope in the token response shows it.
  const allowed = prompts.includes('consent') || !client.offlineAccessNeedsConsent;
  const offlineAccess = requested.includes('offline_access') && allowed;
  const scopes = SCOPES.filter(
    (name) => requested.includes(name) && (name !== 'offline_access' || offlineAccess),
  );
  return { scope: scopes.join(' '), offlineAccess };
}

export function readPrompts(value: string | undefined): readonly string[] {
  const prompts = splitWords(value).filter((prompt) => PROMPTS.includes(prompt));
  if (prompts.includes('none') && prompts.length > 1)
    throw invalidInput('prompt: none cannot be combined with other values');
  return prompts;
}

/**
 * Returns true if an unknown user may sign up. The request takes precedence over the setting of the application. Rejects a
 * request for sign-up if sign-up is not possible. Errors: `access_denied`.
 */
function readSignUp(
  parameters: AuthorizationParameters,
  prompts: readonly string[],
  { publicSignup, hostedSignUp }: Application,
): boolean {
  // A new user is not a member of any organization yet.
  const isOffered = publicSignup && hostedSignUp && readParameter(parameters.org_id) === undefined;
  const otherwise = isOffered || prompts.includes('create');
  const createNewUser = readFlag(parameters, 'createNewUser', otherwise);
  if (createNewUser && !publicSignup)
    throw new ServiceError('access_denied', { message: catalogue.public_signup_off.message });
  return createNewUser;
}

export function readMaxAge(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!DIGITS.test(value)) throw invalidInput('max_age: must be a number of seconds');
  return Number(value);
}

/**
 * Reads `acr_values`. A setting of the client says whether the values are requirements or preferences. A login does not fail if
 * a preference is not met (OIDC Core §15.1, §5.5.1.1). A phone number can only be required, not preferred.
 */
function readAcrValues(value: string | undefined, vendor: string, { acrValues }: Client) {
  const acr = splitWords(value);
  const way = new RegExp(`^urn:${vendor}:(?:(centralized)|([a-z0-9-]+)_direct)$`);
  const ways = acr.flatMap((one) => {
    const [, page, provider = ''] = way.exec(one) ?? [];
    return [page ?? toProviderName(provider)].filter((each) => each !== undefined);
  });
  const isMfa = acr.includes('mfa');
  if (acrValues === 'prefer')
    return { requireMfa: false, preferMfa: isMfa || undefined, requirePhone: false, ways };
  return { requireMfa: isMfa, requirePhone: acr.includes('phone_number'), ways };
}

function readResponse(parameters: AuthorizationParameters): 'query' | 'form_post' {
  if (parameters.request !== undefined) throw new ServiceError('request_not_supported');
  if (parameters.response_type === undefined) throw invalidInput('response_type: is required');
  if (parameters.response_type !== 'code') throw new ServiceError('unsupported_response_type');
  const mode = readParameter(parameters.response_mode) ?? 'query';
  if (mode !== 'query' && mode !== 'form_post')
    throw invalidInput('response_mode: must be query or form_post');
  return mode;
}

/**
 * Parameter that marks a request as pushed by an authenticated client. HTTP requests cannot set it, because unknown form fields
 * are dropped.
 */
export const PROVEN_CLIENT = 'proven_client';

/**
 * Rejects approval data that was not pushed by an authenticated client. Approval data appears in emails and signed tokens, so
 * an attacker could otherwise send any text in our name to any address. Errors: `system_invalid_input`.
 */
export function requirePushedApproval(parameters: AuthorizationParameters, approvalData: unknown): void {
  if (approvalData !== undefined && parameters[PROVEN_CLIENT] !== 'true')
    throw invalidInput('claims: approval_data requires a pushed request of an authenticated client');
}

/** Rejects an unpushed request if its client must push every request (RFC 9126 §6). Errors: `system_invalid_input`. */
export function requirePushed({ requirePushedRequests }: Client, requestUri: string | undefined): void {
  if (requirePushedRequests && requestUri === undefined)
    throw invalidInput('request_uri: is required for this client');
}

/**
 * Validates the authorization request of a known client. The rules are the same for the authorization endpoint and for pushed
 * requests (RFC 9126 §2.1). Errors: `system_invalid_input`, `unsupported_response_type`, `request_not_supported`,
 * `access_denied`.
 */
export function readAuthorizationRequest(
  parameters: AuthorizationParameters,
  { client, application }: { readonly client: Client; readonly application: Application },
  settings: { readonly vendor: string },
): AuthorizationRequest {
  const redirectUri = readRedirectUri(application, parameters);
  const responseMode = readResponse(parameters);
  const prompts = readPrompts(parameters.prompt);
  const { claims, approvalData, essentialMfa } = readClaimsParameter(readParameter(parameters.claims));
  requirePushedApproval(parameters, approvalData);
  const acr = readAcrValues(parameters.acr_values, settings.vendor, client);
  const dpopJkt = readParameter(parameters.dpop_jkt);
  if (dpopJkt !== undefined && !JKT.test(dpopJkt))
    throw invalidInput('dpop_jkt: must be a SHA-256 thumbprint');
  const publicClient = client.authMethod === 'none';
  return omitUndefined<AuthorizationRequest>({
    origin: 'oidc',
    clientId: client.clientId,
    redirectUri,
    responseMode,
    state: parameters.state,
    nonce: parameters.nonce,
    ...readScope(parameters, prompts, client),
    prompts,
    maxAge: readMaxAge(readParameter(parameters.max_age)),
    resources: [readParameter(parameters.resource) ?? []].flat(),
    claims,
    requireMfa: acr.requireMfa || essentialMfa === true,
    preferMfa: acr.preferMfa,
    requirePhone: acr.requirePhone,
    ways: acr.ways.length > 0 ? acr.ways : undefined,
    createNewUser: readSignUp(parameters, prompts, application),
    loginHint: readParameter(parameters.login_hint),
    customMessage: readParameter(parameters.custom_message),
    uiLocales: readParameter(parameters.ui_locales),
    organizationId: readParameter(parameters.org_id),
    codeChallenge: readCodeChallenge(
      parameters.code_challenge,
      parameters.code_challenge_method,
      publicClient || client.requirePkce === true,
    ),
    provenClient: parameters[PROVEN_CLIENT] === 'true' || undefined,
    dpopJkt,
    approvalData,
  });
}
