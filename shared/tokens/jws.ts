import type { TokenAlgorithm } from '../ports/directory.ts';
import type { SigningKey } from '../ports/keys.ts';
import type { Using } from '../ports/uses.ts';

/** In an access token: the claims that its login asked of UserInfo, beside those of the scope (OIDC Core §5.5). */
export const USER_INFO_CLAIM = 'userinfo_claims';

export type SigningPorts = Using<'signingKeys' | 'signer'>;

export type JwtClaims = Readonly<Record<string, unknown>>;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** One algorithm of a key, under a `kid` of its own. */
export interface KeyUse {
  readonly kid: string;
  readonly alg: TokenAlgorithm;
  readonly key: SigningKey;
}

/**
 * What a key signs by. Each algorithm is published as a key of its own, because verifiers take a key by its `alg` alone
 * (RFC 7517 §4.4) and some assume RS256 where it is missing. No thumbprint has a full stop.
 */
export const usesOfKey = (key: SigningKey): readonly KeyUse[] => [
  { kid: key.kid, alg: key.alg, key },
  ...(key.alg === 'RS256' ? [{ kid: `${key.kid}.PS256`, alg: 'PS256', key } as const] : []),
];

/**
 * A rotation has two current keys between its two writes: the newer one stays. Without a key for the algorithm a token has
 * PS256, which every environment signs by, and FAPI 2.0 allows as it does ES256 (FAPI 2.0 Security Profile §5.4.1).
 */
function currentUse(keys: readonly SigningKey[], alg: TokenAlgorithm): KeyUse {
  const uses = keys
    .filter(({ state }) => state === 'current')
    .toSorted((one, other) => other.stateSince - one.stateSince)
    .flatMap(usesOfKey);
  const use = uses.find((each) => each.alg === alg) ?? uses.find((each) => each.alg === 'PS256');
  if (!use) throw new Error('no current signing key');
  return use;
}

/** What a token is, and how its client wants it signed; by default RS256 (OpenID Connect Registration §2). */
interface JwtKind {
  readonly typ: 'at+jwt' | 'JWT' | 'logout+jwt';
  readonly alg: TokenAlgorithm | undefined;
}

/**
 * Signs claims as a compact JWS under the current key (RFC 7515 §7.1). Header and signature use one and the same key record,
 * so neither a rotation nor a change of mode can mix two keys.
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
