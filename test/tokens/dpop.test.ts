import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { CALLER_ALGORITHMS } from '../../shared/domain/basis/key-algorithms.ts';
import { DPOP_NONCE_WINDOW_SECONDS } from '../../shared/domain/basis/limits.ts';
import { replayGuard } from '../../shared/dynamo/flows/replay-guard.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import {
  type DpopExpectation,
  type DpopProof,
  spendDpopProof,
  verifyDpopProof,
  verifyTokenRequestProof,
} from '../../shared/tokens/dpop.ts';
import { dpopProof, encode, newKey, signed, toJwk } from '../support/fixtures/proofs.ts';
import { atOnce } from '../support/server/at-once.ts';
import { someClient, T } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

const settings = { baseUrl: 'https://login.example.com/cis' };
const HTU = `${settings.baseUrl}/oidc/token`;
const key = newKey();
const rsa = newKey('RS256');
const good = { htm: 'POST', htu: HTU, iat: T, jti: 'jti' };

function expectation(dpop: string | undefined, more: Partial<DpopExpectation> = {}): DpopExpectation {
  return { request: { method: 'POST', path: '/oidc/token', headers: { dpop } }, settings, now: T, ...more };
}

const verify = (dpop: string | undefined, more?: Partial<DpopExpectation>) =>
  verifyDpopProof(expectation(dpop, more));

async function expectRefused(dpop: string | undefined, reason: RegExp, more?: Partial<DpopExpectation>) {
  await expect(verify(dpop, more)).rejects.toMatchObject({
    key: 'invalid_dpop_proof',
    message: expect.stringMatching(reason),
  });
}

