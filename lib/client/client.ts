import { decodeJwt } from 'jose';
import { createCalls, type OperationFunctions, type Operations, type Route } from './calls.ts';
import { cacheToken, type TokenResponse } from './client-token.ts';
import { checkOptions } from './errors.ts';
import { type ConnectionOptions, createSender, readAnswer } from './exchange.ts';
import { type AccessTokenClaims, createTokenChecks, type IdTokenClaims } from './verify.ts';

export interface ClientOptions extends ConnectionOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Verification {
  /**
   * Verifies an access token and returns its claims. By default, the token must be for your own application and its audience
   * must be the issuer, as in tokens that were requested without a resource.
   * @throws VerificationError if the token is missing, expired or invalid. Any other error means that the check was impossible,
   * for example because the public keys could not be fetched.
   * @example
   * const { sub } = await client.verifyAccessToken(token, { audience: 'https://api.example.com/' });
   */
  verifyAccessToken(
    token: string,
    expected?: { readonly audience?: string; readonly appIds?: readonly string[] },
  ): Promise<AccessTokenClaims>;
  /**
   * Verifies an ID token that was issued to this client and returns its claims. If the authorization request had a `nonce`,
   * pass the same value here.
   * @throws VerificationError if the token is missing, expired, invalid or has another `nonce`.
   */
  verifyIdToken(token: string, expected?: { readonly nonce?: string }): Promise<IdTokenClaims>;
}

/** Functions that call the operations of the service, and functions that verify its tokens. */
export type ClientFor<All extends Operations<keyof All>> = OperationFunctions<All> & Verification;

/**
 * Creates a client that has one function for each route and that verifies tokens.
 * @throws TypeError if an option is missing, empty or unknown.
 */
export function createClientFromRoutes<All extends Operations<keyof All>>(
  routes: Readonly<Record<keyof All, Route>>,
  options: ClientOptions,
): ClientFor<All> {
  checkOptions(options, ['baseUrl', 'clientId', 'clientSecret'], ['fetch', 'maxWaitSeconds']);
  const { clientId, clientSecret } = options;
  const exchange = createSender(options);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const clientToken = cacheToken(async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
    return (await readAnswer(await exchange('/oidc/token', { method: 'POST', body }, true))) as TokenResponse;
  });
  const checks = createTokenChecks(options);
  const verification: Verification = {
    async verifyAccessToken(token, given = {}) {
      checkOptions(given, [], ['audience', 'appIds']);
      const { audience, appIds } = given;
      const ownClaims = decodeJwt(await clientToken.get());
      const expected = {
        tenantId: String(ownClaims.tid),
        appIds: appIds ?? [String(ownClaims.app_id)],
        audience,
      };
      return checks.accessToken(token, expected);
    },
    async verifyIdToken(token, given = {}) {
      checkOptions(given, [], ['nonce']);
      return checks.idToken(token, { clientId, nonce: given.nonce });
    },
  };
  const calls = createCalls<All>({ clientId, clientSecret, exchange, clientToken }, routes);
  return { ...calls, ...verification };
}
