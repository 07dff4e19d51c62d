// A program or web page on an operator's computer requests a code for a loopback redirect URI in the operator's logged-in
// browser (RFC 8252 §8.6).
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CONSOLE_CLIENT_ID, OTL_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { codeChallenge, hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../support/fixtures/hosted-passkeys.ts';
import { enrolledOperator } from '../support/fixtures/operators.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';

const server = useTestServer({ rateLimits: 'off', events: true });
const login = hostedLogin(server);
const account = createAccountActions(server, login);
const LOOPBACK = 'http://127.0.0.1:4711/callback';
const BUTTON = 'Let otl on this computer act as you';

const addressFor = (client_id: string, change = {}) =>
  login.address({
    ...{ client_id, redirect_uri: LOOPBACK, acr_values: 'mfa', nonce: undefined },
    ...{ code_challenge: codeChallenge, ...change },
  });

let operator: Awaited<ReturnType<typeof enrolledOperator>>;
beforeAll(async () => {
  operator = await enrolledOperator(server);
});

/** Logs the operator in with both factors on the login pages of an authorization request. */
async function giveFactors(jar: BrowserJar, address: string) {
  const page = await account.byCode(await jar.open(address), operator.email, true);
  return account.byPasskey(jar, page, operator.passkey);
}

/** Returns a browser in which the operator is logged in to the console. */
async function loggedIn(): Promise<BrowserJar> {
  const jar = login.browser();
  const redirect_uri = `${server.environment.console_url}/callback`;
  leftTo(await giveFactors(jar, addressFor(CONSOLE_CLIENT_ID, { redirect_uri })));
  return jar;
}

describe.each([OTL_CLIENT_ID, CONSOLE_CLIENT_ID])(
  'authorization request of the client %s with a loopback redirect URI',
  (client) => {
    test('with prompt=none, a loopback redirect URI never receives an authorization code', async () => {
      const jar = await loggedIn();
      const target = leftTo(await jar.open(addressFor(client, { prompt: 'none' })));
      expect(target.searchParams.get('code')).toBeNull();
      expect(target.searchParams.get('error')).toBe('interaction_required');
    });

    test('a request with a loopback redirect URI requires a new login even if the browser has an active session', async () => {
      const jar = await loggedIn();
      for (const change of [{}, { max_age: '36000' }, { prompt: 'consent' }]) {
        const page = await jar.open(addressFor(client, change));
        expect(page.left).toBeUndefined();
        expect(page.html).toContain('name="identifier"');
      }
    });

    test('an authorization code is sent to a loopback redirect URI only after the user has confirmed the login', async () => {
      const jar = await loggedIn();
      const page = await giveFactors(jar, addressFor(client));
      expect(page.html).toContain(BUTTON);
      expect(page.html.match(/<button class="button"/g)).toHaveLength(1);
      // Reloading the page shows the confirmation again, and confirming sends the code only once.
      for (const again of [await jar.open(page.response.url), await page.submit({}, '/confirm')])
        if (again.left) expect(again.left.href).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?.*code=/);
        else expect(again.html).toContain(BUTTON);
      expect((await page.submit({}, '/confirm')).left).toBeUndefined();
    });

    test('no authorization code is sent to a loopback redirect URI if the user cancels the login', async () => {
      const page = await giveFactors(login.browser(), addressFor(client));
      const target = leftTo(await page.submit({}, '/cancel'));
      expect(target.searchParams.get('error')).toBe('access_denied');
    });
  },
);

test('a login for a loopback redirect URI cannot be confirmed before all required factors were used', async () => {
  const page = await login.browser().open(addressFor(OTL_CLIENT_ID));
  const early = page.html.replace(/(action="\/login\/[\w-]+)"/, '$1/confirm"');
  Object.assign(page, { html: early });
  const answer = await page.submit({}, '/confirm');
  expect(answer.left).toBeUndefined();
  expect(answer.html).not.toContain(BUTTON);
});

test('the operator console receives an authorization code without a new login if the browser has an active session', async () => {
  const jar = await loggedIn();
  const redirect_uri = `${server.environment.console_url}/callback`;
  const target = leftTo(await jar.open(addressFor(CONSOLE_CLIENT_ID, { redirect_uri, prompt: 'none' })));
  expect(target.searchParams.get('code')).not.toBeNull();
});
