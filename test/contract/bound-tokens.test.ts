import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listAuth } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { dpopProof, newKey } from '../support/fixtures/proofs.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  askToken,
  type ClientWithSecret,
  demoClient,
  exchange,
  storeClient,
  storeCode,
} from '../support/tools/authorized.ts';
import { createCall, EXTENDED, rows, send, withHeaders } from '../support/tools/calls.ts';
import { sample } from '../support/tools/full-run.ts';

// Tests DPoP-bound tokens (RFC 9449) at every operation that accepts a token. Rate limits are off.

const key = newKey();
const proof = (method: string, path: string, more: object = {}) =>
  dpopProof(key, {
    htm: method,
    htu: `${server.environment.base_url}${path.split('?')[0]}`,
    iat: Math.floor(Date.now() / 1000),
    ...more,
  });

const server = useTestServer({ ...EXTENDED, rateLimits: 'on' });
const known = new Map<string, string>();
beforeAll(async () => {
  for (const [kind, client] of [
    ['client', demoClient(server)],
    [
      'admin',
      {
        clientId: server.environment.management.client_id,
        clientSecret: server.environment.management.client_secret,
      },
    ],
  ] as const) {
    const headers = { dpop: proof('POST', '/oidc/token') };
    const { body } = await askToken(server, { grant_type: 'client_credentials' }, client, headers);
    known.set(kind, body.access_token);
  }
});

/** Returns a user token with a separate session, because a call may end the session. */
async function userToken(): Promise<string> {
  const { user_id } = await createUser(server, { email: newEmail() });
  const code = await storeCode(server, user_id);
  const { body } = await exchange(server, code, {}, undefined, { dpop: proof('POST', '/oidc/token') });
  return body.access_token;
}

async function tokenFor(row: Operation): Promise<string> {
  const kind = (['client', 'admin'] as const).find((each) => listAuth(row).includes(each));
  return (kind && known.get(kind)) ?? (await userToken());
}

const taking = rows.filter(([, row]) => listAuth(row).some((auth) => /^(?:client|admin|user)$/.test(auth)));

describe.each(sample(taking))('DPoP-bound tokens at the operation %s', (_name, row) => {
  test('N052 N056 each request with a DPoP-bound token requires a new DPoP proof', async () => {
    const token = await tokenFor(row);
    const call = createCall(row);
    const ath = createHash('sha256').update(token).digest('base64url');
    const proven = withHeaders(call, {
      authorization: `DPoP ${token}`,
      dpop: proof(call.method, call.path, { ath }),
    });
    const unproven = withHeaders(call, { authorization: `Bearer ${token}` });
    expect((await send(server, unproven)).status).toBe(401);
    const { status } = await send(server, proven);
    expect([401, 429].includes(status) || status >= 500).toBe(false);
    expect((await send(server, proven)).status).toBe(401);
  });
});

/** Returns a user token of a client whose DPoP proofs must contain nonces. */
async function tokenWithNonces(client: ClientWithSecret): Promise<string> {
  const { user_id } = await createUser(server, { email: newEmail() });
  const code = await storeCode(server, user_id, { clientId: client.clientId });
  const ask = (nonce?: string) =>
    exchange(server, code, {}, client, { dpop: proof('POST', '/oidc/token', { nonce }) });
  const { headers } = await ask();
  return (await ask(headers.get('dpop-nonce') ?? '')).body.access_token;
}

const ofUsers = rows.filter(([, row]) =>
  listAuth(row).some((auth) => auth === 'user' || auth === 'org-admin'),
);

describe.each(sample(ofUsers))('DPoP nonces at the operation %s', (_name, row) => {
  test('N057 if a client requires DPoP nonces, each DPoP proof of the client must contain a nonce issued by the server', async () => {
    const token = await tokenWithNonces(await storeClient(server, { dpopNonce: true }));
    const call = createCall(row);
    const ath = createHash('sha256').update(token).digest('base64url');
    const sent = (nonce?: string) =>
      send(
        server,
        withHeaders(call, {
          authorization: `DPoP ${token}`,
          dpop: proof(call.method, call.path, { ath, nonce }),
        }),
      );
    const refused = await sent();
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('use_dpop_nonce');
    const nonce = refused.headers.get('dpop-nonce') ?? '';
    expect(nonce).not.toBe('');
    expect((await sent('another')).status).toBe(401);
    expect((await sent(nonce)).status).not.toBe(401);
  });
});

describe.each(['/oidc/request', '/oidc/par'])('N057 pushed authorization requests at the path %s', (path) => {
  test('if a client requires DPoP nonces, the DPoP proof of a pushed authorization request must contain a nonce', async () => {
    const { clientId, clientSecret } = await storeClient(server, { dpopNonce: true });
    const fields = {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: server.environment.redirect_uris[0] ?? '',
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    };
    const push = (nonce?: string) =>
      server.form(path, fields, { headers: { dpop: proof('POST', path, { nonce }) } });
    const refused = await push();
    expect(refused).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
    const pushed = await push(refused.headers.get('dpop-nonce') ?? '');
    expect(pushed.body).toMatchObject({ request_uri: expect.any(String) });
  });
});
