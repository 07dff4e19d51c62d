import type { Client, PublicJwk, TokenAlgorithm } from '../../ports/directory.ts';

/** How tokens can be signed, the default first. */
const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const satisfies readonly TokenAlgorithm[];

/** The algorithms that are on: ES256 has a key of its own, which an environment has or not. */
export const algorithmsOn = ({ es256 }: { readonly es256: boolean }): readonly TokenAlgorithm[] =>
  TOKEN_ALGORITHMS.filter((alg) => alg !== 'ES256' || es256);

const OF_RSA = ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];
const OF_CURVE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['Ed25519', 'EdDSA']],
]);

/** Signature algorithms for callers: asymmetric only, never `none`. */
export const CALLER_ALGORITHMS: readonly string[] = [...OF_CURVE.values(), OF_RSA].flat();

/** FAPI 2.0 Security Profile §5.4.1. The last two are names of one. */
const OF_FAPI2: readonly string[] = ['PS256', 'ES256', 'Ed25519', 'EdDSA'];

/** What a client may sign with: assertions and DPoP proofs. */
export const acceptedAlgorithms = ({ profile }: Client): readonly string[] =>
  profile === 'fapi2' ? OF_FAPI2 : CALLER_ALGORITHMS;

function possibleOf({ kty, crv }: PublicJwk): readonly string[] {
  if (kty === 'RSA') return OF_RSA;
  const ofCurve = kty === 'EC' || kty === 'OKP' ? OF_CURVE.get(crv) : undefined;
  return ofCurve ?? [];
}

/**
 * The algorithms of a key. Derived from the key, not from the token: an attacker could use a public key as the secret of an
 * HMAC (RFC 8725 §3.1).
 */
export function algorithmsOf(jwk: PublicJwk): readonly string[] {
  const possible = possibleOf(jwk);
  return jwk.alg === undefined ? possible : possible.filter((name) => name === jwk.alg);
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** Whether a JWK has members of a private or symmetric key (RFC 7518 §6). */
export function hasPrivateMembers(jwk: object): boolean {
  return PRIVATE_MEMBERS.some((member) => member in jwk);
}
