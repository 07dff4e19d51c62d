import { decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import {
  CALLER_ALGORITHMS,
  listAcceptedAlgorithms,
  listKeyAlgorithms,
} from '../domain/basis/key-algorithms.ts';
import {
  CLIENT_ASSERTION_SECONDS,
  PROOF_ID_MAX,
  PROOF_MAX,
  PROOF_SKEW_SECONDS,
} from '../domain/basis/limits.ts';
import { invalidClient, usesMethod } from '../domain/oauth/client-authentication.ts';
import type { ServiceError } from '../errors/service-error.ts';
import type { Client, PublicJwk } from '../ports/directory.ts';
import type { PortsWith } from '../ports/uses.ts';

// `private_key_jwt`: client authentication with a signed JWT (RFC 7523 §3, OpenID Connect Core §9).

export interface ClientAssertion {
  readonly clientId: string;
  readonly jti: string;
  /** Time from which the assertion is too old, in epoch seconds. */
  readonly expiresAt: number;
  readonly audience: unknown;
  readonly algorithm: string;
  readonly keyId: string | undefined;
  readonly jwt: string;
}

export interface PresentedAssertion {
  /** Form parameter `client_id`, which is optional (RFC 7521 §4.2). */
  readonly clientId: string | undefined;
  readonly assertionType: string;
  readonly assertion: string;
}

export interface AssertionExpectation {
  readonly issuer: string;
  /** URLs that the `aud` claim may contain instead of the issuer. */
  readonly endpoints: readonly string[];
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Accepted `typ` values. A JWT with another `typ` was signed for another purpose (RFC 8725 §3.11). */
const TYPES = new Set(['jwt', 'client-authentication+jwt']);

function badAssertion(reason: string): ServiceError {
  return invalidClient({ message: `client_assertion: ${reason}` });
}

function decode(jwt: string) {
  if (jwt.length > PROOF_MAX) throw badAssertion(`must have at most ${PROOF_MAX} characters`);
  try {
    return { payload: decodeJwt(jwt), header: decodeProtectedHeader(jwt) };
  } catch {
    throw badAssertion('must be a signed JWT');
  }
}

function checkTimes({ exp, iat, nbf }: JWTPayload, now: number): number {
  if (typeof exp !== 'number') throw badAssertion('exp is required');
  if (exp <= now - PROOF_SKEW_SECONDS) throw badAssertion('has expired');
  if (exp > now + CLIENT_ASSERTION_SECONDS + PROOF_SKEW_SECONDS)
    throw badAssertion(
      `exp is more than ${CLIENT_ASSERTION_SECONDS} seconds ahead (and ${PROOF_SKEW_SECONDS} of skew)`,
    );
  for (const [name, value] of Object.entries({ iat, nbf })) {
    if (value !== undefined && !(typeof value === 'number' && value <= now + PROOF_SKEW_SECONDS))
      throw badAssertion(`${name} is more than ${PROOF_SKEW_SECONDS} seconds ahead`);
  }
  return Math.ceil(exp) + PROOF_SKEW_SECONDS;
}

/**
 * Reads a client assertion and checks everything that does not depend on the client. The error messages state the reason, which
 * does not reveal which clients exist. Errors: `invalid_client`.
 */
export function readClientAssertion(
  presented: PresentedAssertion,
  { issuer, endpoints, now }: AssertionExpectation,
): ClientAssertion {
  const { assertion: jwt, assertionType, clientId } = presented;
  if (assertionType !== ASSERTION_TYPE)
    throw invalidClient({ message: `client_assertion_type: must be ${ASSERTION_TYPE}` });
  const { payload, header } = decode(jwt);
  const { alg, typ = 'JWT', kid } = header;
  if (alg === undefined || !CALLER_ALGORITHMS.includes(alg))
    throw badAssertion('alg must be an asymmetric signature algorithm');
  if (typeof typ !== 'string' || !TYPES.has(typ.toLowerCase().replace(/^application\//, '')))
    throw badAssertion('typ is not that of an assertion');

  const { iss, sub, aud, jti } = payload;
  if (typeof sub !== 'string' || iss !== sub || (clientId !== undefined && clientId !== sub))
    throw badAssertion('iss and sub must be the client_id');
  const good = [issuer, ...endpoints];
  if (![aud].flat().some((one) => one !== undefined && good.includes(one)))
    throw badAssertion(`aud must be ${issuer}`);
  if (typeof jti !== 'string' || jti === '' || jti.length > PROOF_ID_MAX)
    throw badAssertion(`jti must be a string of at most ${PROOF_ID_MAX} characters`);
  const expiresAt = checkTimes(payload, now);
  return { clientId: sub, jti, expiresAt, audience: aud, algorithm: alg, keyId: kid, jwt };
}

async function isSignedByKey(
  jwk: PublicJwk,
  { jwt, algorithm }: ClientAssertion,
  now: number,
): Promise<boolean> {
  try {
    await jwtVerify(jwt, jwk, {
      algorithms: [algorithm],
      currentDate: new Date(now * 1000),
      clockTolerance: PROOF_SKEW_SECONDS,
    });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true if a key of the client verifies the assertion's signature with the algorithm that the assertion names. The key
 * must permit this algorithm.
 */
export async function isSignedByClient(
  client: Client,
  assertion: ClientAssertion,
  now: number,
): Promise<boolean> {
  if (!usesMethod(client, 'private_key_jwt') || client.clientId !== assertion.clientId) return false;
  const { algorithm, keyId } = assertion;
  const candidates = (client.jwks?.keys ?? []).filter(
    (jwk) =>
      listKeyAlgorithms(jwk).includes(algorithm) &&
      (keyId === undefined || jwk.kid === undefined || jwk.kid === keyId),
  );
  for (const jwk of candidates) if (await isSignedByKey(jwk, assertion, now)) return true;
  return false;
}

/**
 * Checks the stricter rules of some clients. With `strictAudience`, the issuer must be the only audience, as a single string.
 * Otherwise, an attacker could replay an assertion that another server also accepts. Profiles limit the algorithms (FAPI 2.0
 * Security Profile §5.3.2.1, §5.4.1). Errors: `invalid_client`.
 */
export function checkStrictRules(
  client: Client,
  { audience, algorithm }: ClientAssertion,
  issuer: string,
): void {
  if (client.strictAudience && audience !== issuer)
    throw badAssertion(`aud must be ${issuer} only, as a single string`);
  const accepted = listAcceptedAlgorithms(client);
  if (!accepted.includes(algorithm)) throw badAssertion(`alg must be one of ${accepted.join(', ')}`);
}

/**
 * Consumes an assertion, so that only one of several requests with the same assertion succeeds (RFC 7523 §3, point 7). Errors:
 * `invalid_client`.
 */
export async function spendClientAssertion(
  ports: PortsWith<'replays'>,
  { clientId, jti, expiresAt }: ClientAssertion,
  now: number,
): Promise<void> {
  if (!(await ports.replays.spend(`client-assertion#${clientId}`, jti, expiresAt, now)))
    throw badAssertion('jti was used before');
}
