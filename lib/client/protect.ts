import { base64url, calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { checkOptions, VerificationError } from './errors.ts';
import { type ConnectionOptions, normalizeBaseUrl } from './exchange.ts';
import { type AccessTokenClaims, type AccessTokenExpectation, createTokenChecks } from './verify.ts';

/** Settings of the API that `protectResource` protects. */
export interface ResourceOptions
  extends Pick<ConnectionOptions, 'baseUrl' | 'fetch'>,
    Pick<AccessTokenExpectation, 'tenantId' | 'appIds'> {
  /** URI under which the resource is registered: the URL of your API, and the audience of tokens for your API. */
  readonly resource: string;
  /** Scopes that the resource defines, published as `scopes_supported` in the resource's metadata. */
  readonly scopes?: readonly string[] | undefined;
}

/** Requirements that an access token must meet before your API performs an operation. */
export interface Needs {
  /** Required scopes. The token must have every one of these scopes. */
  readonly scopes?: readonly string[];
  /** Required authentication context class of the login: `mfa` requires two factors. */
  readonly acr?: string;
  /** Maximum age of the login in seconds. */
  readonly maxAge?: number;
}

/** Request of fetch, Node or Express to check. Only the path of the URL is used, because a proxy may change the other parts. */
export interface ProtectedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Response that your API sends if it rejects a request, with the `WWW-Authenticate` header that RFC 6750 requires. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly error_description: string };
}

