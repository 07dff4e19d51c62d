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
import { type ConnectionOptions, describeFetchFailure, normalizeBaseUrl } from './exchange.ts';

/** Claims of a verified access token. `sub` is the user ID, or the client ID if a client requested the token for itself. */
export interface AccessTokenClaims extends JWTPayload {
  readonly sub: string;
  /** ID of the tenant. */
  readonly tid: string;
  readonly app_id: string;
  readonly client_id: string;
  /** Granted scopes, separated by spaces. */
  readonly scope: string;
  /** ID of the user's session. */
  readonly sid?: string;
  /** ID of the organization that the user logged in to. */
  readonly org_id?: string;
  readonly roles?: readonly string[];
  /** Authentication context class of the login: `mfa` if the user used two factors. */
  readonly acr?: string;
  /** Time of the login in epoch seconds. */
  readonly auth_time?: number;
  /** Thumbprint of the key that a DPoP-bound token is bound to (RFC 9449 §6.1). */
  readonly cnf?: { readonly jkt?: string };
  readonly permissions?: readonly string[];
  /** Always undefined. The property distinguishes this type from `FormerClaims`, where `former` is `true`. */
  readonly former?: undefined;
}

/** Previous issuer: the system that your users migrate from, whose access tokens your API still accepts. */
export interface FormerIssuer {
  /** Issuer identifier: the `iss` claim of the previous system's tokens. */
  readonly issuer: string;
  /** Audience (`aud`) that a token of the previous system must have. */
  readonly audience: string;
  /** URL of the previous system's JSON Web Key Set. */
  readonly jwksUri: string;
}

/**
 * Claims of a token of the previous issuer. `sub` is the user's ID in the previous system, which is the `external_user_id` of
 * an imported user.
 */
export interface FormerClaims extends JWTPayload {
  readonly former: true;
  readonly sub: string;
}

/** Claims of a verified ID token. */
export interface IdTokenClaims extends JWTPayload {
  readonly sub: string;
  /** ID of the tenant. */
  readonly tid: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  /** Authentication methods of the login (RFC 8176). */
  readonly amr?: readonly string[];
  /** Time of the login in epoch seconds. */
  readonly auth_time?: number;
  readonly nonce?: string;
  /** True if the user was created by this login. */
  readonly new_user?: boolean;
}

/** Values that the claims of an access token must have. */
export interface AccessTokenExpectation {
  readonly tenantId: string;
  /** IDs of the applications whose tokens are accepted. */
  readonly appIds: readonly string[];
  /** Required audience: the URI of your resource. Default: the issuer, as in tokens that were requested without a resource. */
  readonly audience?: string | undefined;
}

interface IdTokenExpectation {
  readonly clientId: string;
  /** `nonce` of the authorization request. */
  readonly nonce?: string | undefined;
}

type IssuerOptions = Pick<ConnectionOptions, 'baseUrl' | 'fetch'>;

/** Algorithms with which the service signs tokens. Each key in the JWK Set names its only permitted algorithm. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];
/**
 * Algorithms that are accepted from a previous issuer. All are asymmetric: with an HMAC algorithm, an attacker could sign
 * tokens with the public key as the secret (RFC 8725 §3.1).
 */
const FORMER_ALGORITHMS = [
  'EdDSA',
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((size) => kind + size)),
];

/** Error codes of jose for failures to fetch or read the key set. These errors do not mean that the token is invalid. */
const KEY_SET_ERRORS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

type ExpectedClaims = { readonly iss: string; readonly aud: string; readonly typ?: string };

/** Converts a token error of jose to a `VerificationError` whose message names the expected and the actual value. */
function toVerificationError(
  token: string,
  expected: ExpectedClaims,
  cause: errors.JOSEError,
): VerificationError {
  if (cause instanceof errors.JWTExpired) {
    const at = new Date(Number(cause.payload.exp) * 1000).toISOString();
    return new VerificationError(`the token has expired, at ${at}`, { cause, reason: 'expired' });
  }
  if (!(cause instanceof errors.JWTClaimValidationFailed))
    return new VerificationError(cause.message, { cause });
  const { claim, payload, message } = cause;
  const seen: unknown = claim === 'typ' ? decodeProtectedHeader(token).typ : payload[claim];
  const comparison = Object.hasOwn(expected, claim)
    ? `: expected ${expected[claim as keyof ExpectedClaims]}, seen ${JSON.stringify(seen)}`
    : '';
  return new VerificationError(message + comparison, { cause });
}

interface TokenChecks {
  /**
   * Verifies an access token and returns its claims.
   * @param checkKeyBinding Checks the DPoP proof for the key with this thumbprint. Without this function, bound tokens are
   * rejected.
   */
  accessToken(
    token: string,
    expected: AccessTokenExpectation,
    checkKeyBinding?: (jkt: string) => Promise<void>,
  ): Promise<AccessTokenClaims>;
  /** Verifies an ID token and returns its claims. */
  idToken(token: string, expected: IdTokenExpectation): Promise<IdTokenClaims>;
}

interface TrustedIssuer {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly algorithms: string[];
  readonly fetch: ConnectionOptions['fetch'];
}

