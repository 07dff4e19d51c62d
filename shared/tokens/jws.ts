import type { SigningKey } from '../ports/keys.ts';
import type { Using } from '../ports/uses.ts';

export type SigningPorts = Using<'signingKeys' | 'signer'>;

export type JwtClaims = Readonly<Record<string, unknown>>;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A rotation has two current keys between its two writes: the newer one stays. */
function currentKey(keys: readonly SigningKey[]): SigningKey {
  const [newest] = keys
    .filter(({ state }) => state === 'current')
    .toSorted((one, other) => other.stateSince - one.stateSince);
  if (!newest) throw new Error('no current signing key');
  return newest;
}

/**
 * Signs claims as a compact JWS under the current key (RFC 7515 §7.1). Header and signature use one and the same key record,
 * so neither a rotation nor a change of mode can mix two keys.
 */
export async function signJwt(
  ports: SigningPorts,
  typ: 'at+jwt' | 'JWT',
  claims: JwtClaims,
): Promise<string> {
  const key = currentKey(await ports.signingKeys.list());
  const input = `${encode({ alg: key.alg, typ, kid: key.kid })}.${encode(claims)}`;
  const signature = await ports.signer.sign(key, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}
