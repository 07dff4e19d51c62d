// Login in progress at a social provider. It is bound to one browser and one provider, and accepts one response.
import { ServiceError } from '../../errors/service-error.ts';
import type { UpstreamLogin } from '../../ports/authorization.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { UpstreamProfile } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type Browser, requireSameBrowser } from '../basis/browser.ts';
import { UPSTREAM_LOGIN_SECONDS } from '../basis/limits.ts';
import { hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { type Consumption, createConsumption } from '../credentials/authentication-proof.ts';
import { findPreference } from '../credentials/login-preferences.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { callbackPath } from './provider.ts';

const REQUEST = 'upstream-request';
const ANSWER = 'upstream-answer';
const PROFILE = 'upstream-profile';

/** Reason for sending the browser to the provider: a redirect login (SPEC B), or a hosted login. */
export type UpstreamPurpose =
  | { readonly login: 'redirect'; readonly request: AuthorizationRequest }
  /** Hosted login. `direct` is true if the user saw no login page, so that errors are sent to the client. */
  | { readonly login: 'hosted'; readonly loginId: string; readonly direct: boolean };

interface UpstreamRequest {
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Issuer that the application had set for the provider when the login was started. */
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

/** Creates a login at a provider, with new state, nonce and code verifier. Stores nothing. */
export function newUpstreamLogin(
  place: {
    readonly tenant: Tenant;
    readonly application: Application;
    readonly client: Client;
    readonly browser: Browser;
    readonly now: number;
  },
  provider: ProviderName,
  purpose: UpstreamPurpose,
  baseUrl: string,
): StartedUpstream {
  const state = newSecret();
  const { application, tenant, client, browser, now } = place;
  const issuer = findPreference(application, provider)?.issuer;
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
    expiresAt: now + UPSTREAM_LOGIN_SECONDS,
  };
  return { record, binding: { state, ...kept } };
}

/**
 * Stores a response that the provider has sent by POST until the browser fetches it by GET. The POST is cross-site and has no
 * cookie, so it proves nothing. Only the first response for a pending login is stored, encrypted with the login's `state`.
 */
export async function storePostedAnswer(
  ports: PortsWith<'upstreamLogins.storeResponse'>,
  state: string,
  answer: Readonly<Record<string, string | undefined>>,
  now: number,
): Promise<void> {
  const sealed = seal(state, ANSWER, JSON.stringify(answer));
  await ports.upstreamLogins.storeResponse(hashSecret(state), sealed, now);
}

/** Login at a social provider from which the browser has returned. */
export interface ReturnedUpstream {
  readonly record: UpstreamLogin;
  readonly request: UpstreamRequest;
  readonly binding: StartedUpstream['binding'];
  /** Response that the provider has sent by POST. */
  readonly posted: Readonly<Record<string, string>> | undefined;
  /** Profile that an earlier request got for the provider's code before it failed. */
  readonly profile: UpstreamProfile | undefined;
}

/**
 * Finds the login at the provider that this browser has started. In another browser, the login is not changed: an injected
 * response cannot log a victim in, and a stolen response cannot be used. Errors: `login_not_found`, `login_elsewhere`.
 */
export async function requireUpstream(
  ports: PortsWith<'upstreamLogins.find'>,
  state: string,
  browser: Browser,
): Promise<ReturnedUpstream> {
  const found = await ports.upstreamLogins.find(hashSecret(state));
  const opened = found && unseal(state, REQUEST, found.request);
  const record = requireSameBrowser(opened === undefined ? undefined : found, browser);
  const request = JSON.parse(opened ?? '') as UpstreamRequest;
  const { nonce, codeVerifier, redirectUri } = request;
  const kept = <T>(purpose: string): T | undefined => {
    const text = record.answer && unseal(state, purpose, record.answer);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  return {
    record,
    request,
    binding: { state, nonce, codeVerifier, redirectUri },
    posted: kept(ANSWER),
    profile: kept(PROFILE),
  };
}

/**
 * Consumption of a provider login. Undoing it keeps the profile that was fetched, because providers accept a code
 * only once.
 */
export interface UpstreamConsumption extends Consumption {
  /** Returns the profile for the provider's code. Calls `fetch` only if no earlier request has fetched the profile. */
  readonly redeem: (fetch: () => Promise<UpstreamProfile>) => Promise<UpstreamProfile>;
}

export function createUpstreamConsumption(
  ports: PortsWith<'upstreamLogins.undoConsume'>,
  { record, binding, profile }: ReturnedUpstream,
): UpstreamConsumption {
  let redeemed = profile;
  const consumption = createConsumption((holder) => {
    const answer = redeemed && seal(binding.state, PROFILE, JSON.stringify(redeemed));
    return ports.upstreamLogins.undoConsume(record.hash, holder, answer);
  });
  return {
    ...consumption,
    redeem: async (fetch) => {
      redeemed ??= await fetch();
      return redeemed;
    },
  };
}

/**
 * Consumes the login before the provider's code is exchanged, so that exactly one of several concurrent callers continues. A
 * response at another provider's callback is a mix-up attack (RFC 9700 §4.4), and also ends the login. Errors:
 * `upstream_login_over`, `provider_failed`.
 */
export async function consumeUpstream(
  ports: PortsWith<'upstreamLogins.consume'>,
  { record, request }: ReturnedUpstream,
  callback: {
    readonly provider: ProviderName;
    readonly issuer: string | undefined;
    readonly consumption: Pick<Consumption, 'holder'>;
  },
  now: number,
): Promise<void> {
  if (!(await ports.upstreamLogins.consume(record.hash, now, callback.consumption.holder)))
    throw new ServiceError('upstream_login_over');
  if (record.provider !== callback.provider || request.issuer !== callback.issuer)
    throw new ServiceError('provider_failed', { audit: { providerError: 'other_provider' } });
}
