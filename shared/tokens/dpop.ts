import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import {
  CALLER_ALGORITHMS,
  hasPrivateMembers,
  listAcceptedAlgorithms,
} from '../domain/basis/key-algorithms.ts';
import { PROOF_ID_MAX, PROOF_MAX, PROOF_SKEW_SECONDS } from '../domain/basis/limits.ts';
import { invalidInput, ServiceError } from '../errors/service-error.ts';
import type { Client } from '../ports/directory.ts';
import type { NonceMac } from '../ports/keys.ts';
import type { PortsWith } from '../ports/uses.ts';
import { currentNonce, isValidNonce, nonceEndsAt } from './dpop-nonce.ts';
import { publicAddresses } from './public-addresses.ts';

// Proofs that the caller holds a private key (RFC 9449). A stolen token is useless without the key.

export interface DpopProof {
  /** RFC 7638 thumbprint of the caller's public key. */
  readonly jkt: string;
  readonly jti: string;
  readonly iat: number;
  /** Time from which the proof is too old, in epoch seconds. Its `jti` must be remembered until then, but not longer. */
  readonly expiresAt: number;
}

export interface ProvenRequest {
  readonly method: string;
  /** Request path without the prefix `/cis`, decoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface DpopExpectation {
  readonly request: ProvenRequest;
  readonly settings: { readonly baseUrl: string };
  /** Access token that is sent together with the proof to protected resources. */
  readonly accessToken?: string;
  /** MAC with which nonces are created. If it is set, the proof must contain a nonce of this service (RFC 9449 §8). */
  readonly nonces?: { readonly nonceMac: NonceMac };
  /** Client that sends the proof. Its security profile may restrict the algorithms. */
  readonly client?: Client | undefined;
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

function badProof(reason: string): ServiceError {
  return new ServiceError('invalid_dpop_proof', { message: `DPoP: ${reason}` });
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Reads the DPoP header. Repeated headers are rejected, because the gateway joins them with a comma. */
function readHeader(header: string | undefined): string {
  if (header === undefined) throw badProof('a proof is required');
  if (header.length > PROOF_MAX || !COMPACT.test(header)) throw badProof('must be exactly one signed JWT');
  return header;
}

/**
 * Verifies the type, algorithm and signature of a proof with the public key in the proof's header (RFC 9449 §4.3, points 4 to
 * 7).
 */
async function verifySignature(proof: string, { client, now }: DpopExpectation) {
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...(client ? listAcceptedAlgorithms(client) : CALLER_ALGORITHMS)],
      currentDate: new Date(now * 1000),
      clockTolerance: PROOF_SKEW_SECONDS,
    });
    const { jwk } = protectedHeader;
    if (!jwk || hasPrivateMembers(jwk)) throw new Error('a private key');
    return { payload, jkt: await calculateJwkThumbprint(jwk) };
  } catch {
    throw badProof('must be of the type dpop+jwt, signed by the public key in its header');
  }
}

/** Pattern of a URL. It allows printable ASCII except the backslash, which URL parsers treat as a slash. */
const ADDRESS = /^[\x21-\x5b\x5d-\x7e]+$/;

/** Returns a URL with normalised scheme, host and path (RFC 3986 §6.2.2, §6.2.3) and a decoded path. */
function normalised(address: string): string | undefined {
  if (!ADDRESS.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname, username, password } = new URL(address);
  if (username !== '' || password !== '') return undefined;
  try {
    return `${origin}${decodeURIComponent(pathname)}`;
  } catch {
    return undefined;
  }
}

function checkTarget({ htm, htu }: JWTPayload, { request, settings }: DpopExpectation): void {
  if (htm !== request.method) throw badProof('htm is not the method of the request');
  const target = typeof htu === 'string' ? normalised(htu) : undefined;
  if (target === undefined || !publicAddresses(settings.baseUrl, request.path).includes(target))
    throw badProof('htu is not the address of the request');
}

function checkTokenHash({ ath }: JWTPayload, accessToken: string | undefined): void {
  if (accessToken === undefined) return;
  if (ath !== createHash('sha256').update(accessToken).digest('base64url'))
    throw badProof('ath is not the hash of the access token');
}

async function useNonce(nonces: PortsWith<'nonceMac'>, now: number): Promise<ServiceError> {
  return new ServiceError('use_dpop_nonce', { headers: { 'dpop-nonce': await currentNonce(nonces, now) } });
}

/** Checks the age of a proof. A nonce proves that the proof is fresh, even if the caller's clock is wrong (RFC 9449 §11.1). */
async function checkAge(payload: JWTPayload, { nonces, now }: DpopExpectation) {
  const { iat, nonce } = payload;
  if (iat === undefined) throw badProof('iat is required');
  if (nonces) {
    if (typeof nonce !== 'string' || !(await isValidNonce(nonces, nonce, now)))
      throw await useNonce(nonces, now);
    return { iat, expiresAt: nonceEndsAt(now) };
  }
  if (Math.abs(now - iat) > PROOF_SKEW_SECONDS)
    throw badProof(`iat is more than ${PROOF_SKEW_SECONDS} seconds away from the clock of the service`);
  return { iat, expiresAt: Math.floor(iat) + PROOF_SKEW_SECONDS + 1 };
}

/**
 * Verifies the DPoP proof of a request (RFC 9449 §4.3), except that it may have been used before: `spendDpopProof` checks this.
 * Errors: `invalid_dpop_proof`, `use_dpop_nonce`.
 */
export async function verifyDpopProof(expected: DpopExpectation): Promise<DpopProof> {
  const proof = readHeader(expected.request.headers.dpop);
  const { payload, jkt } = await verifySignature(proof, expected);
  checkTarget(payload, expected);
  checkTokenHash(payload, expected.accessToken);
  const { jti } = payload;
  if (typeof jti !== 'string' || jti === '' || jti.length > PROOF_ID_MAX)
    throw badProof(`jti must be a string of at most ${PROOF_ID_MAX} characters`);
  return { jkt, jti, ...(await checkAge(payload, expected)) };
}

/**
 * Verifies the DPoP proof of a token request (RFC 9449 §5). Returns undefined if the request has no proof and the client needs
 * none. Errors: `system_invalid_input` (RFC 9449 §5.2), `invalid_dpop_proof`, `use_dpop_nonce`.
 */
export async function verifyTokenRequestProof(
  ports: PortsWith<'nonceMac'>,
  client: Client,
  { request, settings, now }: Pick<DpopExpectation, 'request' | 'settings' | 'now'>,
): Promise<DpopProof | undefined> {
  if (request.headers.dpop === undefined) {
    if (client.dpopBound) throw invalidInput('DPoP: a proof is required for this client');
    return undefined;
  }
  const nonces = client.dpopNonce ? { nonces: ports } : {};
  return verifyDpopProof({ request, settings, client, now, ...nonces });
}

/** Rejects clients that must use DPoP, in operations that issue only bearer tokens. Errors: `system_invalid_input`. */
export function requireBearerClient({ dpopBound }: Client): void {
  if (dpopBound)
    throw invalidInput('DPoP: this client gets only DPoP-bound tokens, by a redirect and /oidc/token');
}

/**
 * Consumes a proof, so that only one of several requests with the same proof succeeds (RFC 9449 §11.1). Errors:
 * `invalid_dpop_proof`.
 */
export async function spendDpopProof(
  ports: PortsWith<'replays'>,
  { jkt, jti, expiresAt }: DpopProof,
  now: number,
): Promise<void> {
  if (!(await ports.replays.spend(`dpop#${jkt}`, jti, expiresAt, now))) throw badProof('jti was used before');
}
