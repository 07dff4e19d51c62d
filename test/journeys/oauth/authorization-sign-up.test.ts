import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../shared/errors/catalogue.ts';
import { CACHED_SECONDS, withApplication, withoutSignUp } from '../../support/fixtures/application.ts';
import { asksWho, readErrorCode, useAuthorization } from '../../support/fixtures/authorization.ts';
import { leftTo, readHeading } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { atOnce } from '../../support/server/at-once.ts';

const { server, login, loggedIn, ask, exchangeTokens } = useAuthorization();

const DEVICES = 6;

describe('sign-up at the authorization endpoint', () => {
  const wanted = { createNewUser: 'true' };

  test('a sign-up creates the user only when the client exchanges the authorization code', async () => {
    const email = newEmail('new.person');
    const jar = login.browser();
    const target = await login.logIn(jar, email, wanted);
    const token = await server.clientToken();
    const find = () => server.get<{ result: Record<string, unknown> }>(`/v1/users/email/${email}`, { token });
    expect((await find()).status).toBe(404);
    expect(readErrorCode(leftTo(await ask(jar, { prompt: 'none' })))).toBe('login_required');
    const { claims } = await exchangeTokens(target);
    expect(claims).toMatchObject({ new_user: true, email, email_verified: true });
    expect((await find()).body.result).toMatchObject({
      user_id: claims.sub,
      status: 'Active',
      email: { value: email, email_verified: true },
    });
    const again = await exchangeTokens(leftTo(await ask(jar, { prompt: 'none' })));
    expect(again.claims).toMatchObject({ sub: claims.sub, new_user: false });
  });

  test('a user can sign up with a phone number', async () => {
    const phone = newPhoneNumber();
    const target = await login.logIn(login.browser(), phone, wanted, 'sms');
    const body = await exchangeTokens(target, {});
    const info = await server.get('/oidc/me', { token: body.access_token });
    expect(info.body.sub).toBe(body.claims.sub);
    expect(body.claims.amr).toEqual(['sms']);
  });

  test('a double click on the sign-up form yields only one valid authorization code', async () => {
    const email = newEmail();
    const first = await ask(login.browser(), wanted);
    const pages = await atOnce(2, () => first.submit({ identifier: email, method: 'email' }));
    expect(pages.map(({ html }) => html.includes('name="passcode"'))).toEqual([true, true]);
    const messages = await server.messages({ to: email });
    const codes = messages.flatMap((message) => message.codes).filter((code) => code.length > 4);
    expect(new Set(codes).size).toBe(2);
    const [page] = pages;
    const ended: (URL | undefined)[] = [];
    for (const passcode of codes) ended.push((await page?.submit({ passcode }))?.left);
    const [target, ...more] = ended.filter((left) => left !== undefined);
    expect(more).toEqual([]);
    const { claims } = await exchangeTokens(target as URL);
    expect(claims).toMatchObject({ new_user: true, email });
  });

  test('a sign-up completed on two devices creates one user and logs in both devices', async () => {
    const email = newEmail();
    const pages = [];
    for (const _ of [1, 2]) pages.push(await login.toCode(login.browser(), email, wanted));
    const targets = [];
    for (const page of pages) {
      const codes = (await server.messages({ to: email })).flatMap((message) => message.codes);
      for (const passcode of codes) {
        const { left } = await page.submit({ passcode });
        if (left) {
          targets.push(left);
          break;
        }
      }
    }
    const [first, second] = targets as [URL, URL];
    const one = await exchangeTokens(first);
    const other = await exchangeTokens(second);
    expect([one.claims.new_user, other.claims.new_user]).toEqual([true, false]);
    expect(other.claims).toMatchObject({ sub: one.claims.sub, email, email_verified: true, amr: ['eotp'] });
    const { status } = await server.get('/oidc/me', { token: other.access_token });
    expect(status).toBe(200);
  });

  test.each([
    ['an email address', newEmail, 'eotp'],
    ['a phone number', newPhoneNumber, 'sms'],
  ])('concurrent sign-ups on many devices create one user with %s', async (_title, make, method) => {
    const to = make();
    const targets: URL[] = [];
    for (let n = 0; n < DEVICES; n += 1)
      targets.push(await login.logIn(login.browser(), to, wanted, method === 'sms' ? 'sms' : 'email'));
    const all = await atOnce(DEVICES, (n) => exchangeTokens(targets[n] as URL));
    expect(new Set(all.map(({ claims }) => claims.sub)).size).toBe(1);
    expect(all.filter(({ claims }) => claims.new_user)).toHaveLength(1);
    expect(new Set(all.map(({ session_id }) => session_id)).size).toBe(DEVICES);
    for (const { claims, access_token } of all) {
      expect(claims.amr).toEqual([method]);
      expect((await server.get('/oidc/me', { token: access_token })).status).toBe(200);
    }
  });

  test('concurrent exchanges of the authorization code of a sign-up succeed only once', async () => {
    const email = newEmail();
    const targets: URL[] = [];
    for (let n = 0; n < 2; n += 1) targets.push(await login.logIn(login.browser(), email, wanted));
    const answers = await atOnce(2 * DEVICES, (n) => login.exchange(targets[n % 2] as URL));
    for (const index of [0, 1]) {
      const good = answers.filter(({ status }, n) => n % 2 === index && status === 200);
      expect(good.length).toBeLessThanOrEqual(1);
    }
    // Each code was presented several times, so its tokens are revoked (RFC 9700 §4.5).
    for (const { status, body } of answers)
      if (status === 200)
        expect((await server.get('/oidc/me', { token: body.access_token })).status).toBe(401);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
  });

  /** Signs up with an email address and verifies a phone number, which the authorization request requires. */
  async function withNumber(email: string, phone: string): Promise<URL> {
    const change = { ...wanted, acr_values: 'phone_number' };
    const page = await login.afterCode(login.browser(), email, change);
    const code = await page.submit({ phone_number: phone });
    return leftTo(await code.submit({ passcode: await server.codeTo(phone) }));
  }

  test('a sign-up can be completed on a second device if both devices verified the same address and number', async () => {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const [one, other] = [await withNumber(email, phone), await withNumber(email, phone)];
    const [first, second] = [await exchangeTokens(one), await exchangeTokens(other)];
    expect([first.claims.new_user, second.claims.new_user]).toEqual([true, false]);
    expect(second.claims).toMatchObject({ sub: first.claims.sub, amr: ['eotp'] });
  });

  test('a sign-up on a second device is rejected if that device verified another phone number', async () => {
    const email = newEmail();
    const [one, other] = [
      await withNumber(email, newPhoneNumber()),
      await withNumber(email, newPhoneNumber()),
    ];
    await exchangeTokens(one);
    expect((await login.exchange(other)).body.error).toBe('invalid_grant');
  });

  test('a sign-up on a second device is rejected if the phone number was changed after the first sign-up', async () => {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const [one, other] = [await withNumber(email, phone), await withNumber(email, phone)];
    const { claims } = await exchangeTokens(one);
    const token = await server.clientToken();
    const change = { phone_number: newPhoneNumber() };
    expect((await server.put(`/v1/users/${claims.sub}`, change, { token })).status).toBe(200);
    expect((await login.exchange(other)).body.error).toBe('invalid_grant');
  });

  describe('application that disables sign-up before an authorization code is exchanged', () => {
    test('the authorization code of a sign-up is rejected after the application has disabled sign-up', async () => {
      await server.advanceClock(CACHED_SECONDS);
      const target = await login.logIn(login.browser(), newEmail(), wanted);
      await withoutSignUp(server, async () => {
        expect((await login.exchange(target)).body).toMatchObject({
          ...{ error: 'invalid_grant', error_description: catalogue.public_signup_off.message },
        });
      });
      await withApplication(server, { publicSignup: false }, async () => {
        expect(readErrorCode(leftTo(await ask(login.browser(), wanted)))).toBe('access_denied');
      });
    });

    test('after a sign-up on one device, a second device can log in even if sign-up was disabled in the meantime', async () => {
      const email = newEmail();
      const page = await login.toCode(login.browser(), email, wanted);
      const passcode = await server.codeTo(email);
      const { claims } = await exchangeTokens(await login.logIn(login.browser(), email, wanted));
      await server.advanceClock(CACHED_SECONDS);
      const target = leftTo(await page.submit({ passcode }));
      await withoutSignUp(server, async () => {
        expect((await exchangeTokens(target)).claims).toMatchObject({ sub: claims.sub, new_user: false });
      });
    });
  });

  test('createNewUser=false disables sign-up at an application that allows sign-up by default', async () => {
    const offered = newEmail();
    const { claims } = await exchangeTokens(await login.logIn(login.browser(), offered));
    expect(claims).toMatchObject({ new_user: true, email: offered });
    const email = newEmail();
    const sentTo = async (change: Readonly<Record<string, string>>) => {
      const page = await login.toCode(login.browser(), email, change);
      expect(page.html).toContain('name="passcode"');
      return (await server.messages({ to: email })).length;
    };
    expect(await sentTo({ createNewUser: 'false' })).toBe(0);
    // A login to an organization cannot create a user, because a new user is a member of no organization.
    expect(await sentTo({ org_id: 'some-organization' })).toBe(0);
    await withApplication(server, { publicSignup: false }, async () => {
      expect(await sentTo({})).toBe(0);
    });
    await withApplication(server, { hostedSignUp: false }, async () => {
      expect(await sentTo({})).toBe(0);
      expect(await sentTo({ createNewUser: 'true' })).toBe(1);
    });
  });

  test('only the email with the code reveals whether the account is new, and no page does', async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await createUser(server, { email: known });
    for (const method of ['email', 'link'])
      for (const to of [known, unknown]) await login.toCode(login.browser(), to, {}, method);
    const said = async (to: string) =>
      (await server.messages({ to })).map(({ text }) => text.includes('has no account at Demo yet'));
    expect(await said(known)).toEqual([false, false]);
    expect(await said(unknown)).toEqual([true, true]);
  });

  test('a sign-up with the address of an existing user logs that user in', async () => {
    const { email, userId } = await loggedIn();
    const { claims } = await exchangeTokens(await login.logIn(login.browser(), email, wanted));
    expect(claims.sub).toBe(userId);
  });
});

