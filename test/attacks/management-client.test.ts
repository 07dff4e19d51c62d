import { describe, expect, test } from '@jest/globals';
import { madeApplication } from '../support/fixtures/managed.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/** Who has a management client, or makes one by mistake, gets no more than was meant. */

type Json = Readonly<Record<string, unknown>>;

const server = useTestServer({ rateLimits: 'off' });

describe('the command line', () => {
  const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, [...args, '--json']);

  test('makes no management client of the whole tenant by a forgotten --app', async () => {
    const forgotten = await otl('client', 'create', '--name', 'Shop backend');
    expect(forgotten).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--management') });
    const both = await otl('client', 'create', '--name', 'Both', '--app', 'demo-app', '--management');
    expect(both).toMatchObject({ code: 2, stdout: '' });

    const meant = await otl('client', 'create', '--name', 'Provisioning', '--management');
    expect({ code: meant.code, ...(JSON.parse(meant.stdout) as Json) }).toMatchObject({
      code: 0,
      kind: 'management',
    });
    const ofApp = await otl('client', 'create', '--name', 'Shop backend', '--app', 'demo-app');
    expect({ code: ofApp.code, ...(JSON.parse(ofApp.stdout) as Json) }).toMatchObject({
      code: 0,
      kind: 'application',
      app_id: 'demo-app',
    });
  });
});

describe('redirect URIs', () => {
  const put = async (appId: string, fields: Json) =>
    server.put<Json & { result: Json }>(`/v1/applications/${appId}`, fields, {
      token: await server.adminToken(),
    });

  test.each([
    ['localhost:5173/cb', 'must begin with https://, or http:// for localhost'],
    ['shop.example.com:8443', 'must begin with https://, or http:// for localhost'],
    ['localhost:/cb', 'must begin with https://, or http:// for localhost'],
    ['https://*.example.com', 'must name one host: there are no wildcards'],
    ['https://%2A.example.com/cb', 'must name one host: there are no wildcards'],
  ])('that name no one place are refused, with the reason: %s', async (uri, reason) => {
    const appId = await madeApplication(server);
    for (const fields of [{ redirect_uris: [uri] }, { add_redirect_uris: [uri] }]) {
      const [field] = Object.keys(fields);
      expect(await put(appId, fields)).toMatchObject({
        status: 400,
        body: { message: `${field}.0: ${reason}` },
      });
    }
    const native = ['com.example.shop:/cb', 'http://localhost:5173/cb', 'https://shop.example.com/*'];
    expect(await put(appId, { redirect_uris: native })).toMatchObject({
      status: 200,
      body: { result: { redirect_uris: native } },
    });
  });

  test('are added one by one, many at once, and none is lost', async () => {
    const first = 'https://shop.example.com/first';
    const appId = await madeApplication(server, { redirect_uris: [first] });
    const added = Array.from({ length: 3 }, (_, n) => `https://shop.example.com/${n}`);
    const answers = await Promise.all(added.map((uri) => put(appId, { add_redirect_uris: [uri] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Twice is once.
    const { body } = await put(appId, { add_redirect_uris: [first] });
    const stored = body.result.redirect_uris as string[];
    expect(stored[0]).toBe(first);
    expect(stored.toSorted()).toEqual([...added, first].toSorted());
  });

  test('are added by the command line, without a word about the others', async () => {
    const [kept, more] = ['https://shop.example.com/kept', 'https://shop.example.com/more'];
    const appId = await madeApplication(server, { redirect_uris: [kept] });
    const add = (uri: string) =>
      otlWith({ OTL_ENDPOINT: server.url }, [
        'application',
        'add-redirect-uri',
        appId,
        '--uri',
        uri,
        '--json',
      ]);
    const { stdout } = await add(more);
    expect(JSON.parse(stdout)).toMatchObject({ redirect_uris: [kept, more] });
    expect(await add('https://*.example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there are no wildcards'),
    });
  });

  test('are as many as a list may have, added ones too', async () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `https://shop.example.com/${from + n}`);
    const appId = await madeApplication(server, { redirect_uris: many(0, 99) });
    expect((await put(appId, { add_redirect_uris: many(99, 1) })).status).toBe(200);
    expect(await put(appId, { add_redirect_uris: many(100, 1) })).toMatchObject({
      status: 400,
      body: { message: 'add_redirect_uris: an application has at most 100 redirect URIs' },
    });
  });
});
