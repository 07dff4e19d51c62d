import { expect, test } from '@jest/globals';
import { useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { logLines } from '../../support/server/log-lines.ts';

/** What a developer reads whose redirect URI or client is not known. */

const { server, login } = useHostedLogin({ rateLimits: 'off', errorUris: true });

const ask = (change: Record<string, string>, accept = 'application/json') =>
  server.get<string & Record<string, string>>(login.address(change), { headers: { accept } });

test('JSON says which redirect URI was asked for, and that a change takes a minute', async () => {
  const { status, body } = await ask({ redirect_uri: 'http://localhost:9999/new?a=1' });
  expect(status).toBe(400);
  expect(body.error_description).toContain(': http://localhost:9999/new?a=1 (a change takes up to a minute');
  expect(body.hint).toBe('npm run otl -- application add-redirect-uri <app_id> --uri <uri>');
});

test('it is escaped, and cut off after 200 characters', async () => {
  const { body } = await ask({ redirect_uri: `http://x.test/"\\<b>\n\u202eé${'y'.repeat(500)}` });
  const [, shown = ''] = /application: (.*) \(a change/.exec(String(body.error_description)) ?? [];
  expect(shown).toMatch(/^http:\/\/x\.test\/%22%5C%3Cb%3E%0A%E2%80%AE%C3%A9y+$/);
  expect(shown).toHaveLength(200);
});

test('an unknown client is named too', async () => {
  const { body } = await ask({ client_id: 'nobody' });
  expect(body.error_description).toContain('client_id: is unknown: nobody (a change');
});

test('the log has what was asked for, without its query', async () => {
  const lines = await logLines(async () => {
    await ask({ redirect_uri: 'http://localhost:9999/new?token=secret' });
  });
  expect(lines).toContainEqual(expect.objectContaining({ asked: 'http://localhost:9999/new' }));
  expect(JSON.stringify(lines)).not.toContain('token=secret');
});

test('the page for people says neither', async () => {
  for (const change of [{ redirect_uri: 'http://localhost:9999/new' }, { client_id: 'nobody' }]) {
    const { body } = await ask(change, 'text/html');
    expect(body).not.toMatch(/9999|nobody|up to a minute/);
  }
});
