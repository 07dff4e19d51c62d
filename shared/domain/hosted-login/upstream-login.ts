import { ServiceError } from '../../errors/service-error.ts';
import type { UpstreamLogin } from '../../ports/authorization.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Using } from '../../ports/uses.ts';
import type { Browser } from '../basis/browser.ts';
import { UPSTREAM_LOGIN_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { nowSeconds } from '../basis/time.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { requireOwner } from './login-owner.ts';
import { callbackPath } from './provider.ts';

/** A browser on its way to a social provider and back, bound to this browser, this provider and this one answer. */

const REQUEST = 'upstream-request';
const ANSWER = 'upstream-answer';

/** What the way was for: a login of section B, or one of the hosted pages. */
export type UpstreamPurpose =
  | { readonly login: 'redirect'; readonly request: AuthorizationRequest }
  /** `direct`: nobody has seen a page of ours, so nobody is shown one when it fails. */
  | { readonly login: 'hosted'; readonly loginId: string; readonly direct: boolean };

interface UpstreamRequest {
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** The issuer that the application had set when the browser left. */
  readonly issuer?: string;
  readonly purpose: UpstreamPurpose;
}

interface StartedUpstream {
  readonly record: UpstreamLogin;
  readonly binding: {
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  };
}

/** Makes state, nonce and code verifier; nothing is stored yet. */
export function newUpstreamLogin(
  whose: { readonly tenant: Tenant; readonly application: Application; readonly client: Client },
  browser: Browser,
  provider: ProviderName,
  purpose: UpstreamPurpose,
  baseUrl: string,
): StartedUpstream {
  const state = newSecret();
  const { application, tenant, client } = whose;
  const issuer = application.loginPreferences?.[provider]?.issuer;
  const kept = {
    nonce: newSecret(),
    codeVerifier: newSecret(),
    redirectUri: `${baseUrl}${callbackPath(provider)}`,
  };
  const request: UpstreamRequest = { ...kept, ...(issuer === undefined ? {} : { issuer }), purpose };
  const record: UpstreamLogin = {
    hash: hashSecret(state),
    provider,
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    browserHash: browser.hash,
    request: seal(state, REQUEST, JSON.stringify(request)),
    expiresAt: nowSeconds() + UPSTREAM_LOGIN_SECONDS,
  };
  return { record, binding: { state, ...kept } };
}

/**
 * Keeps what a provider has posted until the browser comes for it. The POST is cross-site, so it brings no cookie and is
 * believed nothing: only the first one for a way that is still open is kept, sealed under its state.
 */
export async function keepPostedAnswer(
  ports: Using<'upstreamLogins.keepAnswer'>,
  state: string,
  answer: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const sealed = seal(state, ANSWER, JSON.stringify(answer));
  await ports.upstreamLogins.keepAnswer(hashSecret(state), sealed, nowSeconds());
}

export interface ReturnedUpstream {
  readonly record: UpstreamLogin;
  readonly request: UpstreamRequest;
  readonly binding: StartedUpstream['binding'];
  /** What the provider has posted before. */
  readonly posted: Readonly<Record<string, string>> | undefined;
}

/**
 * The way that this browser has come back from. In any other browser it stays as it is: an answer that an attacker slips
 * into a victim's browser logs nobody in, and one that is stolen cannot be used up. Errors: `login_not_found`,
 * `login_elsewhere`.
 */
export async function requireUpstream(
  ports: Using<'upstreamLogins.find'>,
  state: string,
  browser: Browser,
): Promise<ReturnedUpstream> {
  const found = await ports.upstreamLogins.find(hashSecret(state));
  const opened = found && unseal(state, REQUEST, found.request);
  const record = requireOwner(opened === undefined ? undefined : found, browser);
  const request = JSON.parse(opened ?? '') as UpstreamRequest;
  const { nonce, codeVerifier, redirectUri } = request;
  const posted = record.answer === undefined ? undefined : unseal(state, ANSWER, record.answer);
  return {
    record,
    request,
    binding: { state, nonce, codeVerifier, redirectUri },
    posted: posted === undefined ? undefined : (JSON.parse(posted) as Record<string, string>),
  };
}

/**
 * Uses the way up, before the provider is asked: of many callers exactly one gets past this line. An answer that arrives at
 * another provider's address was meant for that one by somebody else (RFC 9700 §4.4), and ends the login too.
 * Errors: `upstream_login_over`, `provider_failed`.
 */
export async function consumeUpstream(
  ports: Using<'upstreamLogins.consume'>,
  { record, request }: ReturnedUpstream,
  arrivedAt: ProviderName,
  issuer: string | undefined,
): Promise<void> {
  if (!(await ports.upstreamLogins.consume(record.hash, nowSeconds())))
    throw new ServiceError('upstream_login_over');
  if (record.provider !== arrivedAt || request.issuer !== issuer)
    throw new ServiceError('provider_failed', { about: { providerError: 'other_provider' } });
}
