import type { TokenAlgorithm } from '../ports/directory.ts';
import type { SigningKey } from '../ports/keys.ts';
import type { PortsWith } from '../ports/uses.ts';

/** Access token claim with the names of the claims requested for UserInfo, in addition to the scope (OIDC Core §5.5). */
export const USER_INFO_CLAIM = 'userinfo_claims';

export type SigningPorts = PortsWith<'signingKeys' | 'signer'>;

export type JwtClaims = Readonly<Record<string, unknown>>;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Signing key with one of its algorithms, and the `kid` under which this combination is published. */
export interface KeyUse {
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly key: SigningKey;
}

/**
 * Returns the algorithms of a signing key. The key is published separately for each algorithm, because verifiers select a key
 * only by `alg` (RFC 7517 §4.4) and some assume RS256 if `alg` is missing. The separator of the `kid` is a full stop, which no
 * thumbprint contains.
 */
export const listKeyUses = (key: SigningKey): readonly KeyUse[] => [
  { kid: key.kid, alg: key.alg, key },
  ...(key.alg === 'RS256' ? [{ kid: `${key.kid}.PS256`, alg: 'PS256', key } as const] : []),
];

/**
 * Returns the current key for an algorithm. If a rotation has just made two keys current, returns the newer key. If no key has
 * the algorithm, returns a key for PS256, which every environment has and FAPI 2.0 allows (FAPI 2.0 Security Profile §5.4.1).
 */
function currentUse(keys: readonly SigningKey[], alg: TokenAlgorithm): KeyUse {
  const uses = keys
    .filter(({ state }) => state === 'current')
    .toSorted((one, other) => other.stateSince - one.stateSince)
    .flatMap(listKeyUses);
  const use = uses.find((each) => each.alg === alg) ?? uses.find((each) => each.alg === 'PS256');
  if (!use) throw new Error('no current signing key');
  return use;
}

/** Type of a JWT (`typ`), and the client's signing algorithm, which defaults to RS256 (OpenID Connect Registration §2). */
interface JwtKind {
  readonly typ: 'at+jwt' | 'JWT' | 'logout+jwt';
  readonly alg: TokenAlgorithm | undefined;
}

/**
 * Signs claims as a compact JWS with the current key (RFC 7515 §7.1). Header and signature use the same key record, so that a
 * rotation or a change of the signing mode cannot mix two keys.
 */
export async function signJwt(
  ports: SigningPorts,
  { typ, alg: wanted = 'RS256' }: JwtKind,
  claims: JwtClaims,
): Promise<string> {
  const { kid, alg, key } = currentUse(await ports.signingKeys.list(), wanted);
  const input = `${encode({ alg, typ, kid })}.${encode(claims)}`;
  const signature = await ports.signer.sign(key, alg, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}
