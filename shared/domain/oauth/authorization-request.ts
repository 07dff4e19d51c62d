import { catalogue } from '../../errors/catalogue.ts';
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Application, Client, ResourceScope } from '../../ports/directory.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import type { Begun } from '../../ports/trust.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { checkState, requireRedirectUri } from '../basis/redirect-uri.ts';
import { isServiceScope, SCOPES } from '../claims/scope-claims.ts';
import { readClaimsParameter } from './authorization-claims.ts';
import { isByDocument } from './client-document.ts';
import { readCodeChallenge } from './pkce.ts';

/** Raw parameters of a form or query. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>;

/** RFC 6749 §3.1: a parameter without a value counts as omitted. */
export function withoutEmpty<Parameters extends AuthorizationParameters>(parameters: Parameters): Parameters {
  const sent = Object.entries(parameters).filter(([, value]) => value !== '');
  return Object.fromEntries(sent) as Parameters;
}

/** A scope as the page shows it. Those of this service have no sentence: the page has one. */
export type AskedScope = Pick<ResourceScope, 'name' | 'sentence' | 'acr'>;

/** What the page of a login asks for. */
export interface ConsentRequest {
  /** The key of its consent. */
  readonly key: string;
  readonly scopes: readonly AskedScope[];
  /** The client wants a refresh token. */
  readonly offline: boolean;
  /** It leads to a program on the device, which may be another one than before: a click each time (RFC 8252 §8.6). */
  readonly isAlways: boolean;
}