describe('N050 verifying DPoP proofs', () => {
  test.each([...CALLER_ALGORITHMS])(
    'N050 a DPoP proof signed by %s with the key in its header is accepted',
    async (alg) => {
      const own = newKey(alg);
      expect(await verify(dpopProof(own, good))).toEqual({
        jkt: await calculateJwkThumbprint(own.jwk as JWK),
        jti: 'jti',
        iat: T,
        expiresAt: T + 61,
      });
    },
  );

  const hmac = (secret: string, input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url');
  const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const under = (header: object) => `${encode(header)}.${encode(good)}`;
  const hs256 = under({ alg: 'HS256', typ: 'dpop+jwt', jwk: rsa.jwk });
  const octJwk = under({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: encode('secret') } });
  const [header, , signature] = dpopProof(key, good).split('.');

  const forgeries: Readonly<Record<string, string>> = {
    'without a type': dpopProof(key, good, { typ: undefined }),
    'of the type JWT': dpopProof(key, good, { typ: 'JWT' }),
    'of the type of an access token': dpopProof(key, good, { typ: 'at+jwt' }),
    'of a type that is not a string': dpopProof(key, good, { typ: 7 }),
    'N047 with alg none': `${under({ alg: 'none', typ: 'dpop+jwt', jwk: key.jwk })}.AA`,
    'N047 with the public key as HMAC secret': `${hs256}.${hmac(pem, hs256)}`,
    'N047 with a symmetric key in its header': `${octJwk}.${hmac('secret', octJwk)}`,
    'N047 with an algorithm of another key type': dpopProof(key, good, { alg: 'RS256' }),
    'with an unknown algorithm': dpopProof(key, good, { alg: 'ES256K' }),
    'without a key': dpopProof(key, good, { jwk: undefined }),
    'with only a key ID': dpopProof(key, good, { jwk: undefined, kid: 'one' }),
    'with a key that is a string': dpopProof(key, good, { jwk: 'key' }),
    'with a list of keys': dpopProof(key, good, { jwk: [key.jwk] }),
    'with another key': dpopProof(key, good, { jwk: newKey().jwk }),
    'with the private key': dpopProof(key, good, { jwk: toJwk(key.privateKey) }),
    'with the private RSA key': dpopProof(rsa, good, { jwk: toJwk(rsa.privateKey) }),
    'with an empty private member': dpopProof(key, good, { jwk: { ...key.jwk, d: '' } }),
    'with a factor of the RSA key': dpopProof(rsa, good, { jwk: { ...rsa.jwk, p: 'AQAB' } }),
    'with a point off the curve': dpopProof(key, good, { jwk: { ...key.jwk, y: key.jwk.x } }),
    'with an RSA key of 1024 bits': dpopProof(newKey('RS256', 1024), good),
    'with a key for encryption': dpopProof(key, good, { jwk: { ...key.jwk, use: 'enc' } }),
    'with an unknown critical header': dpopProof(key, good, { crit: ['x'], x: 1 }),
    'with an unencoded payload': dpopProof(key, good, { crit: ['b64'], b64: false }),
    'with another payload': `${header}.${encode({ ...good, jti: 'other' })}.${signature}`,
    'with a truncated signature': dpopProof(key, good).slice(0, -40),
    'with a payload that is a list': signed(key, { typ: 'dpop+jwt', jwk: key.jwk }, [good]),
    'with a payload that is not an object': signed(key, { typ: 'dpop+jwt', jwk: key.jwk }, 'payload'),
    'that has expired': dpopProof(key, { ...good, exp: T - 61 }),
    'that is not valid yet': dpopProof(key, { ...good, nbf: T + 61 }),
    'with an iat that is a string': dpopProof(key, { ...good, iat: String(T) }),
  };
  test.each(Object.entries(forgeries))('N050 a forged DPoP proof is rejected: %s', async (_title, forged) => {
    await expectRefused(forged, /^DPoP: must be of the type dpop\+jwt, signed by the public key/);
  });

  test.each<[string, string]>([
    ['an empty header', ''],
    ['a word', 'proof'],
    ['a JWE', 'a.b.c.d.e'],
    ['a detached payload', `${header}..${signature}`],
    ['an unsigned JWT', `${encode({ alg: 'none', typ: 'dpop+jwt' })}.${encode(good)}.`],
    ['a JWT after a space', ` ${dpopProof(key, good)}`],
    ['a JWT with base64 padding', `${dpopProof(key, good)}=`],
    ['a JWT of more than 9,000 characters', dpopProof(key, { ...good, more: 'x'.repeat(9000) })],
    ['N053 two proofs', `${dpopProof(key, good)},${dpopProof(key, good)}`],
    ['N053 two proofs with a space', `${dpopProof(key, good)}, ${dpopProof(key, good)}`],
    ['N053 one proof twice', Array(2).fill(dpopProof(key, good)).join(',')],
  ])('a DPoP header that is not exactly one signed JWT is rejected: %s', async (_title, dpop) => {
    await expectRefused(dpop, /^DPoP: must be exactly one signed JWT/);
  });

  test('a missing DPoP proof is rejected', async () => {
    await expectRefused(undefined, /^DPoP: a proof is required/);
  });

  test.each([undefined, '', 7, null, 'j'.repeat(257)])(
    'a DPoP proof with the jti %j is rejected',
    async (jti) => {
      await expectRefused(dpopProof(key, { ...good, jti }), /^DPoP: jti must be/);
    },
  );

  test('a DPoP proof may have a jti of 256 characters', async () => {
    const jti = 'j'.repeat(256);
    expect(await verify(dpopProof(key, { ...good, jti }))).toMatchObject({ jti });
  });

  test('a random string as a DPoP proof is rejected with invalid_dpop_proof', async () => {
    const seed = Number(process.env.SEED ?? Date.now());
    process.stdout.write(`fast-check seed ${seed}\n`);
    const part = fc.oneof(fc.string(), fc.json().map(encode), fc.object().map(encode));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const error: unknown = await verify(parts.join('.')).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ServiceError);
        expect(error).toMatchObject({ key: 'invalid_dpop_proof' });
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('N051 method and URL in DPoP proofs', () => {
  test.each(['GET', 'post', 'POST ', '', undefined, 7])(
    'N051 a DPoP proof for the method %j is rejected',
    async (htm) => {
      await expectRefused(dpopProof(key, { ...good, htm }), /^DPoP: htm/);
    },
  );

  test.each([
    HTU,
    'https://login.example.com/oidc/token',
    `${HTU}?a=1`,
    `${HTU}#here`,
    'HTTPS://LOGIN.example.com/cis/oidc/token',
    'https://login.example.com:443/cis/oidc/token',
    'https://login.example.com/cis/./other/../oidc/token',
    'https://login.example.com/cis/oidc/%74oken',
    'https://login.example.com/cis/oidc%2Ftoken',
  ])('N051 a DPoP proof for the URL %s is accepted', async (htu) => {
    expect(await verify(dpopProof(key, { ...good, htu }))).toMatchObject({ jti: 'jti' });
  });

  test.each([
    'http://login.example.com/cis/oidc/token',
    'https://login.example.com:8443/cis/oidc/token',
    'https://example.com/cis/oidc/token',
    'https://login.example.com.evil.example/cis/oidc/token',
    'https://evil.example/https://login.example.com/cis/oidc/token',
    'https://user@login.example.com/cis/oidc/token',
    'https://login.example.com@evil.example/cis/oidc/token',
    'https://login.example.com\\cis\\oidc\\token',
    'https://login.example.com/cis/oidc/token/',
    'https://login.example.com/cis/oidc//token',
    'https://login.example.com/cis/OIDC/token',
    'https://login.example.com/cis/cis/oidc/token',
    'https://login.example.com/cis/oidc/%2574oken',
    'https://login.example.com/cis/oidc/tok%en',
    'https://login.example.com/cis/oidc/me',
    'https://login.example.com/',
    ' https://login.example.com/cis/oidc/token',
    'https://login.example.com/cis/oidc/to\nken',
    '//login.example.com/cis/oidc/token',
    '/cis/oidc/token',
    'wss://login.example.com/cis/oidc/token',
    '',
    undefined,
    7,
    [HTU],
  ])('N051 a DPoP proof for the URL %j is rejected', async (htu) => {
    await expectRefused(dpopProof(key, { ...good, htu }), /^DPoP: htu/);
  });

  test('N051 the URL in a DPoP proof may percent-encode characters of the request path', async () => {
    const path = '/v1/users/email/ann+1@example.com';
    const request = (htu: string) => ({
      request: { method: 'POST', path, headers: { dpop: dpopProof(key, { ...good, htu }) } },
    });
    const users = `${settings.baseUrl}/v1/users/email`;
    for (const name of ['ann+1@example.com', 'ann%2B1%40example.com'])
      expect(await verify('', request(`${users}/${name}`))).toMatchObject({ jti: 'jti' });
  });

  test('N051 the Host header does not change the expected URL of a DPoP proof', async () => {
    const dpop = dpopProof(key, { ...good, htu: 'https://evil.example/cis/oidc/token' });
    const headers = { dpop, host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const request = { method: 'POST', path: '/oidc/token', headers };
    await expectRefused(dpop, /^DPoP: htu/, { request });
  });
});

describe('N052 accepted age of DPoP proofs', () => {
  test.each([-60, 0, 60])(
    'N052 a DPoP proof whose iat differs by %i seconds from now is accepted',
    async (offset) => {
      const iat = T + offset;
      expect(await verify(dpopProof(key, { ...good, iat }))).toMatchObject({ iat, expiresAt: iat + 61 });
    },
  );

  test.each([-61, 61, -1e9, 1e9])(
    'N052 a DPoP proof whose iat differs by %i seconds from now is rejected',
    async (offset) => {
      await expectRefused(dpopProof(key, { ...good, iat: T + offset }), /^DPoP: iat is more than 60 seconds/);
    },
  );

  test('N052 a DPoP proof without iat is rejected', async () => {
    await expectRefused(dpopProof(key, { ...good, iat: undefined }), /^DPoP: iat is required/);
  });
});

describe('N056 access token hash in DPoP proofs', () => {
  const accessToken = 'header.payload.signature';
  const ath = createHash('sha256').update(accessToken).digest('base64url');

  test('N056 a DPoP proof with the hash of the access token is accepted', async () => {
    expect(await verify(dpopProof(key, { ...good, ath }), { accessToken })).toMatchObject({ jti: 'jti' });
  });

  test.each([undefined, '', `${ath}=`, ath.toLowerCase(), accessToken, 7])(
    'N056 a DPoP proof with the access token hash %j is rejected',
    async (wrong) => {
      await expectRefused(dpopProof(key, { ...good, ath: wrong }), /^DPoP: ath/, { accessToken });
    },
  );
});

/** Creates a stub of the port `nonceMac` that records its calls. */
function macs() {
  const asked: string[] = [];
  const mac = async (message: string) => {
    asked.push(message);
    return createHmac('sha256', 'key').update(message).digest('base64url');
  };
  return { asked, nonces: { nonceMac: { mac } } };
}

describe('N057 nonces that DPoP proofs must contain', () => {
  const W = DPOP_NONCE_WINDOW_SECONDS;
  const start = Math.floor(T / W) * W;

  async function nonceFrom(nonces: DpopExpectation['nonces'], now: number): Promise<string> {
    const error: unknown = await verify(dpopProof(key, { ...good, iat: now }), {
      now,
      ...(nonces && { nonces }),
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ key: 'use_dpop_nonce' });
    return (error as ServiceError).detail.headers?.['dpop-nonce'] ?? '';
  }

  test('N057 a DPoP proof with the requested nonce is accepted even if its iat is wrong', async () => {
    const { nonces } = macs();
    const nonce = await nonceFrom(nonces, T);
    expect(nonce).toMatch(/^[\w-]{43}$/);
    for (const iat of [T, 0, T + 86_400])
      expect(await verify(dpopProof(key, { ...good, iat, nonce }), { nonces })).toMatchObject({ iat });
  });

  test('N057 a DPoP nonce is valid in its own time window and in the next window', async () => {
    const nonce = await nonceFrom(macs().nonces, start);
    const proof = dpopProof(key, { ...good, nonce });
    for (const now of [start, start + W - 1, start + W, start + 2 * W - 1]) {
      const { expiresAt } = await verify(proof, { now, nonces: macs().nonces });
      expect(expiresAt).toBeGreaterThanOrEqual(start + 2 * W);
    }
    for (const now of [start - 1, start + 2 * W])
      await expect(verify(proof, { now, nonces: macs().nonces })).rejects.toMatchObject({
        key: 'use_dpop_nonce',
      });
  });

  test.each(['', 'nonce', 7, null, ['nonce']])('N057 the DPoP nonce %j is rejected', async (nonce) => {
    await expect(verify(dpopProof(key, { ...good, nonce }), { nonces: macs().nonces })).rejects.toMatchObject(
      { key: 'use_dpop_nonce' },
    );
  });

  test('N057 a Lambda container calls KMS only once for each time window of DPoP nonces', async () => {
    const { asked, nonces } = macs();
    const nonce = await nonceFrom(nonces, start);
    for (const now of [start, start + 1, start + W, start + W + 1])
      await verify(dpopProof(key, { ...good, nonce }), { now, nonces });
    expect(asked).toHaveLength(2);

    let fails = true;
    const nonceMac = { mac: async () => (fails ? Promise.reject(new Error('KMS is away')) : 'nonce') };
    await expect(verify(dpopProof(key, { ...good, nonce }), { nonces: { nonceMac } })).rejects.toThrow(
      'away',
    );
    fails = false;
    expect(await nonceFrom({ nonceMac }, T)).toBe('nonce');
  });

  test('N057 an invalid DPoP proof gets a response without a nonce', async () => {
    await expectRefused(dpopProof(key, { ...good, htm: 'GET' }), /^DPoP: htm/, { nonces: macs().nonces });
  });

  test('N057 a nonce in a DPoP proof is ignored for clients that need no nonce', async () => {
    expect(await verify(dpopProof(key, { ...good, nonce: 'x' }))).toMatchObject({ jti: 'jti' });
  });
});

describe('N059 clients that must use DPoP', () => {
  const { nonces: ports } = macs();
  const none = expectation(undefined);

  test('N059 a client with dpop_bound must send a DPoP proof', async () => {
    expect(await verifyTokenRequestProof(ports, someClient(), none)).toBeUndefined();
    await expect(verifyTokenRequestProof(ports, someClient({ dpopBound: true }), none)).rejects.toMatchObject(
      {
        key: 'system_invalid_input',
        message: expect.stringMatching(/^DPoP: a proof is required/),
      },
    );
  });

  test('N059 an invalid DPoP proof is rejected even if DPoP is optional for the client', async () => {
    const bad = expectation(dpopProof(key, { ...good, htm: 'GET' }));
    await expect(verifyTokenRequestProof(ports, someClient(), bad)).rejects.toMatchObject({
      key: 'invalid_dpop_proof',
    });
    expect(
      await verifyTokenRequestProof(ports, someClient(), expectation(dpopProof(key, good))),
    ).toMatchObject({
      jti: 'jti',
    });
  });

  test('N059 a client with dpop_nonce must send a DPoP nonce', async () => {
    const proof = expectation(dpopProof(key, good));
    await expect(
      verifyTokenRequestProof(ports, someClient({ dpopNonce: true }), proof),
    ).rejects.toMatchObject({
      key: 'use_dpop_nonce',
    });
  });
});

describeStore('N052 DPoP proof replay', (store) => {
  const ports = () => ({ replays: replayGuard(store().table('flows')) });
  const fresh = async (): Promise<DpopProof> => verify(dpopProof(key, { ...good, jti: crypto.randomUUID() }));
  const again = { key: 'invalid_dpop_proof', message: 'DPoP: jti was used before' };

  test('N052 only one of 30 concurrent requests with the same DPoP proof succeeds', async () => {
    const proof = await fresh();
    const outcomes = await atOnce(30, () =>
      spendDpopProof(ports(), proof, T).then(
        () => 'passed',
        (error: ServiceError) => error.key,
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['passed', 'invalid_dpop_proof']));
  });

  test('N052 a used DPoP proof is rejected as long as it has not expired', async () => {
    const proof = await fresh();
    await spendDpopProof(ports(), proof, T - 60);
    await expect(spendDpopProof(ports(), proof, T + 60)).rejects.toMatchObject(again);
  });

  test('N052 DPoP proofs of two keys may have the same jti', async () => {
    const proof = await fresh();
    await spendDpopProof(ports(), proof, T);
    await spendDpopProof(ports(), { ...proof, jkt: 'another' }, T);
  });
});
