import { expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { PublicJwk } from '../../shared/ports/directory.ts';
import { verifyAccessToken } from '../../shared/tokens/verify.ts';
import { someSigningKey } from '../support/server/records.ts';

const ISSUER = 'https://login.example.com/cis/oidc';
const pair = await generateKeyPair('RS256');
const key = someSigningKey({ publicJwk: (await exportJWK(pair.publicKey)) as PublicJwk, state: 'current' });

/** A token under our own key, as if the service had issued it. */
async function kindOf(claims: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const all = { client_id: 'client', tid: 'tenant', jti: 'jti', app_id: 'app', auth_time: 1, ...claims };
  const token = await new SignJWT(all)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid })
    .setIssuer(ISSUER)
    .setAudience(ISSUER)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(pair.privateKey);
  return (await verifyAccessToken(token, [key], ISSUER))?.kind;
}

test.each([
  ['a client that is its own subject is a client', { sub: 'client' }, 'client'],
  ['a subject with a session is a user', { sub: 'user', sid: 'user.1' }, 'user'],
  ['N018 no user has the ID of a client', { sub: 'client', sid: 'client.1' }, undefined],
  ['N018 no client has the ID of a user', { sub: 'user' }, undefined],
])('%s', async (_title, claims, kind) => {
  expect(await kindOf(claims)).toBe(kind);
});
