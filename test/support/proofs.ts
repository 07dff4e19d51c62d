import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublicJwk } from '../../shared/ports/directory.ts';

/** Keys of callers, and what callers sign with them: by node:crypto, so that nothing keeps a test from signing nonsense. */

export interface CallerKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

function generate(alg: string, modulusLength: number) {
  if (alg.startsWith('Ed')) return generateKeyPairSync('ed25519');
  const namedCurve = CURVES[alg];
  return namedCurve === undefined
    ? generateKeyPairSync('rsa', { modulusLength })
    : generateKeyPairSync('ec', { namedCurve });
}

export const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as unknown as PublicJwk;

export function newKey(alg = 'ES256', modulusLength = 2048): CallerKey {
  const pair = generate(alg, modulusLength);
  return { alg, ...pair, jwk: jwkOf(pair.publicKey) };
}

function signatureBy({ alg, privateKey: key }: CallerKey, input: Buffer): Buffer {
  if (alg.startsWith('Ed')) return sign(null, input, key);
  const digest = `sha${alg.slice(-3)}`;
  if (alg.startsWith('ES')) return sign(digest, input, { key, dsaEncoding: 'ieee-p1363' });
  // RSA-PSS with a salt as long as the digest (RFC 7518 §3.5).
  const padding = alg.startsWith('PS') ? { padding: 6, saltLength: Number(alg.slice(-3)) / 8 } : {};
  return sign(digest, input, { key, ...padding });
}

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Fields = Readonly<Record<string, unknown>>;

/** A compact JWS; members of the header that are undefined are left out. */
export function signed(key: CallerKey, header: Fields, payload: unknown): string {
  const input = `${encode({ alg: key.alg, ...header })}.${encode(payload)}`;
  return `${input}.${signatureBy(key, Buffer.from(input)).toString('base64url')}`;
}

/** A DPoP proof; what is given replaces what a good one has. */
export function dpopProof(key: CallerKey, payload: Fields, header: Fields = {}): string {
  const good = { typ: 'dpop+jwt', jwk: key.jwk };
  return signed(key, { ...good, ...header }, { jti: crypto.randomUUID(), ...payload });
}
