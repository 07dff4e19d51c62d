import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReadableLog } from '../../lib/local/log/readable-log.ts';
import { type LocalServer, startLocalServer } from '../../lib/local/start.ts';
import { openEmulators } from '../support/server/emulators.ts';

const printed: string[] = [];
const log = startReadableLog((text) => printed.push(text), false);
let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer({
    port: 0,
    log,
    events: false,
    emulators: openEmulators,
    environment: { LOG_LEVEL: 'silent' },
  });
});
afterAll(async () => {
  await server.stop();
  log.close();
});

/** Returns the log line of a request, without colours and the duration. */
async function readLogLine(path: string, init: RequestInit = {}): Promise<string> {
  printed.length = 0;
  await (await fetch(server.url + path, { ...init, redirect: 'manual' })).text();
  expect(printed).toHaveLength(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  return (printed[0] ?? '').replace(/\u001b\[\d+m/g, '').replace(/^\d\d:\d\d:\d\d {2}/, '');
}

test('the readable log contains one line per request', async () => {
  expect(await readLogLine('/health')).toMatch(/^200 {2}GET \/health {2}\d+ ms\n$/);
});

test('the readable log shows why a request was rejected and which command would permit the request', async () => {
  expect(await readLogLine('/v1/users')).toMatch(
    /^401 .* invalid_token {2}Invalid token · An access token is missing/,
  );
  const query = 'client_id=demo-client&response_type=code&scope=openid&redirect_uri=https://x.example/';
  expect(await readLogLine(`/oidc/auth?${query}`)).toMatch(
    /^400 .* → npm run otl -- application add-redirect-uri demo-app --uri <uri>\n$/,
  );
});

test('terminal control characters in a request never reach the readable log', async () => {
  const body = new URLSearchParams({ client_id: 'demo-client', client_secret: 'demo-client-secret' });
  const login = await fetch(`${server.url}/oidc/token`, {
    method: 'POST',
    body: `${body}&grant_type=client_credentials`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const { access_token } = (await login.json()) as { readonly access_token: string };
  const line = await readLogLine('/v1/auth/otp/send', {
    method: 'POST',
    body: JSON.stringify({ channel: 'direct', identifier_type: 'x\u001b[2Jy', identifier: 'a' }),
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
  });
  expect(line).toContain('POST /v1/auth/otp/send');
  expect(line).not.toContain('\u001b');
});
