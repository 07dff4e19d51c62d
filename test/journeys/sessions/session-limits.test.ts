import { describe, expect, test } from '@jest/globals';
import { answerIn, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { madeApplication, madeClient } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { type TokenResponse, tokensDirect } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { refresh } from '../../support/tools/authorized.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);

interface ApplicationFixture {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly appId: string;
}

/** Creates an application with the given session settings, and a client of the application. */
async function makeApplication(settings: object): Promise<ApplicationFixture> {
  const appId = await madeApplication(server, {
    redirect_uris: server.environment.redirect_uris,
    login_preferences: { direct: {}, email: {} },
    ...settings,
  });
  const { client_id: clientId, client_secret: clientSecret } = await madeClient(server, {}, appId);
  return { clientId, clientSecret, appId };
}

const demo = (): ApplicationFixture => ({
  clientId: server.environment.client_id,
  clientSecret: server.environment.client_secret,
  appId: server.environment.app_id,
});

async function logIn(at: ApplicationFixture, email: string, session_id?: string): Promise<TokenResponse> {
  return tokensDirect(server, email, session_id ? { session_id } : {}, await server.clientToken(at));
}

async function newPerson() {
  const email = newEmail();
  return { email, userId: (await createUser(server, { email })).user_id };
}

/** Uses a session by its ID and by its refresh token. Returns both statuses and the response to the refresh. */
async function tryEntryPoints(at: ApplicationFixture, login: TokenResponse) {
  const token = await server.clientToken(at);
  const { session_id } = login;
  const again = await server.post('/v1/auth/session/authenticate', { session_id }, { token });
  const refreshed = await refresh(server, login.refresh_token, {}, at);
  return { again: again.status, refreshed: refreshed.status, next: refreshed.body as TokenResponse };
}

describe('N125 lifetime of a session', () => {
  test('a session ends after the idle timeout that its application configures', async () => {
    const at = await makeApplication({ session_idle_seconds: 600 });
    const { email } = await newPerson();
    const login = await logIn(at, email);
    await server.advanceClock(590);
    const used = await tryEntryPoints(at, login);
    expect(used).toMatchObject({ again: 200, refreshed: 200 });
    await server.advanceClock(590);
    const { next } = await tryEntryPoints(at, used.next);
    await server.advanceClock(600);
    expect(await tryEntryPoints(at, next)).toMatchObject({ again: 400, refreshed: 400 });
    await expect(logIn(at, email, next.session_id)).rejects.toThrow('Session not found');
  });

  test('a session ends after its maximum lifetime, even if it is still in use', async () => {
    const at = await makeApplication({ session_absolute_seconds: 1000, session_idle_seconds: 600 });
    const { email } = await newPerson();
    let login = await logIn(at, email);
    for (const seconds of [500, 490]) {
      await server.advanceClock(seconds);
      const used = await tryEntryPoints(at, login);
      expect(used).toMatchObject({ again: 200, refreshed: 200 });
      login = used.next;
    }
    await server.advanceClock(10);
    expect(await tryEntryPoints(at, login)).toMatchObject({ again: 400, refreshed: 400 });
  });

  test('if an application shortens its session limits, the new limits also apply to existing sessions', async () => {
    const at = await makeApplication({});
    const { email } = await newPerson();
    const login = await logIn(at, email);
    await server.put(
      `/v1/applications/${at.appId}`,
      { session_absolute_seconds: 300 },
      { token: await server.adminToken() },
    );
    await server.advanceClock(301);
    expect(await tryEntryPoints(at, login)).toMatchObject({ again: 400, refreshed: 400 });
  });

  test('sessions of another user cannot be listed or ended with a user token', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const { access_token: token } = await logIn(demo(), one.email);
    const theirs = await logIn(demo(), other.email);
    for (const userId of [other.userId, 'unknown'])
      for (const method of ['GET', 'DELETE'])
        expect(await server.request(`/v1/auth/users/${userId}/sessions`, { method, token })).toMatchObject({
          status: 404,
          body: { message: 'User not found' },
        });
    expect(await tryEntryPoints(demo(), theirs)).toMatchObject({ again: 200, refreshed: 200 });
  });
});

describe('N126 application setting session_preset', () => {
  test("single sign-on is rejected if the session is older than the application's session_preset allows", async () => {
    const [lax, strict] = [demo(), await makeApplication({ session_preset: 'aal2' })];
    const { email } = await newPerson();
    const jar = login.browser();
    await login.logIn(jar, email);
    const ask = async (at: ApplicationFixture) =>
      answerIn(leftTo(await jar.open(login.address({ client_id: at.clientId, prompt: 'none' }))));
    expect(await ask(strict)).toHaveProperty('code');
    await server.advanceClock(HOUR);
    expect(await ask(strict)).toMatchObject({ error: 'login_required' });
    expect(await ask(lax)).toHaveProperty('code');
    await server.advanceClock(DAY);
    expect(await ask(strict)).toMatchObject({ error: 'login_required' });
    expect(await ask(lax)).toHaveProperty('code');
  });

  test('the login cookie expires after the idle timeout that the application configures', async () => {
    const at = await makeApplication({ session_preset: 'aal2' });
    const { email } = await newPerson();
    const jar = login.browser();
    await login.logIn(jar, email, { client_id: at.clientId });
    const ask = async () =>
      answerIn(leftTo(await jar.open(login.address({ client_id: at.clientId, prompt: 'none' }))));
    await server.advanceClock(HOUR - 10);
    expect(await ask()).toHaveProperty('code');
    await server.advanceClock(HOUR);
    expect(await ask()).toMatchObject({ error: 'login_required' });
  });
});
