import { ServiceError } from '../errors/service-error.ts';
import { challenge, invalidToken, type TokenScheme } from '../tokens/challenges.ts';
import { spendDpopProof, verifyDpopProof } from '../tokens/dpop.ts';
import type { VerifiedAccessToken } from '../tokens/verify.ts';
import type { ImpliedPorts } from './effective-ports.ts';
import type { Exchange } from './exchange.ts';

/** Access token and its scheme from the `Authorization` header. */
export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly token: string;
}

/** Reads the access token of a request. Errors: `invalid_token`. */
export function readToken({ request }: Exchange): PresentedToken {
  const [, scheme, token] = /^(bearer|dpop) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme === undefined || token === undefined) throw invalidToken('missing');
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
}

/**
 * Converts the error of an invalid DPoP proof to a 401 response with a `WWW-Authenticate` challenge. The token endpoint, which
 * responds with 400, does not use this function.
 */
function refusedProof(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { key, detail } = error;
  if (key !== 'invalid_dpop_proof' && key !== 'use_dpop_nonce') return error;
  return new ServiceError('invalid_token', {
    ...detail,
    headers: { ...detail.headers, 'www-authenticate': challenge('DPoP', key) },
  });
}

/**
 * Checks that the caller has proven the key to which the token is bound. A token without a key must not use the scheme `DPoP`
 * (RFC 9449 §7). A bearer token is accepted without a database call. Errors: `invalid_token`.
 */
export async function checkBinding(
  { request, settings }: Exchange,
  ports: ImpliedPorts,
  { scheme, token: accessToken }: PresentedToken,
  { dpopJkt, clientId }: VerifiedAccessToken,
): Promise<void> {
  if (dpopJkt === undefined && scheme === 'Bearer') return;
  const { clients, nonceMac, replays } = ports;
  if (dpopJkt === undefined || scheme === 'Bearer' || !clients || !replays)
    throw invalidToken('binding', 'DPoP');
  const { now } = request;
  // Only proofs for users' tokens need nonces. Functions for backends do not have the key that checks nonces.
  const client = nonceMac && (await clients.find(clientId));
  const nonces = nonceMac && client?.dpopNonce ? { nonces: { nonceMac } } : {};
  try {
    const proof = await verifyDpopProof({ request, settings, accessToken, client, now, ...nonces });
    if (proof.jkt !== dpopJkt) throw invalidToken('binding', 'DPoP');
    await spendDpopProof({ replays }, proof, now);
  } catch (error) {
    throw refusedProof(error);
  }
}
