// Account pre-hijacking (Sudhodanan and Paverd, USENIX Security 2022). The attacker adds the victim's email address to an
// account of their own. When the victim logs in, only the victim keeps the account. A legitimate user who has changed the
// address can reinstate the old credentials by using them together with the new address.
import { describe, expect, test } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { codeAt, codeBased } from '../support/fixtures/code-based.ts';
import { decodeClaims, leftTo, readHeading, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import type { TestAnswer } from '../support/server/test-server.ts';
import { refresh } from '../support/tools/authorized.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

const app = applicationClient(server);

/** Returns the redirect of a completed login. Declines the passkey offer if the page shows one. */
async function toEnd(page: BrowserPage): Promise<URL> {
  return leftTo(page.left ? page : await page.submit({}, '/later'));
}

/**
 * Creates an account with a verified phone number, a device key and a passkey. `takeAddress` adds the unverified email address.
 */
async function account() {
  const [phone, email] = [newPhoneNumber(), newEmail('victim')];
  const { user_id: userId } = await createUser(server, { phone_number: phone });
  const { body: tokens } = await app.byCode(phone, { channel: 'sms' });
  const key = await app.deviceKey(tokens);
  const { passkey } = await app.register(tokens);
  const takeAddress = () => app.put(`/v1/users/${userId}`, { email });
  return { userId, phone, email, tokens, key, passkey, takeAddress };
}

const readSub = ({ status, body }: TestAnswer<TokenResponse>) => [
  status,
  decodeClaims(body.access_token).sub,
];

/** Methods of the victim's first login. `stories/attacks-before-owners` tests the login with a one-time code. */
const proofs: readonly (readonly [string, (email: string) => Promise<TestAnswer<TokenResponse>>])[] = [
  [
    'a login by magic link',
    async (email) => {
      const by = { identifier_type: 'email', identifier: email };
      await app.post('/v1/auth/link/email/send', { redirect_uri: login.redirectUri, ...by });
      const opened = await server.request(await server.linkTo(email));
      const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
      return app.post<TokenResponse>('/v1/auth/link/email/authenticate', { code });
    },
  ],
  [
    'a code-based login',
    async (email) => {
      const backend = codeBased(server, await server.clientToken());
      return backend.exchange(await codeAt(await backend.resultByEmail(email)));
    },
  ],
  [
    'a code-based login by link',
    async (email) => {
      const backend = codeBased(server, await server.clientToken());
      await backend.sendLink({ email });
      return backend.exchange(await codeAt(await server.linkTo(email)));
    },
  ],
  [
    'a hosted login',
    async (email) => {
      return login.exchange(await toEnd(await login.afterCode(login.browser(), email)));
    },
  ],
  [
    'a hosted login by link',
    async (email) => {
      const jar = login.browser();
      await login.toCode(jar, email, {}, 'link');
      const page = await jar.open(await server.linkTo(email));
      return login.exchange(await toEnd(await page.submit({}, '/link')));
    },
  ],
];

describe('account that was created before its address was verified', () => {
  test.each(proofs)(
    'once the victim verifies the address by %s, a pre-hijacked account belongs only to the victim',
    async (_title, prove) => {
      const { userId, email, tokens, passkey, takeAddress } = await account();
      await takeAddress();
      for (let times = 0; times < 2; times += 1) {
        expect(readSub(await prove(email))).toEqual([200, userId]);
        expect((await app.byPasskey(passkey)).status).toBe(403);
        expect((await refresh(server, tokens.refresh_token)).status).toBe(400);
      }
      expect(await findUser(server, userId)).toMatchObject({ email: { email_verified: true } });
    },
  );
});

describe('user who has changed their email address', () => {
  test('a superseded credential is reinstated if it is used in the same session as the new address', async () => {
    const { userId, email, phone, passkey, key, takeAddress } = await account();
    await takeAddress();
    const { body } = await app.byCode(email);
    const together = { session_id: body.session_id };
    expect((await app.byPasskey(passkey)).body).toMatchObject({
      message: expect.stringContaining('session_id'),
    });
    const stepped = await app.byPasskey(passkey, together);
    expect(readSub(stepped)).toEqual([200, userId]);
    expect(readSub(await app.byPasskey(passkey))).toEqual([200, userId]);
    expect((await app.byCode(phone, { channel: 'sms' })).status).toBe(403);
    expect(readSub(await app.byCode(phone, { channel: 'sms', ...together }))).toEqual([200, userId]);
    expect(readSub(await app.byCode(phone, { channel: 'sms' }))).toEqual([200, userId]);
    expect((await app.approve(userId, key)).status).toBe(403);
    expect((await app.approve(userId, key, together)).status).toBe(200);
    expect((await app.approve(userId, key)).status).toBe(200);
  });

  test.each(['number', 'passkey'])(
    'hosted pages reinstate a superseded %s if the user also verifies the current address in that login',
    async (kind) => {
      const { userId, email, phone, passkey, takeAddress } = await account();
      await takeAddress();
      await app.byCode(email);
      const sent = kind === 'number' && (await login.toCode(login.browser(), phone, {}, 'sms'));
      const asked = sent
        ? await sent.submit({ passcode: await server.codeTo(phone) })
        : await app.byPasskeyOnPage(login, passkey);
      expect(readHeading(asked)).toBe('Confirm it’s you');
      expect(asked.html).toContain('This isn’t enough to sign in to your account');
      // After a login with a superseded credential, the page does not offer to report a lost factor.
      expect(asked.html).not.toContain('/lost"');
      const code = await asked.submit({ method: 'email' });
      const target = await toEnd(await code.submit({ passcode: await server.codeTo(email) }));
      const change = kind === 'number' ? {} : { code_verifier: undefined };
      const { body } = await login.exchange(target, change);
      expect(decodeClaims(body.id_token).sub).toBe(userId);
      const again = kind === 'number' ? app.byCode(phone, { channel: 'sms' }) : app.byPasskey(passkey);
      expect(readSub(await again)).toEqual([200, userId]);
    },
  );

  test('a superseded number is reinstated even if the user does not answer the passkey offer after both codes', async () => {
    const { email, phone, takeAddress } = await account();
    await takeAddress();
    await app.byCode(email);
    const jar = login.browser();
    jar.put(`__Host-passkey-${server.environment.tenant_id}`, 'can');
    const sent = await login.toCode(jar, phone, {}, 'sms');
    const asked = await sent.submit({ passcode: await server.codeTo(phone) });
    const code = await asked.submit({ method: 'email' });
    const offer = await code.submit({ passcode: await server.codeTo(email) });
    expect(readHeading(offer)).toBe('Add a passkey');
    expect((await app.byCode(phone, { channel: 'sms' })).status).toBe(200);
  });

  test('a logged-in user who verifies an address in the same browser keeps all earlier credentials', async () => {
    const { email, phone, tokens, passkey, takeAddress } = await account();
    const jar = login.browser();
    await login.logIn(jar, phone, {}, 'sms');
    await takeAddress();
    await toEnd(await login.afterCode(jar, email, { prompt: 'login' }));
    expect((await app.byPasskey(passkey)).status).toBe(200);
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test('a link to a superseded email address reinstates the address only together with a current factor', async () => {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const { user_id: userId } = await createUser(server, { email });
    await app.byCode(email);
    await app.put(`/v1/users/${userId}`, { phone_number: phone });
    await app.byCode(phone, { channel: 'sms' });
    const backend = codeBased(server, await server.clientToken());
    const jar = login.browser();
    await backend.sendLink({ email });
    const first = await (await jar.open(await server.linkTo(email))).submit({}, '/links/');
    expect(leftTo(first).searchParams.get('error')).toBe('mfa_required');
    expect((await app.byCode(email)).status).toBe(403);
    const done = leftTo(await jar.open(await backend.resultBySms(phone, { require_mfa: true })));
    expect((await backend.exchange(done.searchParams.get('code') ?? '')).status).toBe(200);
    expect(readSub(await app.byCode(email))).toEqual([200, userId]);
  });

  test('a superseded phone number is reinstated if the user also opens an emailed link to the current address', async () => {
    const { userId, email, phone, takeAddress } = await account();
    await takeAddress();
    await app.byCode(email);
    const backend = codeBased(server, await server.clientToken());
    const jar = login.browser();
    const first = leftTo(await jar.open(await backend.resultBySms(phone)));
    expect(first.searchParams.get('error')).toBe('mfa_required');
    await backend.sendLink({ email, require_mfa: true });
    const done = leftTo(await (await jar.open(await server.linkTo(email))).submit({}, '/links/'));
    expect((await backend.exchange(done.searchParams.get('code') ?? '')).status).toBe(200);
    expect(readSub(await app.byCode(phone, { channel: 'sms' }))).toEqual([200, userId]);
  });
});