/** A validated authorization request (RFC 6749 §4.1.1, OIDC Core §3.1.2.1). Plain JSON: logins store it. */
export interface AuthorizationRequest {
  /** The authorization endpoint, or a redirect operation of section B, whose answers have no `iss`. */
  readonly origin: 'oidc' | 'browser';
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseMode: 'query' | 'form_post';
  readonly state?: string;
  readonly nonce?: string;
  readonly scope: string;
  readonly offlineAccess: boolean;
  readonly prompts: readonly string[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly resources: readonly string[];
  /** Of a client by document: what the person is asked. */
  readonly consent?: ConsentRequest;
  /** What they have answered before, and the code rests on. */
  readonly consentId?: string;
  readonly claims?: string;
  readonly requireMfa: boolean;
  /** Like `requireMfa` for users who have a second factor. */
  readonly preferMfa?: true;
  readonly requirePhone: boolean;
  /** Names of providers, and `centralized` for the login page, the preferred one first. */
  readonly ways?: readonly string[];
  /** The page begins with passkeys; after another login it offers one. */
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
  /** No login: a client sends its user to register a passkey. The names are the client's. */
  readonly enrolment?: {
    readonly userName: string;
    readonly displayName?: string;
    readonly externalUserId?: string;
    /** The user that is made with the passkey. */
    readonly newUser?: { readonly externalUserId: string; readonly email?: string };
  };
  /** Of `id_token_hint`: no other user may log in. */
  readonly expectedUserId?: string;
  /** No login for the client: it leads to the account page, without a code. */
  readonly account?: AccountNeeds;
  /** No login: another kind of before the change, which undoes it beside the link of its notice. */
  readonly undo?: UndoRequest;
}

export interface UndoRequest extends Begun {
  readonly userId: string;
  readonly changeId: string;
  readonly kind: 'address' | 'change';
  /** The secret of the link: whoever ends the login looks for it again. */
  readonly link: string;
}

/** What a login on the way to the account page has to bring. */
export interface AccountNeeds {
  /** A session, a proof of the last minutes, or what binding and removing take. */
  readonly login: 'session' | 'fresh' | 'binding';
  /** What the person adds at the end of it. */
  readonly adds?: 'passkey' | 'email' | 'phone' | ProviderName;
}

/** `create`: OpenID Initiating User Registration 1.0. */
const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'];
const JKT = /^[A-Za-z0-9_-]{43}$/;
const DIGITS = /^\d{1,9}$/;

/** Texts that clients in JavaScript send for a value that they do not have. */
const ABSENT: readonly (string | undefined)[] = ['', 'undefined', 'null'];

/** Returns the value of a parameter, or undefined if it is empty or the literal text `undefined` or `null`. */
export function given(value: string | undefined): string | undefined {
  return ABSENT.includes(value) ? undefined : value;
}

export function words(value: string | undefined): readonly string[] {
  return [...new Set((value ?? '').split(' ').filter((word) => word !== ''))];
}

/** A boolean as text. Errors: `system_invalid_input`. */
export function readFlag(
  parameters: AuthorizationParameters,
  name: 'create_new_user' | 'require_mfa' | 'createNewUser',
  otherwise: boolean,
): boolean {
  const value = given(parameters[name]);
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false') throw invalidInput(`${name}: must be true or false`);
  return value === 'true';
}

/**
 * The redirect URI; checks that the state fits. Comes before all other checks: without a valid redirect URI errors are shown
 * directly (RFC 6749 §4.1.2.1). Errors: `system_invalid_input`, `redirect_uri_not_allowed`.
 */
export function readRedirectUri(application: Application, parameters: AuthorizationParameters): string {
  const { redirect_uri: redirectUri } = parameters;
  if (redirectUri === undefined) throw invalidInput('redirect_uri: is required');
  checkState(parameters.state);
  return requireRedirectUri(application, redirectUri);
}

/**
 * OAuth without OpenID: tokens for a resource, which the request names, or a scope of one. What is pushed demands `openid`
 * (SPEC F), but for FAPI clients.
 */
function isOAuthAlone(parameters: AuthorizationParameters, client: Client): boolean {
  const { profile } = client;
  const asked = words(parameters.scope);
  const namesResource = given(parameters.resource) !== undefined;
  if (parameters[PROVEN_CLIENT] === 'true') return profile === 'fapi2' && namesResource && asked.length > 0;
  return namesResource || isByDocument(client) || asked.some((name) => !isServiceScope(name));
}

export const needsOpenId = () => invalidInput(`scope: must include openid; known are ${SCOPES.join(', ')}`);

function readScope(parameters: AuthorizationParameters, prompts: readonly string[], client: Client) {
  const asked = words(parameters.scope);
  if (!asked.includes('openid') && !isOAuthAlone(parameters, client)) throw needsOpenId();
  // OIDC Core §11 lets other conditions than consent give it: a client registered here is one. Where it is dropped, the scope of the
  // token answer says so.
  const allowed = prompts.includes('consent') || !client.offlineAccessNeedsConsent;
  const offlineAccess = asked.includes('offline_access') && allowed;
  const scopes = SCOPES.filter(
    (name) => asked.includes(name) && (name !== 'offline_access' || offlineAccess),
  );
  return { scope: scopes.join(' '), offlineAccess };
}

export function readPrompts(value: string | undefined): readonly string[] {
  const prompts = words(value).filter((prompt) => PROMPTS.includes(prompt));
  if (prompts.includes('none') && prompts.length > 1) throw invalidInput('prompt: none stands alone');
  return prompts;
}

/**
 * Whether an unknown person signs up: as the request says, else as the application has it. A sign-up that is asked for has to
 * be possible. Errors: `access_denied`.
 */
function readSignUp(
  parameters: AuthorizationParameters,
  prompts: readonly string[],
  { publicSignup, hostedSignUp }: Application,
): boolean {
  // A new user is a member of no organization.
  const isOffered = publicSignup && hostedSignUp && given(parameters.org_id) === undefined;
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

/** OIDC Core §15.1, §5.5.1.1: what is preferred fails no login. A number can only be demanded. */
function readAcrValues(value: string | undefined, vendor: string, { acrValues }: Client) {
  const acr = words(value);
  const way = new RegExp(`^urn:${vendor}:(?:(centralized)|([a-z]+)_direct)$`);
  const ways = acr.flatMap((one) => way.exec(one)?.slice(1).filter(Boolean) ?? []);
  const isMfa = acr.includes('mfa');
  if (acrValues === 'prefer')
    return { requireMfa: false, preferMfa: isMfa || undefined, requirePhone: false, ways };
  return { requireMfa: isMfa, requirePhone: acr.includes('phone_number'), ways };
}

function readResponse(parameters: AuthorizationParameters): 'query' | 'form_post' {
  if (parameters.request !== undefined) throw new ServiceError('request_not_supported');
  if (parameters.response_type === undefined) throw invalidInput('response_type: is required');
  if (parameters.response_type !== 'code') throw new ServiceError('unsupported_response_type');
  const mode = given(parameters.response_mode) ?? 'query';
  if (mode !== 'query' && mode !== 'form_post')
    throw invalidInput('response_mode: must be query or form_post');
  return mode;
}

/**
 * Marks the parameters of a request that an authenticated client pushed. No form or query can set it: unknown fields are
 * dropped.
 */
export const PROVEN_CLIENT = 'proven_client';

/**
 * Approval data goes into mails and signed tokens. From a query it would let an attacker mail any text under our name to any
 * address. Errors: `system_invalid_input`.
 */
export function requirePushedApproval(parameters: AuthorizationParameters, approvalData: unknown): void {
  if (approvalData !== undefined && parameters[PROVEN_CLIENT] !== 'true')
    throw invalidInput('claims: approval_data needs a request that its client has pushed and proven');
}

/** RFC 9126 §6: some clients must push every request. Errors: `system_invalid_input`. */
export function requirePushed({ requirePushedRequests }: Client, requestUri: string | undefined): void {
  if (requirePushedRequests && requestUri === undefined)
    throw invalidInput('request_uri: is required for this client');
}

/**
 * Reads an authorization request after its client is known; alike at the authorization endpoint and when pushed (RFC 9126
 * §2.1).
 * Errors: `system_invalid_input`, `unsupported_response_type`, `request_not_supported`, `access_denied`.
 */
export function readAuthorizationRequest(
  parameters: AuthorizationParameters,
  { client, application }: { readonly client: Client; readonly application: Application },
  settings: { readonly vendor: string },
): AuthorizationRequest {
  const redirectUri = readRedirectUri(application, parameters);
  const responseMode = readResponse(parameters);
  const prompts = readPrompts(parameters.prompt);
  const { claims, approvalData, essentialMfa } = readClaimsParameter(given(parameters.claims));
  requirePushedApproval(parameters, approvalData);
  const acr = readAcrValues(parameters.acr_values, settings.vendor, client);
  const dpopJkt = given(parameters.dpop_jkt);
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
    maxAge: readMaxAge(given(parameters.max_age)),
    resources: [given(parameters.resource) ?? []].flat(),
    claims,
    requireMfa: acr.requireMfa || essentialMfa === true,
    preferMfa: acr.preferMfa,
    requirePhone: acr.requirePhone,
    ways: acr.ways.length > 0 ? acr.ways : undefined,
    createNewUser: readSignUp(parameters, prompts, application),
    loginHint: given(parameters.login_hint),
    customMessage: given(parameters.custom_message),
    uiLocales: given(parameters.ui_locales),
    organizationId: given(parameters.org_id),
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
