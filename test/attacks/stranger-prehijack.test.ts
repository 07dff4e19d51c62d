// Pre-hijacking (Sudhodanan and Paverd, USENIX Security 2022). The attacker is a stranger with an account of their own, to
// which the profile page of an application adds the victim's address. Only the victim keeps the account. A user who has really
// changed their address reinstates their credentials by proving them beside the new address.
import { describe, expect, test } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { codeAt, codeBased } from '../support/fixtures/code-based.ts';
import { claimsOf, leftTo, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import type { TestAnswer } from '../support/server/test-server.ts';
import { refresh } from '../support/tools/authorized.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

const app = applicationClient(server);

/** Completes a login on the hosted page, and skips the offer of a passkey. */
async function toEnd(page: BrowserPage): Promise<URL> {
  return leftTo(page.left ? page : await page.submit({}, '/later'));
}

/** Creates an account with a verified number, a device key and a passkey, and an address that its profile page sets. */
async function account() {
  const [phone, email] = [newPhoneNumber(), newEmail('victim')];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { body: tokens } = await app.byCode(phone, { channel: 'sms' });
  const key = await app.deviceKey(tokens);
  const { passkey } = await app.register(tokens);
  const takeAddress = () => app.put(`/v1/users/${userId}`, { email });
  return { userId, phone, email, tokens, key, passkey, takeAddress };
}

const subOf = ({ status, body }: TestAnswer<TokenResponse>) => [status, claimsOf(body.access_token).sub];

/** Ways of the victim's first login; the login by passcode is covered by the stories. */
const proofs: readonly (readonly [string, (email: string) => Promise<TestAnswer<TokenResponse>>])[] = [
  [
    'a link (A)',
    async (email) => {
      const by = { identifier_type: 'email', identifier: email };
      await app.post('/v1/auth/link/email/send', { redirect_uri: login.redirectUri, ...by });
      const opened = await server.request(await server.linkTo(email));
      const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
      return app.post<TokenResponse>('/v1/auth/link/email/authenticate', { code });
    },
  ],
  [
    'a code-based login (C)',
    async (email) => {
      const backend = codeBased(server, await server.clientToken());
      return backend.exchange(await codeAt(await backend.resultByEmail(email)));
    },
  ],
  [
    'a mailed link (C)',
    async (email) => {
      const backend = codeBased(server, await server.clientToken());
      await backend.sendLink({ email });
      return backend.exchange(await codeAt(await server.linkTo(email)));
    },
  ],
  [
    'the hosted page',
    async (email) => {
      return login.exchange(await toEnd(await login.afterCode(login.browser(), email)));
    },
  ],
  [
    'a link of the hosted page',
    async (email) => {
      const jar = login.browser();
      await login.toCode(jar, email, {}, 'link');
      const page = await jar.open(await server.linkTo(email));
      return login.exchange(await toEnd(await page.submit({}, '/link')));
    },
  ],
];

describe('account that existed before its address was verified', () => {
  test.each(proofs)('a pre-hijacked account belongs only to the victim after %s', async (_title, prove) => {
    const { userId, email, tokens, passkey, takeAddress } = await account();
    await takeAddress();
    for (let times = 0; times < 2; times += 1) {
      expect(subOf(await prove(email))).toEqual([200, userId]);
      expect((await app.byPasskey(passkey)).status).toBe(403);
      expect((await refresh(server, tokens.refresh_token)).status).toBe(400);
    }
    expect(await findUser(server, userId)).toMatchObject({ email: { email_verified: true } });
  });
});
