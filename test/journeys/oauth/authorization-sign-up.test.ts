import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { errorOf, useAuthorization } from '../../support/fixtures/authorization.ts';
import { leftTo } from '../../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';

const { server, login, loggedIn, ask, tokensOf } = useAuthorization();

describe('signing up', () => {
  const wanted = { createNewUser: 'true' };

  test('makes the user at the exchange, not before, and leaves no address among the flows', async () => {
    const email = newEmail('new.person');
    const jar = login.browser();
    const target = await login.logIn(jar, email, wanted);
    const token = await server.clientToken();
    const find = () => server.get<{ result: Record<string, unknown> }>(`/v1/users/email/${email}`, { token });
    expect((await find()).status).toBe(404);
    expect(errorOf(leftTo(await ask(jar, { prompt: 'none' })))).toBe('login_required');
    const { claims } = await tokensOf(target);
    expect(claims).toMatchObject({ new_user: true, email, email_verified: true });
    expect((await find()).body.result).toMatchObject({
      user_id: claims.sub,
      status: 'Active',
      email: { value: email, email_verified: true },
    });
    const again = await tokensOf(leftTo(await ask(jar, { prompt: 'none' })));
    expect(again.claims).toMatchObject({ sub: claims.sub, new_user: false });
  });

  test('goes by text message too', async () => {
    const phone = newPhoneNumber();
    const target = await login.logIn(login.browser(), phone, wanted, 'sms');
    const body = await tokensOf(target, {});
    const info = await server.get('/oidc/me', { token: body.access_token });
    expect(info.body.sub).toBe(body.claims.sub);
    expect(body.claims.amr).toEqual(['sms']);
  });

  test('needs public signup, at the request and at the exchange', async () => {
    const email = newEmail();
    const target = await login.logIn(login.browser(), email, wanted);
    await withApplication(server, { publicSignup: false }, async () => {
      expect((await login.exchange(target)).body.error).toBe('invalid_grant');
      expect(errorOf(leftTo(await ask(login.browser(), wanted)))).toBe('access_denied');
    });
  });

  test('without a request for it makes no user', async () => {
    const email = newEmail();
    const page = await login.toCode(login.browser(), email);
    expect(page.html).toContain('name="passcode"');
    expect(await server.messages({ to: email })).toEqual([]);
  });

  test('of a user with an account is a login', async () => {
    const { email, userId } = await loggedIn();
    const { claims } = await tokensOf(await login.logIn(login.browser(), email, wanted));
    expect(claims.sub).toBe(userId);
  });
});
