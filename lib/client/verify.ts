import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { checkOptions, VerificationError } from './errors.ts';
import { type ExchangeOptions, reasonOf, rootOf } from './exchange.ts';

/** Of a user. A token of a client has its `client_id` as `sub`. */
export interface AccessTokenClaims extends JWTPayload {
  readonly sub: string;
  readonly tid: string;
  readonly app_id: string;
  readonly client_id: string;
  readonly scope: string;
  /** The session of the login. */
  readonly sid?: string;
  readonly org_id?: string;
  readonly roles?: readonly string[];
  /** `mfa` after two factors. */
  readonly acr?: string;
  /** Epoch seconds. */
  readonly auth_time?: number;
  /** Of a key that the token is bound to (RFC 9449 §6). */
  readonly cnf?: { readonly jkt?: string };
  readonly permissions?: readonly string[];
  /** Only tokens of the former issuer have it. */
  readonly former?: undefined;
}

/** The system that your users come from, as long as its tokens are still about. */
export interface FormerIssuer {
  /** `iss` of its tokens. */
  readonly issuer: string;
  /** The only `aud` that is taken. */
  readonly audience: string;
  /** The address of its public keys. */
  readonly jwksUri: string;
}

/** Of a token of the former issuer, whose `sub` is the old ID: the `external_user_id` of users who were imported. */
export interface FormerClaims extends JWTPayload {
  readonly former: true;
  readonly sub: string;
}

export interface IdTokenClaims extends JWTPayload {
  readonly sub: string;
  readonly tid: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly amr?: readonly string[];
  readonly auth_time?: number;
  readonly nonce?: string;
  /** Whether this login made the user. */
  readonly new_user?: boolean;
}

export interface AccessTokenExpectation {
  readonly tenantId: string;
  /** The applications that may call you. */
  readonly appIds: readonly string[];
  /** The URI of your resource. Default: the issuer, as in tokens without a resource. */
  readonly audience?: string | undefined;
}

interface IdTokenExpectation {
  readonly clientId: string;
  /** That of the authorization request. */
  readonly nonce?: string | undefined;
}

type IssuerOptions = Pick<ExchangeOptions, 'baseUrl' | 'fetch'>;

/** All that the service signs by. A key of the set verifies the one that it names. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];
/** A public key must never be the secret of an HMAC (RFC 8725 §3.1). */
const FORMER_ALGORITHMS = [
  'EdDSA',
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((size) => kind + size)),
];

/** What fails before anything is known of the token. */
const OF_THE_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

type Expected = { readonly iss: string; readonly aud: string; readonly typ?: string };

/** Names what was expected and what was seen. `cause` is an error of jose about a token. */
function verificationErrorOf(token: string, expected: Expected, cause: errors.JOSEError): VerificationError {
  if (cause instanceof errors.JWTExpired) {
    const at = new Date(Number(cause.payload.exp) * 1000).toISOString();
    return new VerificationError(`the token has expired, at ${at}`, { cause, reason: 'expired' });
  }
  if (!(cause instanceof errors.JWTClaimValidationFailed))
    return new VerificationError(cause.message, { cause });
  const { claim, payload, message } = cause;
  const seen: unknown = claim === 'typ' ? decodeProtectedHeader(token).typ : payload[claim];
  const comparison = Object.hasOwn(expected, claim)
    ? `: expected ${expected[claim as keyof Expected]}, seen ${JSON.stringify(seen)}`
    : '';
  return new VerificationError(message + comparison, { cause });
}

interface TokenChecks {
  /** `prove` looks for the key that a token is bound to; without it such a token is refused. */
  accessToken(
    token: string,
    expected: AccessTokenExpectation,
    prove?: (jkt: string) => Promise<void>,
  ): Promise<AccessTokenClaims>;
  idToken(token: string, expected: IdTokenExpectation): Promise<IdTokenClaims>;
}

interface Signers {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly algorithms: string[];
  readonly fetch: ExchangeOptions['fetch'];
}

