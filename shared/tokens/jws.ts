import { createHash } from 'node:crypto';
import type { SigningKeys } from '../ports/directory.ts';
import type { Signer } from '../ports/keys.ts';

export interface SigningPorts {
  readonly signingKeys: SigningKeys;
  readonly signer: Signer;
}

export type JwtClaims = Readonly<Record<string, unknown>>;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * A compact JWS under the current key (RFC 7515 §7.1). Only the SHA-256 digest goes to KMS, so claims may be of any
 * size. The signer is given the key of the record whose `kid` is in the header: rotation can never mix the two.
 */
export async function signJwt(
  ports: SigningPorts,
  typ: 'at+jwt' | 'JWT',
  claims: JwtClaims,
): Promise<string> {
  const key = (await ports.signingKeys.list()).find(({ state }) => state === 'current');
  if (!key) throw new Error('no current signing key');
  const input = `${encode({ alg: key.alg, typ, kid: key.kid })}.${encode(claims)}`;
  const signature = await ports.signer.sign(key, createHash('sha256').update(input).digest());
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}
