import { beforeAll, describe, expect, test } from '@jest/globals';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { type StoredApplication, storeApplication } from '../../support/fixtures/tenants.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { SEED } from '../../support/tools/full-run.ts';
import { redirectUris, tricks } from '../../support/tools/redirect-tricks.ts';

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
let client: StoredApplication;

beforeAll(async () => {
  client = await storeApplication(server, { redirectUris });
});

/** One attack URI of the collection. `test/domain/basis/redirect-uri.test.ts` tests the whole collection. */
const oneTrick = tricks.filter((_, index) => index === SEED % tricks.length);

/** Checks that the response is a JSON error with status 400, without a redirect, a `Refresh` header or a cookie. */
function expectNoRedirect(answer: TestAnswer<Readonly<Record<string, unknown>>>): void {
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
  expect(answer.headers.get('refresh')).toBeNull();
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.getSetCookie()).toEqual([]);
}

describe('N001 N003 exact comparison of redirect URIs', () => {
  test.each(oneTrick)(
    'a redirect URI is rejected unless it matches a registered redirect URI exactly (difference: %s)',
    async (_, redirect_uri) => {
      const { clientId: client_id, clientSecret: client_secret } = client;
      const change = { client_id, redirect_uri };
      expectNoRedirect(await server.get(login.address(change)));
      // Other errors in the request must not cause a redirect to the unregistered URI either.
      expectNoRedirect(await server.get(login.address({ ...change, scope: 'nothing' })));
      expectNoRedirect(await server.get(login.address({ ...change, response_mode: 'form_post' })));
      expectNoRedirect(await server.get(login.address({ ...change, request_uri: 'https://x.example/' })));
      const body = new URLSearchParams(login.parameters(change));
      expectNoRedirect(await server.request('/oidc/auth', { method: 'POST', body }));
      const pushed = await server.form('/oidc/par', { ...login.parameters(change), client_secret });
      expectNoRedirect(pushed);
      expect(pushed.body.message).toEqual([expect.stringContaining('redirect_uri')]);
    },
  );
});

test("N001 a native app's loopback redirect URI may differ from the registered URI only in the port", async () => {
  const { clientId } = await storeApplication(server, {
    redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:3000/cb', 'com.example.app:/cb'],
  });
  const ask = (redirect_uri: string) =>
    login.browser().open(login.address({ client_id: clientId, redirect_uri, prompt: 'none' }));
  for (const allowed of ['http://127.0.0.1:51004/cb', 'http://[::1]:9/cb', 'com.example.app:/cb']) {
    const target = leftTo(await ask(allowed));
    expect(target.href.startsWith(`${allowed}?error=login_required`)).toBe(true);
  }
  for (const refused of ['http://127.0.0.1:51004/cb/', 'http://localhost:51004/cb', 'com.example.app:/cb/'])
    expect((await ask(refused)).status).toBe(400);
});