describe('sign-up with prompt=create (OpenID Initiating User Registration 1.0)', () => {
  const create = { prompt: 'create' };

  test.each([
    ['en', 'Sign up for Demo'],
    ['de', 'Bei Demo registrieren'],
    ['es', 'Regístrate en Demo'],
    ['fr', 'Inscription à Demo'],
    ['ja', 'Demo に登録'],
  ])(
    'prompt=create shows the login page with the heading of a sign-up in the language %s',
    async (ui_locales, heading) => {
      const [signUp, signIn] = [
        await ask(login.browser(), { ...create, ui_locales }),
        await ask(login.browser(), { ui_locales }),
      ];
      expect(readHeading(signUp)).toBe(heading);
      expect(readHeading(signIn)).not.toBe(heading);
      const countForms = ({ html }: typeof signUp) =>
        html.match(/<(?:form|input|button)[^>]*name="[^"]*"/g)?.length;
      expect(countForms(signUp)).toBe(countForms(signIn));
    },
  );

  test('prompt=create enables sign-up at an application that does not allow sign-up by default', async () => {
    const { clientId, ...client } = await storeApplication(server, { publicSignup: true });
    const change = { ...create, client_id: clientId };
    const email = newEmail();
    const first = await exchangeTokens(
      await login.logIn(login.browser(), email, change),
      {},
      { ...client, clientId },
    );
    const again = await exchangeTokens(
      await login.logIn(login.browser(), email, change),
      {},
      { ...client, clientId },
    );
    expect([first.claims.new_user, again.claims.new_user]).toEqual([true, false]);
    expect(again.claims.sub).toBe(first.claims.sub);
  });

  test('prompt=create shows the login page even in a logged-in browser', async () => {
    const { jar } = await loggedIn();
    expect(asksWho((await ask(jar, create)).html)).toBe(true);
  });

  test('prompt=create does not enable sign-up at an application that forbids sign-up', async () => {
    const kept = await ask(login.browser(), { ...create, createNewUser: 'false' });
    expect(readHeading(kept)).toBe('Sign in to Demo');
    expect(readErrorCode(leftTo(await ask(login.browser(), { prompt: 'none create' })))).toBe(
      'invalid_request',
    );
    await withApplication(server, { publicSignup: false }, async () => {
      expect(readErrorCode(leftTo(await ask(login.browser(), create)))).toBe('access_denied');
    });
  });
});
