import { decodeJwt } from 'jose';
import { type Calls, createCalls, type Operations, type Route } from './calls.ts';
import { type Issued, keepToken } from './client-token.ts';
import { checkOptions } from './errors.ts';
import { createExchange, type ExchangeOptions, read } from './exchange.ts';
import { type AccessTokenClaims, type IdTokenClaims, tokenChecks } from './verify.ts';

export interface ClientOptions extends ExchangeOptions {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Verification {
  /**
   * The claims of an access token that is meant for you, by default one of your own application without a resource.
   * Errors: `VerificationError`.
   */
  verifyAccessToken(
    token: string,
    expected?: { readonly audience?: string; readonly appIds?: readonly string[] },
  ): Promise<AccessTokenClaims>;
  /** The claims of an ID token for this client; `nonce` is that of the request. Errors: `VerificationError`. */
  verifyIdToken(token: string, expected?: { readonly nonce?: string }): Promise<IdTokenClaims>;
}

export type ClientOf<All extends Operations<keyof All>> = Calls<All> & Verification;

/** A client of the operations that the routes name. */
export function createClientOf<All extends Operations<keyof All>>(
  routes: Readonly<Record<keyof All, Route>>,
  options: ClientOptions,
): ClientOf<All> {
  checkOptions(options, ['baseUrl', 'clientId', 'clientSecret'], ['fetch', 'maxWaitSeconds']);
  const { clientId, clientSecret } = options;
  const exchange = createExchange(options);
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const clientToken = keepToken(async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
    return (await read(await exchange('/oidc/token', { method: 'POST', body }, true))) as Issued;
  });
  const checks = tokenChecks(options);
  const verification: Verification = {
    async verifyAccessToken(token, given = {}) {
      checkOptions(given, [], ['audience', 'appIds']);
      const { audience, appIds } = given;
      const own = decodeJwt(await clientToken.get());
      const expected = { tenantId: String(own.tid), appIds: appIds ?? [String(own.app_id)], audience };
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
