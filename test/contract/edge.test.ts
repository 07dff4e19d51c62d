import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { throughEdge } from '../../lib/local/edge.ts';
import { apiEvent, functionUrlEvent, type PlainRequest } from '../../lib/local/events.ts';
import { createRouter } from '../../lib/local/routes.ts';
import { readSettings } from '../../shared/aws/settings.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { authOf } from '../../shared/http/effective-ports.ts';
import { receive } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operation.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { extendedTable, loadExtended } from '../support/tools/added-row.ts';
import { authorized, callOf, EXTENDED, rows, send } from '../support/tools/calls.ts';
import { sample } from '../support/tools/full-run.ts';

/** Functions answer what came through the edge, and nothing else. */

const server = useTestServer(EXTENDED);

const route = createRouter(extendedTable);
const VIEWER = '203.0.113.7';

async function plainOf(row: Operation, more: Readonly<Record<string, string>> = {}): Promise<PlainRequest> {
  const { method, path, headers, body = '' } = await authorized(server, row);
  const rawHeaders = Object.entries({ host: 'id.example.com', ...headers, ...more }).flat();
  return { method, target: path, rawHeaders, body: Buffer.from(body), sourceIp: VIEWER };
}

function eventsOf(plain: PlainRequest): readonly APIGatewayProxyEventV2[] {
  const match = route(plain.method, plain.target.split('?')[0] ?? '');
  if (!match) throw new Error(`no route for ${plain.method} ${plain.target}`);
  return [apiEvent(plain, match), functionUrlEvent(plain)];
}

async function invoke(row: Operation, event: APIGatewayProxyEventV2) {
  const handler = await loadExtended(row.event);
  return (await handler(event, {} as Context)) as APIGatewayProxyStructuredResultV2;
}

async function expectForbidden(row: Operation, plain: PlainRequest): Promise<void> {
  for (const event of eventsOf(plain)) {
    const { statusCode, body } = await invoke(row, event);
    expect([statusCode, JSON.parse(body || '{}').message]).toEqual([403, 'Forbidden']);
  }
}

test.each(rows)('%s refuses a call that does not bear the secret of the edge', async (_name, row) => {
  await expectForbidden(row, await plainOf(row));
});

describe.each(sample(rows))('%s refuses a call around the edge', (_name, row) => {
  // The answer must not tell what would be wrong with the token.
  test.each([[{ 'otl-edge': 'another' }], [{ 'otl-edge': '' }], [{ authorization: 'Bearer nonsense' }]])(
    'with %j',
    async (headers) => {
      await expectForbidden(row, await plainOf(row, headers));
    },
  );
});

test.each(rows.filter(([, { cors }]) => cors !== 'none'))(
  '%s answers its preflight to the edge alone',
  async (_name, row) => {
    const preflight = { ...(await plainOf(row)), method: 'OPTIONS' };
    expect((await invoke(row, functionUrlEvent(preflight))).statusCode).toBe(403);
    expect((await invoke(row, functionUrlEvent(throughEdge(preflight)))).statusCode).toBe(204);
  },
);

describe('N017 the address of the viewer', () => {
  const health = extendedTable.health as Operation;
  const addressOf = async (headers: Readonly<Record<string, string>>, edgeSecretHashes: string) => {
    const settings = readSettings({ ...process.env, EDGE_SECRET_HASHES: edgeSecretHashes });
    const [event] = eventsOf(await plainOf(health, headers));
    if (!event) throw new Error('no event');
    const { request, fromEdge } = receive(health, event, settings);
    expect(Object.keys(request.headers).filter((name) => name.startsWith('otl-'))).toEqual([]);
    return [request.sourceAddress, fromEdge];
  };
  const viewer = { 'otl-viewer-address': '198.51.100.9' };
  const hashes = `${hashSecret('old')},${hashSecret('new')}`;

  test.each(['old', 'new'])('is what the edge says, with the %s of two secrets', async (secret) => {
    expect(await addressOf({ ...viewer, 'otl-edge': secret }, hashes)).toEqual(['198.51.100.9', true]);
    const ipv6 = { 'OTL-Viewer-Address': '2001:db8::9', 'OTL-Edge': secret };
    expect(await addressOf(ipv6, hashes)).toEqual(['2001:db8::9', true]);
  });

  test('is the address of the connection when a caller says it, or the edge says none', async () => {
    expect(await addressOf({ ...viewer, 'otl-edge': 'wrong' }, hashes)).toEqual([VIEWER, false]);
    expect(await addressOf(viewer, hashes)).toEqual([VIEWER, false]);
    expect(await addressOf({ 'otl-edge': 'new' }, hashes)).toEqual([VIEWER, true]);
    const forged = { 'otl-edge': 'new', 'otl-viewer-address': '198.51.100.9"}\n' };
    expect(await addressOf(forged, hashes)).toEqual([VIEWER, true]);
  });

  test('is the address of the connection where there is no edge', async () => {
    expect(await addressOf(viewer, 'off')).toEqual([VIEWER, true]);
  });

  test('that a viewer claims is replaced by the edge, and so is a secret', async () => {
    const claims = { 'Otl-Edge': 'another', 'OTL-Viewer-Address': '198.51.100.9' };
    const plain = throughEdge(await plainOf(health, claims));
    for (const event of eventsOf(plain)) expect((await invoke(health, event)).statusCode).toBe(200);
    expect(JSON.stringify(plain.rawHeaders)).not.toMatch(/another|198\.51/);
    expect((await server.get('/health', { headers: claims })).status).toBe(200);
  });
});

test('no function starts that does not know whether there is an edge', () => {
  const { EDGE_SECRET_HASHES: _, ...env } = process.env;
  expect(() => readSettings(env)).toThrow('EDGE_SECRET_HASHES is not set');
  expect(() => readSettings({ ...env, EDGE_SECRET_HASHES: '' })).toThrow('EDGE_SECRET_HASHES is not set');
});

describe('a challenge', () => {
  const demanding = rows.filter(([, row]) =>
    authOf(row).some((kind) => kind !== 'none' && kind !== 'login-cookie'),
  );

  test('is never made behind a function URL, which would rename it', () => {
    expect(demanding.length).toBeGreaterThan(20);
    for (const [name, row] of demanding) expect([name, row.reach]).toEqual([name, 'api']);
  });

  test.each(demanding)('of %s comes under its own name', async (_name, row) => {
    const { status, headers } = await send(server, {
      ...callOf(row),
      headers: { ...callOf(row).headers, authorization: 'Bearer nonsense' },
    });
    if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^(Bearer|Basic|DPoP)/);
    expect(headers.get('otl-challenge')).toBeNull();
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBeNull();
  });
});
