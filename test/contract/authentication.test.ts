import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret, newId } from '../../shared/domain/basis/random.ts';
import { catalogue } from '../../shared/errors/catalogue.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import type { Client } from '../../shared/ports/directory.ts';
import { encode } from '../support/fixtures/proofs.ts';
import { someApplication, someClient } from '../support/server/records.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { ADDED } from '../support/tools/added-row.ts';
import {
  type AnyAnswer,
  authorized,
  createCall,
  EXTENDED,
  expectError,
  isGivenApart,
  rows,
  send,
  withHeaders,
} from '../support/tools/calls.ts';
import { inTurn, sample } from '../support/tools/full-run.ts';

const server = useTestServer(EXTENDED);
/** Valid client token, which the tests change to forge tokens. */
let good: string;
beforeAll(async () => {
  good = await server.clientToken();
});

type Header = Readonly<Record<string, unknown>>;
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Decodes the valid token into its parts. */
function parts() {
  const [header, payload, signature] = good.split('.');
  return { header: decode(header) as Header, payload: decode(payload) as Header, signature };
}

/** Forged tokens, by description of the attack. */
const forgeries = {
  'text that is not a JWT': () => 'hunter2',
  'a JWT with three empty parts': () => '..',
  'a client secret': () => server.environment.client_secret,
  'a token with another payload': () => {
    const { header, payload, signature } = parts();
    return [encode(header), encode({ ...payload, exp: Number(payload.exp) + 1 }), signature].join('.');
  },
  'a token without its signature': () => `${good.split('.').slice(0, 2).join('.')}.`,
  'N047 an unsigned token with alg none': () => {
    const { header, payload } = parts();
    return [encode({ ...header, alg: 'none' }), encode(payload), ''].join('.');
  },
  'N047 a token with an HMAC under the public key': async () => {
    const { header, payload } = parts();
    const jwks = JSON.stringify((await server.get('/oidc/jwks')).body);
    const input = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`;
    return `${input}.${createHash('sha256').update(jwks).update(input).digest('base64url')}`;
  },
  'a signature by a key that we did not publish': () => {
    const { header, payload } = parts();
    const input = `${encode(header)}.${encode(payload)}`;
    return `${input}.${sign('sha256', Buffer.from(input), foreignKey.privateKey).toString('base64url')}`;
  },
  'a key that the token itself brings along': () => {
    const { header, payload } = parts();
    const jwk = foreignKey.publicKey.export({ format: 'jwk' });
    const input = `${encode({ ...header, kid: undefined, jwk })}.${encode(payload)}`;
    return `${input}.${sign('sha256', Buffer.from(input), foreignKey.privateKey).toString('base64url')}`;
  },
} satisfies Readonly<Record<string, () => Promise<string> | string>>;

const BEARER = ['client', 'admin', 'operator', 'user'];
const acceptsToken = ([, row]: readonly [string, Operation]) =>
  listAuth(row).some((kind) => BEARER.includes(kind));
const guarded = rows.filter(acceptsToken);
const open = rows.filter((row) => !acceptsToken(row));
const withPermissions = guarded.filter(([, row]) => row.permissions);
/** Sample of the operations that list their required permissions in the operation table. */
const narrow = sample(withPermissions);

function expectUnauthorized(answer: AnyAnswer, row: Operation): void {
  expectError(answer, row.dialect, 'invalid_token', catalogue.invalid_token.message);
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer error="invalid_token", error_description="[A-Z][^"]+"$/,
  );
  // The response must not contain the internal or renamed copies of the WWW-Authenticate header.
  for (const name of ['otl-challenge', 'x-amzn-remapped-www-authenticate'])
    expect(answer.headers.get(name)).toBeNull();
}

function expectForbidden(answer: AnyAnswer, row: Operation): void {
  expectError(answer, row.dialect, 'insufficient_permission');
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope", error_description="Insufficient permission: needs [^"]+"$/,
  );
}

const bearer = (row: Operation, token: string) =>
  send(server, withHeaders(createCall(row), { authorization: `Bearer ${token}` }));

describe.each(guarded)('N024 token authentication of the operation %s', (_name, row) => {
  test('a call without the required token gets a 401 response before its input is validated', async () => {
    expectUnauthorized(await send(server, createCall(row)), row);
    const broken = { ...createCall(row), headers: {}, ...(row.input.json ? { body: '{' } : {}) };
    expectUnauthorized(await send(server, broken), row);
  });

  test('a token signed with an unpublished key gets a 401 response', async () => {
    expectUnauthorized(
      await bearer(row, await forgeries['a signature by a key that we did not publish']()),
      row,
    );
  });
});

const MALFORMED = ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', 'Bearer a b'];

describe.each(sample(guarded))('N024 invalid tokens at the operation %s', (name, row) => {
  test.each(inTurn(name, MALFORMED))(
    'a call with the malformed Authorization header %j gets a 401 response',
    async (authorization) => {
      expectUnauthorized(await send(server, withHeaders(createCall(row), { authorization })), row);
    },
  );

  test.each(inTurn(name, Object.entries(forgeries)))(
    'a call with a forged token gets a 401 response: %s',
    async (_title, forge) => {
      expectUnauthorized(await bearer(row, await forge()), row);
    },
  );

  test('N013 a call that sends a valid token in the query or the body gets a 401 response', async () => {
    const call = createCall(row);
    const path = `${call.path}${call.path.includes('?') ? '&' : '?'}access_token=${good}`;
    expectUnauthorized(await send(server, { ...call, path }), row);
    if (row.input.json)
      expectUnauthorized(await send(server, { ...call, body: JSON.stringify({ access_token: good }) }), row);
  });
});

describe.each(open)('calls to the public operation %s without a token', (_name, row) => {
  test('a public operation requires no token', async () => {
    const answer = await send(server, createCall(row));
    expect(answer.headers.get('www-authenticate') ?? 'Basic').toMatch(/^Basic/);
    expect(answer.status).not.toBe(403);
  });
});

async function newClient(change: Partial<Client>) {
  const { clientRecords } = await server.ports(['clientRecords']);
  const { tenant_id: tenantId, app_id: applicationId } = server.environment;
  const clientSecret = newId();
  const secrets = [{ secretId: newId(), hash: hashSecret(clientSecret), createdAt: 0 }];
  const client = someClient({ tenantId, applicationId, secrets, ...change });
  await clientRecords.put(client);
  return { clientRecords, clientId: client.clientId, clientSecret };
}

const tokens = new Map<string, Promise<string>>();

/** Returns the token of a client with the given permissions. The tests of all operations share this token. */
function tokenWith(permissions: readonly string[]): Promise<string> {
  const key = JSON.stringify(permissions);
  const token = tokens.get(key) ?? newClient({ permissions }).then((client) => server.clientToken(client));
  tokens.set(key, token);
  return token;
}

describe.each(narrow)('N024 required permissions of the operation %s', (_name, row) => {
  test('a client without permissions gets a 403 response from an operation that requires a permission', async () => {
    expectForbidden(await bearer(row, await tokenWith([])), row);
  });

  test('a client that lacks only the required permission gets a 403 response', async () => {
    const own = new Set(row.permissions);
    const others = withPermissions.flatMap(([, { permissions = [] }]) => permissions);
    const unfit = others.filter((name) => !own.has(name) && !name.startsWith('[appId]'));
    const permissions = [...unfit, '[appId]:execute', '[appId]:edit', '*', 'another-app:execute'];
    expectForbidden(await bearer(row, await tokenWith(permissions)), row);
  });

  test.each(row.permissions ?? [])(
    'a client that has the required permission %s is authorized',
    async (name) => {
      const permissions = [name.replace('[appId]', server.environment.app_id)];
      const answer = await bearer(row, await tokenWith(permissions));
      expect([401, 403]).not.toContain(answer.status);
    },
  );
});

async function narrowed(scope: string): Promise<string> {
  const { client_id, client_secret } = server.environment;
  const fields = { grant_type: 'client_credentials', client_id, client_secret, scope };
  const { body } = await server.form<{ access_token: string; scope: string }>('/oidc/token', fields);
  expect(body.scope).toBe(scope);
  return body.access_token;
}

test.each(narrow)(
  'the operation %s responds with 403 to a token whose scope lacks the required permission',
  async (_name, row) => {
    const scope = row.permissions?.includes('users:read') ? 'users:create' : 'users:read';
    const token = tokens.get(scope) ?? narrowed(scope);
    tokens.set(scope, token);
    expectForbidden(await bearer(row, await token), row);
  },
);

/** Creates an application and a client that a test can delete. */
async function removable() {
  const { applicationRecords } = await server.ports(['applicationRecords']);
  const application = someApplication({ tenantId: server.environment.tenant_id });
  await applicationRecords.put(application);
  const { applicationId } = application;
  return { applicationId, applicationRecords, ...(await newClient({ applicationId })) };
}

describe('tokens issued to a deleted client', () => {
  const toClients = sample(
    guarded.filter(([, row]) => listAuth(row).includes('client') && !isGivenApart(row)),
  );

  test('a token is rejected within one minute after its client was deleted', async () => {
    const { clientRecords, ...client } = await removable();
    const token = await server.clientToken(client);
    await clientRecords.remove(client.clientId);
    await server.advanceClock(61);
    for (const [, row] of toClients) expectUnauthorized(await bearer(row, token), row);
  });

  test('a token is rejected within one minute after its application was deleted', async () => {
    const { applicationRecords, ...client } = await removable();
    const token = await server.clientToken(client);
    await applicationRecords.remove(client.applicationId);
    await server.advanceClock(61);
    const a1 = rows.find(([name]) => name === 'sendMagicLink')?.[1];
    if (!a1) throw new Error('no row sends magic links');
    expectError(await bearer(a1, token), a1.dialect, 'application_not_found', 'App not found');
    for (const [, row] of toClients) if (row !== a1) expectUnauthorized(await bearer(row, token), row);
  });
});

describe('N020 client authentication at the token endpoint', () => {
  async function refused(fields: Readonly<Record<string, string>>, authorization?: string): Promise<void> {
    const answer = await server.form(
      '/oidc/token',
      { grant_type: 'client_credentials', ...fields },
      { headers: authorization === undefined ? {} : { authorization } },
    );
    const message = fields.client_id
      ? `Client authentication failed: ${fields.client_id} (a change takes up to a minute to be seen)`
      : 'Client authentication failed';
    expectError(answer, 'oauth', 'invalid_client', message);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  }

  test('a wrong client secret gets the same error response as an unknown client', async () => {
    const { client_id } = server.environment;
    await refused({ client_id, client_secret: 'wrong' });
    await refused({ client_id: 'unknown', client_secret: 'wrong' });
    await refused({ client_id });
    await refused({});
    await refused({}, `Basic ${Buffer.from(`${client_id}:wrong`).toString('base64')}`);
  });

  test('a client of a deleted application cannot authenticate', async () => {
    const { applicationRecords, applicationId, clientId, clientSecret } = await removable();
    await applicationRecords.remove(applicationId);
    await refused({ client_id: clientId, client_secret: clientSecret });
  });
});

test('by default, an operation added to the operation table requires authentication', async () => {
  const row = guarded.find(([name]) => name === ADDED)?.[1];
  expect(row).toBeDefined();
  if (row) expect((await send(server, await authorized(server, row))).status).toBe(201);
});
