import type { SigningKey } from '../ports/keys.ts';
import type { Using } from '../ports/uses.ts';

export type SigningPorts = Using<'signingKeys' | 'signer'>;

export type JwtClaims = Readonly<Record<string, unknown>>;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Between the two moves of a rotation there are two: the newer one has come to stay. */
function currentKey(keys: readonly SigningKey[]): SigningKey {
  const [newest] = keys
    .filter(({ state }) => state === 'current')
    .toSorted((one, other) => other.stateSince - one.stateSince);
  if (!newest) throw new Error('no current signing key');
  return newest;
}

/**
 * A compact JWS under the current key (RFC 7515 §7.1). The signer is given the key of the record whose `kid` is in the
 * header: neither a rotation nor a change of mode can mix the two.
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