/**
 * The checks of functions/oauth/README.md but those of our own claims. Keys are fetched once, and again when they are old or a
 * token names another one. Errors of the function: `VerificationError`.
 */
function jwtCheck({ issuer, jwksUri, algorithms, fetch: own }: Signers) {
  const keys = createRemoteJWKSet(new URL(jwksUri), own ? { [customFetch]: own } : {});
  return async <Claims>(token: string, aud: string, typ?: string): Promise<Claims & JWTPayload> => {
    if (!token) throw new VerificationError('there is no token', { reason: 'missing' });
    const always = { algorithms, issuer, requiredClaims: ['exp', 'sub'] };
    const expected = { ...always, audience: aud, ...(typ && { typ }) };
    const { payload } = await jwtVerify<Claims>(token, keys, expected).catch((error) => {
      if (error instanceof errors.JOSEError && !OF_THE_KEYS.includes(error.code))
        throw verificationErrorOf(token, { iss: issuer, aud, ...(typ && { typ }) }, error);
      throw new Error(`${jwksUri} gave no keys: ${reasonOf(error)}`, { cause: error });
    });
    return payload;
  };
}

export function tokenChecks({ baseUrl, fetch }: IssuerOptions): TokenChecks {
  const issuer = `${rootOf(baseUrl)}/oidc`;
  const verify = jwtCheck({ issuer, jwksUri: `${issuer}/jwks`, algorithms: ALGORITHMS, fetch });

  return {
    async accessToken(token, { tenantId, appIds, audience = issuer }, prove) {
      const claims = await verify<AccessTokenClaims>(token, audience, 'at+jwt');
      if (claims.tid !== tenantId)
        throw new VerificationError(`a token of another tenant: expected ${tenantId}, seen ${claims.tid}`);
      if (!appIds.includes(claims.app_id))
        throw new VerificationError(
          `a token of another application: expected ${appIds}, seen ${claims.app_id}`,
        );
      // RFC 9449 §7: good with a proof of its key alone.
      if (claims.cnf !== undefined && !prove) throw new VerificationError('a token that is bound to a key');
      if (claims.cnf !== undefined) await prove?.(String(claims.cnf.jkt));
      return claims;
    },
    async idToken(token, { clientId, nonce }) {
      const claims = await verify<IdTokenClaims>(token, clientId, 'JWT');
      if (nonce !== undefined && claims.nonce !== nonce)
        throw new VerificationError('an ID token of another login');
      return claims;
    },
  };
}

/** Without a signature: it says by whose keys to verify, and nothing else is believed. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

type VerifierOptions = IssuerOptions & AccessTokenExpectation;

/**
 * For an API that has no client of its own. With `former` the tokens of the system that your users come from are taken too, each
 * by the keys of its own issuer. Errors of the function: `VerificationError`.
 */
export function createVerifier(
  options: VerifierOptions & { readonly former: FormerIssuer },
): (token: string) => Promise<AccessTokenClaims | FormerClaims>;
export function createVerifier(options: VerifierOptions): (token: string) => Promise<AccessTokenClaims>;
export function createVerifier(
  options: VerifierOptions & { readonly former?: FormerIssuer },
): (token: string) => Promise<AccessTokenClaims | FormerClaims> {
  checkOptions(options, ['baseUrl', 'tenantId', 'appIds'], ['audience', 'fetch', 'former']);
  const { former, fetch } = options;
  const checks = tokenChecks(options);
  if (!former) return (token) => checks.accessToken(token, options);
  checkOptions(former, ['issuer', 'audience', 'jwksUri'], []);
  const verifyFormer = jwtCheck({ ...former, algorithms: FORMER_ALGORITHMS, fetch });
  return async (token) => {
    if (claimedIssuer(token) !== former.issuer) return checks.accessToken(token, options);
    return { ...(await verifyFormer<{ readonly sub: string }>(token, former.audience)), former: true };
  };
}
