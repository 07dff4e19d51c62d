import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserVisit, DESKTOP, PHONE, useBrowser } from '../support/fixtures/browser.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { describeInBrowser } from '../support/tools/chromium.ts';
import { type Artifacts, verifiesArtifacts } from '../support/tools/verify-artifacts.ts';
import { addAuthenticator, type VirtualAuthenticator } from '../support/tools/virtual-authenticator.ts';

describeInBrowser('in a browser, passkeys', () => {
  const fixture = useBrowser();

  type Fields = Readonly<Record<string, string>>;

  const address = (change: Fields = {}) =>
    `${fixture.server.environment.base_url}/v1/auth/webauthn?${new URLSearchParams({
      client_id: fixture.server.environment.client_id,
      redirect_uri: fixture.callback,
      state: 'the state',
      ...change,
    })}`;

  /** Runs a test in a new browser context with a virtual authenticator. */
  const withAuthenticator = (
    options: BrowserContextOptions,
    journey: (opened: BrowserVisit, authenticator: VirtualAuthenticator) => Promise<void>,
  ) => fixture.visit(options, async (opened) => journey(opened, await addAuthenticator(opened.page)));

  /** Opens the login page of a direct passkey login and waits for its form. Passkey autofill must be off. */
  const open = async (page: Page, change: Fields = {}) => {
    await page.goto(address(change));
    await page.locator('#identifier').waitFor();
  };

  async function typeDigits(page: Page, to: string): Promise<void> {
    await page.locator('#passcode').waitFor();
    await page.locator('#passcode').fill(await fixture.server.codeTo(to));
  }

  async function exchanged(arrival: URL) {
    const answer = await fixture.login.exchange(arrival, {
      redirect_uri: fixture.callback,
      code_verifier: undefined,
    });
    expect(answer.status).toBe(200);
    return { ...answer.body, claims: decodeClaims(answer.body.id_token) };
  }

  /** Logs in with an email code (a sign-up if the user is new) and creates the offered passkey. */
  async function register({ page, arrival }: BrowserVisit, email: string) {
    await open(page);
    await page.getByLabel('Email or phone number').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await typeDigits(page, email);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    return exchanged(await arrival());
  }

  test.each<[string, BrowserContextOptions]>([
    ['on a phone, light', { viewport: PHONE, colorScheme: 'light' }],
    ['on a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ])(
    'a new user can create a passkey and log in with it without typing an address: %s',
    async (_, options) => {
      const [email, phone] = [newEmail(), newPhoneNumber()];
      await withAuthenticator(options, async ({ page, isAccessible, arrival }, authenticator) => {
        await open(page, { custom_message: 'Pay <b>less</b>', verifications: 'phone' });
        await page.getByText('Pay <b>less</b>').waitFor();
        await isAccessible();
        await page.getByLabel('Email or phone number').fill(email);
        await page.getByRole('button', { name: 'Continue' }).click();
        await typeDigits(page, email);
        await page.getByLabel('Phone number').fill(phone);
        await page.keyboard.press('Enter');
        await typeDigits(page, phone);

        await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
        await isAccessible();
        await authenticator.verifies(false);
        await page.getByRole('button', { name: 'Add a passkey' }).click();
        await page.getByText('No passkey was created').waitFor();
        await isAccessible();
        await authenticator.verifies(true);
        await page.getByRole('button', { name: 'Add a passkey' }).click();
        const target = await arrival();
        expect(Object.fromEntries(target.searchParams)).toEqual({
          code: expect.any(String),
          state: 'the state',
        });
        const { claims } = await exchanged(target);
        expect(claims).toMatchObject({ email, email_verified: true, new_user: true, amr: ['eotp'] });
        expect(await authenticator.credentials()).toMatchObject([{ userName: email, rpId: 'localhost' }]);

        // Passkey autofill offers the passkey, and the virtual authenticator accepts the first offer.
        await authenticator.isOffered(true);
        await page.goto(address({ nonce: 'n', verifications: 'phone' }), { waitUntil: 'commit' });
        const known = await exchanged(await arrival());
        expect(known.claims).toMatchObject({
          sub: claims.sub,
          amr: ['webauthn'],
          nonce: 'n',
          new_user: false,
        });
        expect(known).not.toHaveProperty('signing_artifacts');
      });
    },
  );

  test('if two users share a device, only the passkey of the user with the typed address can log in', async () => {
    const emails = [newEmail(), newEmail()] as const;
    await withAuthenticator({ viewport: PHONE }, async (opened, authenticator) => {
      const { page, arrival, isAccessible } = opened;
      const subjects = new Map<string, string>();
      for (const email of emails) subjects.set((await register(opened, email)).claims.sub ?? '', email);
      expect(await authenticator.credentials()).toHaveLength(2);

      await authenticator.isOffered(true);
      await page.goto(address(), { waitUntil: 'commit' });
      const chosen = subjects.get((await exchanged(await arrival())).claims.sub ?? '') ?? '';
      const other = emails.find((email) => email !== chosen) ?? '';
      await authenticator.isOffered(false);

      await open(page, { login_hint: other });
      expect(await page.getByLabel('Email or phone number').inputValue()).toBe(other);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('alert').getByText('That passkey can’t be used here').waitFor();
      await isAccessible();

      await page.getByLabel('Email or phone number').fill(chosen);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      expect((await exchanged(await arrival())).claims).toMatchObject({ email: chosen, amr: ['webauthn'] });
    });
  });

  test('N109 the signature of an approval with a passkey can be verified', async () => {
    const email = newEmail();
    const approval = { amount: '120 €', 'pay.to': 'Ann <i>Lee</i>' };
    const claims = JSON.stringify({ id_token: { approval_data: { value: approval } } });
    await withAuthenticator({ viewport: PHONE, colorScheme: 'dark' }, async (opened) => {
      const { page, arrival, isAccessible } = opened;
      const { claims: user } = await register(opened, email);
      const pushed = await fixture.server.form<{ request_uri: string }>('/oidc/par', {
        ...fixture.login.parameters({
          redirect_uri: fixture.callback,
          claims,
          custom_message: 'Please confirm',
        }),
        client_secret: fixture.server.environment.client_secret,
      });
      const query = new URLSearchParams({
        client_id: fixture.server.environment.client_id,
        request_uri: pushed.body.request_uri,
      });
      await page.goto(`${fixture.server.environment.issuer}/auth?${query}`);
      await page.getByRole('heading', { name: 'Check what you’re approving' }).waitFor();
      for (const text of ['120 €', 'pay.to', 'Ann <i>Lee</i>', 'Please confirm'])
        await page.getByText(text, { exact: true }).waitFor();
      await isAccessible();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      const { status, body } = await fixture.login.exchange(await arrival(), {
        redirect_uri: fixture.callback,
      });
      expect(status).toBe(200);
      expect(decodeClaims(body.id_token)).toMatchObject({ sub: user.sub, approval_data: approval });
      const { signing_artifacts: artifacts } = body as { signing_artifacts?: Fields };
      expect(artifacts).toMatchObject({ approval_data: approval });
      expect(await verifiesArtifacts(artifacts as unknown as Artifacts)).toBe(true);
    });
  });

  test('a user can log in with a code after a passkey login was cancelled, timed out or failed', async () => {
    const email = newEmail();
    await withAuthenticator({ viewport: PHONE }, async (opened, authenticator) => {
      const { page, arrival, isAccessible } = opened;
      const { claims } = await register(opened, email);
      const use = page.getByRole('button', { name: 'Use a passkey' });

      await open(page);
      await authenticator.verifies(false);
      await use.click();
      await page.getByText('No passkey was used').waitFor();
      await isAccessible();
      await authenticator.verifies(true);

      await page.route('**/passkey/*', async (route) => {
        await fixture.server.advanceClock(301);
        await route.continue();
      });
      await use.click();
      await page.getByRole('alert').getByText('That took too long. Try your passkey again.').waitFor();
      await page.unroute('**/passkey/*');

      const [{ credentialId } = { credentialId: '' }] = await authenticator.credentials();
      const path = `/v1/users/${claims.sub}/webauthn-credentials/${encodeURIComponent(credentialId)}`;
      expect((await fixture.server.delete(path, { token: await fixture.server.clientToken() })).status).toBe(
        204,
      );
      await use.click();
      await page.getByRole('alert').getByText('That passkey can’t be used here').waitFor();
      await page.getByLabel('Email or phone number').fill(email);
      await page.getByRole('button', { name: 'Continue' }).click();
      await typeDigits(page, email);
      await page.getByRole('button', { name: 'Not now' }).click();
      expect((await exchanged(await arrival())).claims).toMatchObject({ sub: claims.sub, amr: ['eotp'] });
    });
  });

  test('a user can create a passkey on the hosted registration page of the login service', async () => {
    const email = newEmail();
    await createUser(fixture.server, { email });
    const { body } = await fixture.server.post<{ register_webauthn_cred_token: string }>(
      '/v1/auth/webauthn/external/register/hosted/hint',
      { webauthn_identifier: email, redirect_uri: fixture.callback, external_user_id: 'ann-1' },
      { token: await fixture.server.clientToken() },
    );
    const options = { viewport: DESKTOP, locale: 'ja-JP' };
    await withAuthenticator(options, async ({ page, arrival, isAccessible }, authenticator) => {
      const query = new URLSearchParams({ ...body });
      await page.goto(`${fixture.server.environment.base_url}/hosted/passkey/passkey-registration?${query}`);
      await isAccessible();
      await page.getByRole('button', { name: 'パスキーを追加' }).click();
      const target = await arrival();
      const [{ credentialId } = { credentialId: '' }] = await authenticator.credentials();
      expect(Object.fromEntries(target.searchParams)).toEqual({
        user_identifier: email,
        external_user_id: 'ann-1',
        credential_id: Buffer.from(credentialId, 'base64').toString('base64url'),
      });
    });
  });

  /** Starts a login at the authorization endpoint, requests an email code and enters the code. */
  async function logInByCode(page: Page, email: string) {
    await page.goto(fixture.login.address({ redirect_uri: fixture.callback, prompt: 'login' }));
    await page.getByLabel('Email or phone number').fill(email);
    await page.keyboard.press('Enter');
    await typeDigits(page, email);
  }

  const arrived = async (arrival: BrowserVisit['arrival']) => {
    const { body } = await fixture.login.exchange(await arrival(), { redirect_uri: fixture.callback });
    return decodeClaims(body.id_token);
  };

  test('after a login, a user can create the offered passkey with only a keyboard', async () => {
    const [email, other] = [newEmail(), newEmail()];
    for (const address of [email, other]) await createProvenUser(fixture.server, { email: address });
    const options = { viewport: PHONE, colorScheme: 'dark' } as const;
    await withAuthenticator(options, async ({ page, arrival, isAccessible }, authenticator) => {
      const offer = page.getByRole('heading', { name: 'Add a passkey' });
      await logInByCode(page, email);
      // Conditional creation of a passkey does not succeed in this browser, so the page shows its offer.
      await offer.waitFor();
      await isAccessible();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await arrived(arrival)).toMatchObject({ email, amr: ['eotp'] });
      await logInByCode(page, email);
      expect(await arrived(arrival)).toMatchObject({ email, amr: ['eotp'] });

      await logInByCode(page, other);
      await offer.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await arrived(arrival)).toMatchObject({ email: other, amr: ['eotp'] });
      expect(await authenticator.credentials()).toHaveLength(1);

      await authenticator.isOffered(true);
      const request = fixture.login.address({ redirect_uri: fixture.callback, prompt: 'login' });
      await page.goto(request, { waitUntil: 'commit' });
      expect(await arrived(arrival)).toMatchObject({ email: other, amr: ['webauthn'] });
    });
  });

  test('a page that offers a passkey redirects to the application before the login expires', async () => {
    const email = newEmail();
    await createProvenUser(fixture.server, { email });
    await withAuthenticator({ viewport: DESKTOP }, async ({ page, arrival }, authenticator) => {
      await page.clock.install();
      await logInByCode(page, email);
      await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
      await page.clock.fastForward(600_000);
      expect(await arrived(arrival)).toMatchObject({ email, amr: ['eotp'] });
      expect(await authenticator.credentials()).toEqual([]);
    });
  });

  test('a browser with support for conditional creation creates a passkey after the login without a prompt', async () => {
    const email = newEmail();
    await createProvenUser(fixture.server, { email });
    await withAuthenticator({ viewport: DESKTOP }, async ({ page, arrival }, authenticator) => {
      // This script simulates a password manager, which can create a passkey without a prompt.
      await page.addInitScript(`{
        const create = navigator.credentials.create.bind(navigator.credentials);
        navigator.credentials.create = ({ mediation, ...options }) => {
          const { userVerification } = options.publicKey.authenticatorSelection;
          const isRight = mediation === 'conditional' && userVerification === 'preferred';
          const isHidden = document.querySelector('main').checkVisibility() === false;
          return isRight && isHidden ? create(options) : Promise.reject(new Error('no question may be asked'));
        };
      }`);
      await logInByCode(page, email);
      expect(await arrived(arrival)).toMatchObject({ email, amr: ['eotp'] });
      expect(await authenticator.credentials()).toMatchObject([{ userName: email }]);
    });
  });

  test('without JavaScript, the login page explains why passkeys cannot be used', async () => {
    const email = newEmail();
    const options = { javaScriptEnabled: false, viewport: PHONE, locale: 'ja-JP' };
    await fixture.visit(options, async ({ page, arrival }) => {
      const reason = page.locator('noscript p', { hasText: 'Passkeys brauchen JavaScript' });
      await page.goto(address({ ui_locales: 'xx de en' }));
      await reason.waitFor();
      expect(await page.getByRole('button', { name: 'Passkey verwenden' }).isVisible()).toBe(false);
      await page.getByLabel('E-Mail-Adresse oder Telefonnummer').fill(email);
      await page.keyboard.press('Enter');
      await typeDigits(page, email);
      await page.keyboard.press('Enter');
      await reason.waitFor();
      await page.getByRole('button', { name: 'Jetzt nicht' }).click();
      expect((await exchanged(await arrival())).claims).toMatchObject({ email, new_user: true });
    });
  });
});
