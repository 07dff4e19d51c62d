import type { Client, PublicJwk, TokenAlgorithm } from '../../ports/directory.ts';

/** Signature algorithms for tokens. The first algorithm is the default. */
const TOKEN_ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const satisfies readonly TokenAlgorithm[];

/** Lists the enabled signature algorithms. ES256 needs a separate key, and not every environment has one. */
export const listEnabledAlgorithms = ({ es256 }: { readonly es256: boolean }): readonly TokenAlgorithm[] =>
  TOKEN_ALGORITHMS.filter((alg) => alg !== 'ES256' || es256);

const RSA_ALGORITHMS = ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];
const CURVE_ALGORITHMS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['Ed25519', 'EdDSA']],
]);

/** Signature algorithms accepted in JWTs from clients and other issuers: only asymmetric algorithms, never `none`. */
export const CALLER_ALGORITHMS: readonly string[] = [...CURVE_ALGORITHMS.values(), RSA_ALGORITHMS].flat();

/** Signature algorithms that FAPI 2.0 Security Profile §5.4.1 allows. `Ed25519` and `EdDSA` name the same algorithm. */
const FAPI2_ALGORITHMS: readonly string[] = ['PS256', 'ES256', 'Ed25519', 'EdDSA'];

/** Lists the algorithms with which a client may sign assertions and DPoP proofs. */
export const listAcceptedAlgorithms = ({ profile }: Client): readonly string[] =>
  profile === 'fapi2' ? FAPI2_ALGORITHMS : CALLER_ALGORITHMS;

function listPossibleAlgorithms({ kty, crv }: PublicJwk): readonly string[] {
  if (kty === 'RSA') return RSA_ALGORITHMS;
  const curveAlgorithms = kty === 'EC' || kty === 'OKP' ? CURVE_ALGORITHMS.get(crv) : undefined;
  return curveAlgorithms ?? [];
}

/**
 * Lists the algorithms that a key can be used with. They are derived from the key, not from the token, because an attacker
 * could otherwise use a public key as the secret of an HMAC (RFC 8725 §3.1).
 */
export function listKeyAlgorithms(jwk: PublicJwk): readonly string[] {
  const possible = listPossibleAlgorithms(jwk);
  return jwk.alg === undefined ? possible : possible.filter((name) => name === jwk.alg);
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** Returns true if a JWK contains members of a private or symmetric key (RFC 7518 §6). */
export function hasPrivateMembers(jwk: object): boolean {
  return PRIVATE_MEMBERS.some((member) => member in jwk);
}
