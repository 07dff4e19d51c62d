import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compactVerify, importJWK, type JWK } from 'jose';
import { ENVELOPE_KEY_ID, localKeys } from '../../lib/local/demo.ts';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { setEnvironment } from '../../lib/local/function-environment.ts';
import { connectKms } from '../../shared/aws/kms.ts';
import { joseSignature, kmsSigner } from '../../shared/aws/kms-signer.ts';
import { createKey, createSealedKeyPair } from '../../shared/aws/signing-keys/make-keys.ts';
import { signingKeyRecord } from '../../shared/aws/signing-keys/record.ts';
import { listKeyUses } from '../../shared/tokens/jws.ts';
import { encode } from '../support/fixtures/proofs.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
let restore: () => void;
beforeAll(async () => {
  emulators = await openEmulators({ keys: localKeys });
  restore = setEnvironment(emulators.environment);
});
afterAll(async () => {
  restore();
  await emulators.stop();
});

test.each(['RS256', 'ES256'] as const)(
  'the library jose accepts signatures of a %s key in both signing modes',
  async (kind) => {
    const made = [
      await createKey({ alg: kind, tags: {} }),
      await createSealedKeyPair(ENVELOPE_KEY_ID, { a: 'b' }, kind),
    ];
    const signer = kmsSigner(connectKms({ env: {} }));
    for (const one of made)
      for (const { alg, key } of listKeyUses(await signingKeyRecord(one, 'current', 0))) {
        const input = `${encode({ alg })}.${encode({ sub: 'ann' })}`;
        const signature = await signer.sign(key, alg, Buffer.from(input));
        const jws = `${input}.${Buffer.from(signature).toString('base64url')}`;
        const publicKey = await importJWK(key.publicJwk as JWK, alg);
        expect((await compactVerify(jws, publicKey, { algorithms: [alg] })).protectedHeader.alg).toBe(alg);
      }
  },
);

/** Encodes r and s of 32 bytes each as a DER signature. */
function encodeDer(...numbers: readonly Uint8Array[]): Buffer {
  const integers = numbers.map((bytes) => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const shortest = first < 0 ? Buffer.of(0) : Buffer.from(bytes.subarray(first));
    const content = (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest;
    return Buffer.concat([Buffer.of(2, content.length), content]);
  });
  const content = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

/** Generates 32-byte numbers with leading zero bytes or with the highest bit set, which are the edge cases of DER integers. */
const number = fc
  .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([zeros, bytes]) => bytes.fill(0, 0, zeros));

test('an ES256 signature consists of the 32-byte integers r and s (RFC 7518 §3.4)', () => {
  fc.assert(
    fc.property(number, number, (r, s) => {
      expect(Buffer.from(joseSignature(encodeDer(r, s)))).toEqual(Buffer.concat([r, s]));
    }),
  );
});

test('a malformed DER signature is rejected', () => {
  const bytes = (first: number) => Buffer.alloc(32, 0x11).fill(first, 0, 1);
  const good = encodeDer(bytes(0x7f), bytes(0x80));
  const with0 = (offset: number, value: number) => Buffer.from(good).fill(value, offset, offset + 1);
  const wrong = [
    Buffer.of(),
    ...Array.from(good.keys(), (length) => good.subarray(0, length)),
    Buffer.concat([good, Buffer.of(0)]),
    Buffer.concat([Buffer.of(0x30, good.length - 1), good.subarray(2), Buffer.of(0)]),
    ...[0, 1, 2, 3].map((offset) => with0(offset, (good[offset] ?? 0) + 1)),
    // An integer that is negative, one with unnecessary padding, one of 33 bytes, and an empty one.
    with0(4, 0xff),
    Buffer.concat([Buffer.of(0x30, 7, 2, 2, 0, 1), Buffer.of(2, 1, 1)]),
    Buffer.concat([Buffer.of(0x30, 38, 2, 33), Buffer.alloc(33, 1), Buffer.of(2, 1, 1)]),
    Buffer.of(0x30, 5, 2, 0, 2, 1, 1),
  ];
  for (const der of wrong) expect(() => joseSignature(der)).toThrow('malformed signature');
});

test('ES256 signatures from KMS are valid after conversion from DER', async () => {
  const record = await signingKeyRecord(await createKey({ alg: 'ES256', tags: {} }), 'current', 0);
  const publicKey = createPublicKey({ key: record.publicJwk as JsonWebKey, format: 'jwk' });
  const signer = kmsSigner(connectKms({ env: {} }));
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  for (let count = 0; count < 60; count += 1) {
    const message = Buffer.from(`message ${count}`);
    expect(verify('sha256', message, key, await signer.sign(record, 'ES256', message))).toBe(true);
  }
});
