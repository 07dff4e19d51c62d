import { beforeAll, describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { claimsOf, type HostedLogin, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import type { BrowserJar } from '../../support/tools/browser-jar.ts';

const server = useTestServer({ rateLimits: 'off' });
let login: HostedLogin;

beforeAll(async () => {
  login = hostedLogin(server);
});

type Fields = Readonly<Record<string, string | undefined>>;

interface Person {
  readonly jar: BrowserJar;
  readonly email: string;
  readonly phone: string;
  readonly userId: string;
  readonly target: URL;
}

/** A user who has just logged in, in a new browser. */
async function loggedIn(change: Fields = {}): Promise<Person> {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  const { user_id: userId } = await createUser(server, { email, phone_number: phone });
  const jar = login.browser();
  return { jar, email, phone, userId, target: await login.logIn(jar, email, change) };
}

/** Pushes the request, and leaves nothing but its reference for the browser. */
async function _pushed(change: Fields): Promise<Fields> {
  const { client_id, client_secret } = server.environment;
  const fields = { ...login.parameters(change), client_id, client_secret };
  const { body } = await server.form<{ request_uri: string }>('/oidc/request', fields);
  return { request_uri: body.request_uri };
}

const ask = (jar: BrowserJar, change: Fields = {}) => jar.open(login.address(change));
const _codeOf = (target: URL) => target.searchParams.get('code');
const errorOf = (target: URL) => target.searchParams.get('error');
const _asksWho = (html: string) => html.includes('name="identifier"');

/** ID token and the rest of what a code brings. */
async function tokensOf(target: URL, change: Fields = {}, client?: Parameters<HostedLogin['exchange']>[2]) {
  const { status, body } = await login.exchange(target, change, client);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...body, claims: claimsOf(body.id_token) };
}

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
