import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authOf } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { extendedTable, loadExtended } from '../support/added-row.ts';
import { askToken, demoClient, exchange, storeCode } from '../support/authorized.ts';
import { callOf, closeWorld, rows, send, withHeaders } from '../support/calls.ts';
import { createUser, newEmail } from '../support/people.ts';
import { dpopProof, newKey } from '../support/proofs.ts';
import { startWorld, type World } from '../support/world.ts';

/** Tokens that are bound to a key (RFC 9449), at every operation that takes a token; with the windows of calls open. */

const key = newKey();
const proof = (method: string, path: string, more: object = {}) =>
  dpopProof(key, {
    htm: method,
    htu: `${world.environment.base_url}${path.split('?')[0]}`,
    iat: Math.floor(Date.now() / 1000),
    ...more,
  });

let world: World;
const known = new Map<string, string>();
beforeAll(async () => {
  world = await startWorld({ operations: extendedTable, load: loadExtended });
  for (const [kind, client] of [
    ['client', demoClient(world)],
    [
      'admin',
      {
        clientId: world.environment.management.client_id,
        clientSecret: world.environment.management.client_secret,
      },
    ],
  ] as const) {
    const headers = { dpop: proof('POST', '/oidc/token') };
    const { body } = await askToken(world, { grant_type: 'client_credentials' }, client, headers);
    known.set(kind, body.access_token);
  }
});
afterAll(() => closeWorld(world));

/** Calls of users may end their session, and the token with it: each gets one of its own. */
async function userToken(): Promise<string> {
  const { user_id } = await createUser(world, { email: newEmail() });
  const code = await storeCode(world, user_id);
  const { body } = await exchange(world, code, {}, undefined, { dpop: proof('POST', '/oidc/token') });
  return body.access_token;
}

async function tokenFor(row: Operation): Promise<string> {
  const kind = (['client', 'admin'] as const).find((each) => authOf(row).includes(each));
  return (kind && known.get(kind)) ?? (await userToken());
}

const taking = rows.filter(([, row]) => authOf(row).some((auth) => /^(?:client|admin|user)$/.test(auth)));

describe.each(taking)('%s takes a token that is bound to a key', (_name, row) => {
  test('N052 N056 with a proof of the key, once, and never without', async () => {
    const token = await tokenFor(row);
    const call = callOf(row);
    const ath = createHash('sha256').update(token).digest('base64url');
    const proven = withHeaders(call, {
      authorization: `DPoP ${token}`,
      dpop: proof(call.method, call.path, { ath }),
    });
    const unproven = withHeaders(call, { authorization: `Bearer ${token}` });
    expect((await send(world, unproven)).status).toBe(401);
    const { status } = await send(world, proven);
    expect([401, 429].includes(status) || status >= 500).toBe(false);
    expect((await send(world, proven)).status).toBe(401);
  });
});