/** Protected resource metadata to publish, and the check of each request. */
export interface ProtectedResource {
  /** Path at which your API must serve `metadata` (RFC 9728 §3.1). */
  readonly metadataPath: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Checks the access token of a request. Returns the claims of the token, or the `refusal` to send as the response. The
   * promise rejects only if the public keys of the service cannot be fetched.
   */
  check(
    request: ProtectedRequest,
    needs?: Needs,
  ): Promise<
    | { readonly claims: AccessTokenClaims; readonly refusal?: undefined }
    | { readonly claims?: undefined; readonly refusal: Refusal }
  >;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Maximum age of a DPoP proof in seconds (RFC 9449 §11.1). A clock deviation of the same length is tolerated in addition. */
const PROOF_SECONDS = 60;
const PROOF_ALGORITHMS = ['ES256', 'PS256', 'RS256', 'EdDSA'];

type Challenge = Readonly<Record<string, string | undefined>>;

/**
 * Maximum length of an `error_description` in characters. Descriptions quote claims that the caller chose, and proxies drop
 * responses with several kilobytes of headers.
 */
const DESCRIPTION_MAX = 300;

/**
 * Replaces the characters that a quoted parameter must not contain (RFC 6750 §3). Otherwise a caller could send control
 * characters that make Node throw an error when the header is set.
 */
const quotable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');

const createRefusal = (status: 401 | 403, scheme: string, challenge: Challenge, reason: string): Refusal => {
  const description = quotable(reason.slice(0, DESCRIPTION_MAX));
  const parameters = Object.entries({ ...challenge, error_description: challenge.error && description })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${quotable(String(value))}"`);
  return {
    status,
    headers: { 'www-authenticate': `${scheme} ${parameters.join(', ')}`, 'cache-control': 'no-store' },
    body: { error: challenge.error ?? 'invalid_token', error_description: description },
  };
};

function readHeader({ headers }: ProtectedRequest, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

const sha256 = async (text: string) =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

/**
 * Time in milliseconds for which a used DPoP proof must be remembered. The date of a proof may be `PROOF_SECONDS` ahead, and
 * the proof is valid for twice that time after its date. One second is added because times are compared in whole seconds.
 */
const PROOF_VALID_MS = (3 * PROOF_SECONDS + 1) * 1000;

/** Creates a function that returns true if a DPoP proof is new. The function forgets proofs that have expired. */
function createReplayCheck(): (id: string) => boolean {
  const seen = new Map<string, number>();
  return (id) => {
    const now = Date.now();
    // A Map iterates in the order of insertion, so the oldest proofs come first.
    for (const [old, until] of seen) {
      if (until > now) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now + PROOF_VALID_MS);
    return true;
  };
}

/** Checks a DPoP proof as RFC 9449 §4.3 requires. Throws a `VerificationError` if the proof is missing, invalid or a replay. */
async function checkProof(
  proof: string | undefined,
  expected: { readonly jkt: string; readonly token: string; readonly method: string; readonly url: string },
  isNew: (id: string) => boolean,
): Promise<void> {
  if (proof === undefined)
    throw new VerificationError('the token is bound to a key, so a DPoP proof is required');
  const options = { typ: 'dpop+jwt', algorithms: PROOF_ALGORITHMS, requiredClaims: ['jti'] };
  const { payload, protectedHeader } = await jwtVerify<JWTPayload & Record<string, unknown>>(
    proof,
    EmbeddedJWK,
    { ...options, maxTokenAge: PROOF_SECONDS, clockTolerance: PROOF_SECONDS },
  ).catch((cause) => {
    throw new VerificationError(`DPoP proof: ${cause.message}`, { cause });
  });
  const { jwk } = protectedHeader;
  const requireClaim = (name: string, value: unknown, wanted: string) => {
    if (value !== wanted)
      throw new VerificationError(`DPoP proof: ${name} expected ${wanted}, seen ${JSON.stringify(value)}`);
  };
  const { htm, htu, ath, jti } = payload;
  requireClaim('htm', htm, expected.method);
  requireClaim('htu', typeof htu === 'string' ? htu.replace(/[?#].*$/s, '') : htu, expected.url);
  requireClaim('ath', ath, await sha256(expected.token));
  requireClaim('jwk', jwk && (await calculateJwkThumbprint(jwk)), expected.jkt);
  if (typeof jti !== 'string') throw new VerificationError('DPoP proof: jti must be a string');
  if (!isNew(`${expected.jkt} ${jti}`)) throw new VerificationError('DPoP proof: it was used before');
}

/** Returns the error for the first requirement that a token does not meet (RFC 6750 §3.1, RFC 9470 §3), or undefined. */
function findUnmetNeed(
  claims: AccessTokenClaims,
  { scopes = [], acr, maxAge }: Needs,
): { readonly status: 401 | 403; readonly challenge: Challenge; readonly description: string } | undefined {
  const granted = claims.scope.split(' ');
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0)
    return {
      status: 403,
      challenge: { error: 'insufficient_scope', scope: scopes.join(' ') },
      description: `the token lacks ${missing.join(' ')}`,
    };
  const isOld = maxAge !== undefined && Number(claims.auth_time ?? 0) + maxAge < Date.now() / 1000;
  if (!isOld && (acr === undefined || claims.acr === acr)) return undefined;
  return {
    status: 401,
    challenge: {
      error: 'insufficient_user_authentication',
      acr_values: acr,
      max_age: maxAge === undefined ? undefined : String(maxAge),
    },
    description: isOld ? 'the login is too old' : `the login is not ${acr}`,
  };
}

/**
 * Protects an API with access tokens of the service, both bearer tokens and DPoP-bound tokens. Also creates the metadata that
 * tell a client where to get a token (RFC 9728).
 * @throws TypeError if an option is missing, empty or unknown, or if `resource` is not a URL.
 * @example
 * const api = protectResource({ baseUrl, tenantId, appIds: ['shop'], resource: 'https://api.example.com/notes' });
 * if (new URL(request.url).pathname === api.metadataPath) return Response.json(api.metadata);
 * const { claims, refusal } = await api.check(request, { scopes: ['notes:read'] });
 * if (refusal) return Response.json(refusal.body, { status: refusal.status, headers: refusal.headers });
 */
export function protectResource(options: ResourceOptions): ProtectedResource {
  checkOptions(options, ['baseUrl', 'tenantId', 'appIds', 'resource'], ['scopes', 'fetch']);
  const { resource, tenantId, appIds, scopes } = options;
  const { origin, pathname } = new URL(resource);
  const checks = createTokenChecks(options);
  const isNew = createReplayCheck();
  const metadataPath = WELL_KNOWN + (pathname === '/' ? '' : pathname);
  const resourceMetadata = { resource_metadata: origin + metadataPath };

  return {
    metadataPath,
    metadata: {
      resource,
      authorization_servers: [`${normalizeBaseUrl(options.baseUrl)}/oidc`],
      ...(scopes && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    },
    async check(request, needs = {}) {
      const [, scheme = 'Bearer', token = ''] =
        /^(bearer|dpop) +([\w.~+/=-]+)$/i.exec(readHeader(request, 'authorization') ?? '') ?? [];
      const isDpop = scheme.toLowerCase() === 'dpop';
      const refuse = (status: 401 | 403, challenge: Challenge, description: string) => ({
        refusal: createRefusal(
          status,
          isDpop ? 'DPoP' : 'Bearer',
          { ...challenge, ...resourceMetadata },
          description,
        ),
      });
      const scope = needs.scopes?.join(' ');
      if (token === '') return refuse(401, { scope }, 'the request has no token');
      try {
        // Node also accepts request targets that are not URLs, such as `//`. No valid proof can name such a target.
        const { url: target = '/' } = request;
        const path = URL.canParse(target, origin) ? new URL(target, origin).pathname : '';
        const checkKeyBinding = (jkt: string) =>
          checkProof(
            isDpop ? readHeader(request, 'dpop') : undefined,
            { jkt, token, method: request.method ?? 'GET', url: origin + path },
            isNew,
          );
        const claims = await checks.accessToken(
          token,
          { tenantId, appIds, audience: resource },
          checkKeyBinding,
        );
        if (isDpop && !claims.cnf)
          throw new VerificationError(
            'the token is not bound to a key, so it must be sent as a bearer token',
          );
        const unmet = findUnmetNeed(claims, needs);
        return unmet ? refuse(unmet.status, unmet.challenge, unmet.description) : { claims };
      } catch (error) {
        if (!(error instanceof VerificationError)) throw error;
        return refuse(401, { error: 'invalid_token', scope }, error.message);
      }
    },
  };
}
