import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose';
import { callJson } from '../../lib/local/stand-ins/call-json.ts';
import type { PublicJwk, SigningKey } from '../../shared/ports/directory.ts';
import { startWorld, type World } from '../support/world.ts';

/** Functions read keys again after a minute, and others after the five that the answer says. */
const CACHES_SECONDS = 61;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

/** A new key of KMS, as the record of one that is not used yet. */
async function nextKey(): Promise<SigningKey> {
  const kms = <Result>(action: string, input: object) =>
    callJson<Result>(`${world.url}/_local/aws/kms`, `TrentService.${action}`, input);
  const spec = { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' };
  const { KeyMetadata } = await kms<{ KeyMetadata: { Arn: string } }>('CreateKey', spec);
  const { PublicKey } = await kms<{ PublicKey: string }>('GetPublicKey', { KeyId: KeyMetadata.Arn });
  const key = createPublicKey({ key: Buffer.from(PublicKey, 'base64'), format: 'der', type: 'spki' });
  const publicJwk = key.export({ format: 'jwk' }) as PublicJwk;
  const kid = await calculateJwkThumbprint(publicJwk as JWK);
  return { kid, alg: 'RS256', publicJwk, keyArn: KeyMetadata.Arn, state: 'next', stateSince: 0 };
}

const published = async () => (await world.get<{ keys: JWK[] }>('/oidc/jwks')).body;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

test('N093 a new key is published before it signs, the old one while its tokens live', async () => {
  const { signingKeyRecords } = await world.ports(['signingKeyRecords']);
  const [before] = await signingKeyRecords.list();
  if (!before) throw new Error('there is no signing key');
  const next = await nextKey();
  await signingKeyRecords.put(next);
  await world.advanceClock(CACHES_SECONDS);

  const cached = await published();
  expect(cached.keys.map(({ kid }) => kid).toSorted()).toEqual([before.kid, next.kid].toSorted());
  const older = await world.clientToken();
  expect(kidOf(older)).toBe(before.kid);

  await signingKeyRecords.move(before.kid, 'current', 'previous', 1);
  await signingKeyRecords.move(next.kid, 'next', 'current', 1);
  await world.advanceClock(CACHES_SECONDS);

  const newer = await world.clientToken();
  expect(kidOf(newer)).toBe(next.kid);
  // A backend that fetched the keys before the change, and has not since.
  const currentDate = new Date(Date.now());
  await jwtVerify(newer, createLocalJWKSet(cached), { issuer: world.environment.issuer, currentDate });
  await jwtVerify(older, createLocalJWKSet(await published()), { currentDate });
  for (const token of [older, newer]) expect((await world.get('/v1/users', { token })).status).toBe(200);
});
