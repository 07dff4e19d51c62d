import { decodeJwt, jwtVerify } from 'jose';
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  getValidatedIdTokenClaims,
  nopkce,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { nowSeconds } from '../domain/basis/time.ts';
import type { UpstreamProfile } from '../ports/people.ts';
import type { UpstreamBinding } from './authorize.ts';
import { createProviderCalls, type ProviderCalls } from './calls.ts';
import type { Claims, Dialect, ProviderAccount } from './dialect.ts';
import { discover, discoverServer } from './discovery.ts';
import { asProviderError, providerFailed } from './failures.ts';

/** Signature algorithms with public keys. `none` is excluded, and so are MACs, whose key would be public (RFC 8725 §3.1). */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'Ed25519',
  'EdDSA',
];

function listAlgorithms(dialect: Dialect, server: AuthorizationServer): string[] {
  const announced = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const trusted = ASYMMETRIC.filter((algorithm) => announced.includes(algorithm));
  return dialect.idToken === 'secret' ? [...trusted, 'HS256'] : trusted;
}

interface ProviderLogin {
  readonly dialect: Dialect;
  readonly account: ProviderAccount;
  readonly binding: UpstreamBinding;
}

interface Exchange extends ProviderLogin {
  readonly server: AuthorizationServer;
  readonly calls: ProviderCalls;
}

/** Returns the metadata with the issuer and keys of an ID token. If there are several issuers, the token selects one. */
async function findSigner(
  { dialect, server, calls }: Exchange,
  response: Response,
): Promise<AuthorizationServer> {
  if (!dialect.toIssuer || !response.ok) return server;
  const { id_token: idToken } = (await response.clone().json()) as { readonly id_token?: unknown };
  return discover(dialect.toIssuer(decodeJwt(String(idToken))), calls);
}

/** Returns the claims of an ID token, after checking its signature, issuer, audience, time and nonce (OIDC Core §3.1.3.7). */
async function readClaims(exchange: Exchange, response: Response): Promise<Claims> {
  const { dialect, account, calls, binding } = exchange;
  const server = await findSigner(exchange, response);
  const client: Client = {
    client_id: account.clientId,
    // The library also accepts a list of algorithms, although its types do not allow it.
    id_token_signed_response_alg: listAlgorithms(dialect, server) as unknown as string,
  };
  const result = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: binding.nonce,
    requireIdToken: true,
  });
  const claims = getValidatedIdTokenClaims(result);
  const { id_token: idToken = '' } = result;
  if (!claims) throw providerFailed('id_token');
  const { alg } = JSON.parse(Buffer.from(idToken.split('.', 1)[0] ?? '', 'base64url').toString()) as {
    readonly alg?: unknown;
  };
  if (dialect.idToken === 'secret' && alg === 'HS256')
    await jwtVerify(idToken, Buffer.from(account.secret?.clientSecret ?? ''), { algorithms: ['HS256'] });
  else await validateApplicationLevelSignature(server, response, calls);
  return claims;
}

async function redeem(exchange: Exchange, answer: URLSearchParams): Promise<Claims> {
  const { dialect, account, server, calls, binding } = exchange;
  const client = { client_id: account.clientId };
  const parameters = validateAuthResponse(server, client, answer, binding.state);
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    await dialect.authenticate(account, server),
    parameters,
    binding.redirectUri,
    dialect.pkce ? binding.codeVerifier : nopkce,
    calls,
  );
  if (!dialect.fetchClaims) return readClaims(exchange, response);
  const { access_token: accessToken } = await processAuthorizationCodeResponse(server, client, response);
  return dialect.fetchClaims(accessToken, account, calls);
}

/**
 * Returns the `auth_time` of an ID token (OIDC Core §2). Replaces a future time by the current time, because the provider's
 * clock may be ahead.
 */
function readAuthTime({ auth_time: authTime }: Claims): number | undefined {
  if (typeof authTime !== 'number' || !(authTime > 0)) return undefined;
  return Math.min(Math.floor(authTime), nowSeconds());
}

/**
 * Returns the profile of the user whom the provider has logged in. Checks the provider's response, exchanges the code and
 * validates the tokens. Errors: `provider_denied`, `provider_unavailable`, `provider_failed`.
 */
export async function fetchProfile(
  { loopback, ...login }: ProviderLogin & { readonly loopback: boolean },
  answer: URLSearchParams,
): Promise<UpstreamProfile> {
  try {
    const calls = createProviderCalls({ loopback });
    const server = await discoverServer(login.dialect, calls);
    const claims = await redeem({ ...login, server, calls }, answer);
    const authTime = login.dialect.idToken === 'none' ? undefined : readAuthTime(claims);
    const profile = login.dialect.readProfile(claims, answer);
    return authTime === undefined ? profile : { ...profile, authTime };
  } catch (error) {
    throw asProviderError(error);
  }
}
