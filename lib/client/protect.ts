import { base64url, calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { checkOptions, VerificationError } from './errors.ts';
import { type ExchangeOptions, rootOf } from './exchange.ts';
import { type AccessTokenClaims, type AccessTokenExpectation, tokenChecks } from './verify.ts';

export interface ResourceOptions
  extends Pick<ExchangeOptions, 'baseUrl' | 'fetch'>,
    Pick<AccessTokenExpectation, 'tenantId' | 'appIds'> {
  /** The URI of the resource at the service: the address of your API, and the audience of its tokens. */
  readonly resource: string;
  /** What its tokens may have; the metadata name it. */
  readonly scopes?: readonly string[] | undefined;
}

/** What an operation of your API takes. */
export interface Needs {
  readonly scopes?: readonly string[];
  readonly acr?: string;
  /** In seconds. */
  readonly maxAge?: number;
}

/** A `Request`, or that of Node and Express. Of a URL its path counts: a proxy may have changed the rest. */
export interface ProtectedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An answer to send as it is. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly error_description: string };
}

export interface ProtectedResource {
  /** Where the metadata are (RFC 9728 §3.1). */
  readonly metadataPath: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  check(
    request: ProtectedRequest,
    needs?: Needs,
  ): Promise<
    | { readonly claims: AccessTokenClaims; readonly refusal?: undefined }
    | { readonly claims?: undefined; readonly refusal: Refusal }
  >;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** RFC 9449 §11.1: as long a proof is taken, and remembered in this process. */
const PROOF_SECONDS = 60;
const PROOF_ALGORITHMS = ['ES256', 'PS256', 'RS256', 'EdDSA'];

type Challenge = Readonly<Record<string, string | undefined>>;

/** In characters. Descriptions quote tokens, and proxies drop answers with several kilobytes of headers. */
const DESCRIPTION_MAX = 300;

/** Replaces what a quoted parameter must not contain (RFC 6750 §3): Node throws for control characters in a header. */
const quotable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');

const refused = (status: 401 | 403, scheme: string, challenge: Challenge, reason: string): Refusal => {
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

function headerOf({ headers }: ProtectedRequest, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

const hashOf = async (text: string) =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

/** Proofs that have come, until they are too old: each counts once. */
function proofMemory(): (id: string) => boolean {
  const seen = new Map<string, number>();
  return (id) => {
    const now = Date.now();
    for (const [old, until] of seen) {
      if (until > now) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now + 2 * PROOF_SECONDS * 1000);
    return true;
  };
}

/** RFC 9449 §4.3. Errors: `VerificationError`. */
async function checkProof(
  proof: string | undefined,
  expected: { readonly jkt: string; readonly token: string; readonly method: string; readonly url: string },
  isNew: (id: string) => boolean,
): Promise<void> {
  if (proof === undefined) throw new VerificationError('the token is bound to a key: DPoP proof expected');
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
  requireClaim('ath', ath, await hashOf(expected.token));
  requireClaim('jwk', jwk && (await calculateJwkThumbprint(jwk)), expected.jkt);
  if (typeof jti !== 'string') throw new VerificationError('DPoP proof: jti must be a text');
  if (!isNew(`${expected.jkt} ${jti}`)) throw new VerificationError('DPoP proof: came before');
}

/** What a token lacks (RFC 6750 §3.1, RFC 9470 §3). */
function lackOf(
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
 * Checks the access tokens of an API, and says to clients where to get one (RFC 9728). Each refusal is an answer to send. Errors of
 * `check`: keys that cannot be fetched. Errors: `TypeError` for options.
 */
export function protectResource(options: ResourceOptions): ProtectedResource {
  checkOptions(options, ['baseUrl', 'tenantId', 'appIds', 'resource'], ['scopes', 'fetch']);
  const { resource, tenantId, appIds, scopes } = options;
  const { origin, pathname } = new URL(resource);
  const checks = tokenChecks(options);
  const isNew = proofMemory();
  const metadataPath = WELL_KNOWN + (pathname === '/' ? '' : pathname);
  const resourceMetadata = { resource_metadata: origin + metadataPath };

  return {
    metadataPath,
    metadata: {
      resource,
      authorization_servers: [`${rootOf(options.baseUrl)}/oidc`],
      ...(scopes && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    },
    async check(request, needs = {}) {
      const [, scheme = 'Bearer', token = ''] =
        /^(bearer|dpop) +([\w.~+/=-]+)$/i.exec(headerOf(request, 'authorization') ?? '') ?? [];
      const isDpop = scheme.toLowerCase() === 'dpop';
      const refuse = (status: 401 | 403, challenge: Challenge, description: string) => ({
        refusal: refused(
          status,
          isDpop ? 'DPoP' : 'Bearer',
          { ...challenge, ...resourceMetadata },
          description,
        ),
      });
      const scope = needs.scopes?.join(' ');
      if (token === '') return refuse(401, { scope }, 'there is no token');
      try {
        // Node passes targets on that are no URL, such as `//`. No proof names them.
        const { url: target = '/' } = request;
        const path = URL.canParse(target, origin) ? new URL(target, origin).pathname : '';
        const prove = (jkt: string) =>
          checkProof(
            isDpop ? headerOf(request, 'dpop') : undefined,
            { jkt, token, method: request.method ?? 'GET', url: origin + path },
            isNew,
          );
        const claims = await checks.accessToken(token, { tenantId, appIds, audience: resource }, prove);
        if (isDpop && !claims.cnf) throw new VerificationError('the token is bound to no key');
        const lack = lackOf(claims, needs);
        return lack ? refuse(lack.status, lack.challenge, lack.description) : { claims };
      } catch (error) {
        if (!(error instanceof VerificationError)) throw error;
        return refuse(401, { error: 'invalid_token', scope }, error.message);
      }
    },
  };
}