/**
 * Creates a function that checks the signature, issuer, audience, type and expiry of a token. A failed check throws a
 * `VerificationError`. Public keys are fetched once, and again when the keys are old or a token names an unknown key. The
 * caller must check the claims `tid`, `app_id` and `nonce`.
 */
function createJwtCheck({ issuer, jwksUri, algorithms, fetch: own }: TrustedIssuer) {
  const keys = createRemoteJWKSet(new URL(jwksUri), own ? { [customFetch]: own } : {});
  return async <Claims>(token: string, aud: string, typ?: string): Promise<Claims & JWTPayload> => {
    if (!token) throw new VerificationError('the token is missing', { reason: 'missing' });
    const always = { algorithms, issuer, requiredClaims: ['exp', 'sub'] };
    const expected = { ...always, audience: aud, ...(typ && { typ }) };
    const { payload } = await jwtVerify<Claims>(token, keys, expected).catch((error) => {
      if (error instanceof errors.JOSEError && !KEY_SET_ERRORS.includes(error.code))
        throw toVerificationError(token, { iss: issuer, aud, ...(typ && { typ }) }, error);
      throw new Error(`${jwksUri} returned no keys: ${describeFetchFailure(error)}`, { cause: error });
    });
    return payload;
  };
}

/** Creates the checks for tokens of the service. functions/oauth/README.md names the attack that each check prevents. */
export function createTokenChecks({ baseUrl, fetch }: IssuerOptions): TokenChecks {
  const issuer = `${normalizeBaseUrl(baseUrl)}/oidc`;
  const verify = createJwtCheck({ issuer, jwksUri: `${issuer}/jwks`, algorithms: ALGORITHMS, fetch });

  return {
    async accessToken(token, { tenantId, appIds, audience = issuer }, checkKeyBinding) {
      const claims = await verify<AccessTokenClaims>(token, audience, 'at+jwt');
      if (claims.tid !== tenantId)
        throw new VerificationError(
          `the token belongs to another tenant: expected ${tenantId}, seen ${claims.tid}`,
        );
      if (!appIds.includes(claims.app_id))
        throw new VerificationError(
          `the token belongs to another application: expected ${appIds}, seen ${claims.app_id}`,
        );
      // A bound token is valid only together with a proof of possession of its key (RFC 9449 §7).
      if (claims.cnf !== undefined && !checkKeyBinding)
        throw new VerificationError('the token is bound to a key, and DPoP proofs are not checked here');
      if (claims.cnf !== undefined) await checkKeyBinding?.(String(claims.cnf.jkt));
      return claims;
    },
    async idToken(token, { clientId, nonce }) {
      const claims = await verify<IdTokenClaims>(token, clientId, 'JWT');
      if (nonce !== undefined && claims.nonce !== nonce)
        throw new VerificationError('the ID token belongs to another login: unexpected nonce');
      return claims;
    },
  };
}

/**
 * Reads the `iss` claim before the signature is checked. The claim only selects the issuer whose keys must verify the token.
 */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

type VerifierOptions = IssuerOptions & AccessTokenExpectation;

/**
 * Creates a function that verifies access tokens of the service and of the system that your users migrate from. The keys of the
 * issuer in a token's `iss` claim verify the token. The claims of a previous system's token have `former: true`.
 * @throws TypeError if an option is missing, empty or unknown. The created function throws a `VerificationError`.
 * @example
 * const former = { issuer: 'https://old.example.com', audience: 'api', jwksUri: 'https://old.example.com/jwks.json' };
 * const verify = createVerifier({ baseUrl, tenantId, appIds: ['shop'], former });
 * const claims = await verify(token);
 * const user = claims.former ? await findByExternalId(claims.sub) : await findById(claims.sub);
 */
export function createVerifier(
  options: VerifierOptions & { readonly former: FormerIssuer },
): (token: string) => Promise<AccessTokenClaims | FormerClaims>;
/**
 * Creates a function that verifies access tokens, for an API that has no client of its own.
 * @throws TypeError if an option is missing, empty or unknown. The created function throws a `VerificationError`.
 * @example
 * const verify = createVerifier({ baseUrl: 'https://login.example.com/cis', tenantId, appIds: ['shop'] });
 * const { sub } = await verify(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '');
 */
export function createVerifier(options: VerifierOptions): (token: string) => Promise<AccessTokenClaims>;
export function createVerifier(
  options: VerifierOptions & { readonly former?: FormerIssuer },
): (token: string) => Promise<AccessTokenClaims | FormerClaims> {
  checkOptions(options, ['baseUrl', 'tenantId', 'appIds'], ['audience', 'fetch', 'former']);
  const { former, fetch } = options;
  const checks = createTokenChecks(options);
  if (!former) return (token) => checks.accessToken(token, options);
  checkOptions(former, ['issuer', 'audience', 'jwksUri'], []);
  const verifyFormer = createJwtCheck({ ...former, algorithms: FORMER_ALGORITHMS, fetch });
  return async (token) => {
    if (claimedIssuer(token) !== former.issuer) return checks.accessToken(token, options);
    return { ...(await verifyFormer<{ readonly sub: string }>(token, former.audience)), former: true };
  };
}
