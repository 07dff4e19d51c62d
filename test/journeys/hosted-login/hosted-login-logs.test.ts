// N127: each step of a hosted login writes one log line with its result, which the HTTP status (200 or 303) does not show.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { USER_AGENT_MAX } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { answerIn, type HostedLogin, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { askForOptions } from '../../support/fixtures/hosted-passkeys.ts';
import {
  type CreationAnswer,
  newPerson,
  type RequestAnswer,
  registerPasskey,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { createPasskey, usePasskey } from '../../support/tools/software-authenticator.ts';

type Line = Readonly<Record<string, unknown>>;

const printed: string[] = [];
let server: TestServer;
let login: HostedLogin;

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk));
    return true;
  });
  server = await startTestServer({ rateLimits: 'off', environment: { LOG_LEVEL: 'debug' } });
  login = hostedLogin(server);
});
afterAll(async () => {
  await server.stop();
  jest.restoreAllMocks();
  server.expectNoViolations();
});

/** Returns the log lines of the browser's requests since the previous call of this function. */
function takeLines(): readonly Line[] {
  const lines = printed.splice(0).join('').split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ event }) => String(event).startsWith('browser/'));
}

/** Returns the result, user, method and channel from the log lines of submitted forms. */
const acts = (lines: readonly Line[]) =>
  lines
    .filter(({ event }) => event === 'browser/login-act')
    .map(({ result, user_id, method, channel, session_id }) => ({
      result,
      user: user_id,
      method,
      channel,
      ...(session_id === undefined ? {} : { session: true }),
    }));

test('N127 log lines of a hosted login contain the user, the step, the method and the result', async () => {
  const [email, phone] = [newEmail('canary'), newPhoneNumber()];
  const { user_id: user } = await createProvenUser(server, { email, phone_number: phone });
  takeLines();
  const jar = login.browser();
  jar.userAgent = 'Canary/1';
  const page = await login.toCode(jar, email, {
    acr_values: 'mfa',
    state: 'canary-state',
    login_hint: email,
  });
  const digits = await server.codeTo(email);
  await page.submit({ passcode: `${digits}0` });
  const second = await page.submit({ passcode: digits });
  const text = await second.submit({ method: 'sms' });
  const target = leftTo(await text.submit({ passcode: await server.codeTo(phone) }));

  const told = printed.join('');
  const lines = takeLines();
  expect(acts(lines)).toEqual([
    { result: 'ok', user, channel: 'email' },
    { result: 'auth_invalid_credentials', user, channel: 'email' },
    { result: 'ok', user, channel: 'email', method: 'eotp' },
    { result: 'ok', user, channel: 'sms' },
    { result: 'ok', user, channel: 'sms', method: 'sms', session: true },
  ]);
  for (const line of lines)
    expect(line).toMatchObject({
      user_agent: 'Canary/1',
      request_id: expect.any(String),
      tenant_id: server.environment.tenant_id,
      application_id: server.environment.app_id,
      client_id: server.environment.client_id,
    });
  const { session_id: sessionId, browser } = lines.at(-1) ?? {};
  expect(browser).toMatch(/^[\w-]{16}$/);
  const { sessions } = await server.ports(['sessions']);
  expect(await sessions.find(String(sessionId), nowSeconds())).toMatchObject({ userAgent: 'Canary/1' });
  const secrets = [
    email,
    'canary',
    phone,
    digits,
    target.searchParams.get('code') ?? '',
    ...jar.cookies.values(),
  ];
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
});

test("N127 log lines of a hosted login contain the beginning of the browser's user agent", async () => {
  const jar = login.browser();
  jar.userAgent = 'a'.repeat(USER_AGENT_MAX + 1);
  takeLines();
  await jar.open(login.address());
  for (const { user_agent } of takeLines()) expect(user_agent).toBe('a'.repeat(USER_AGENT_MAX));
  const [line] = await logLines(async () => void (await createUser(server, { email: newEmail() })));
  expect(line).not.toHaveProperty('user_agent');
});

test('N127 the log lines of a hosted login with an unknown address contain no user ID', async () => {
  takeLines();
  const page = await login.toCode(login.browser(), newEmail());
  await page.submit({ passcode: '000000' });
  expect(acts(takeLines())).toEqual([
    { result: 'ok', channel: 'email' },
    { result: 'auth_invalid_credentials', channel: 'email' },
  ]);
});

test('N127 each error that is shown on a page or sent in a redirect is logged', async () => {
  const email = newEmail();
  await createUser(server, { email });
  takeLines();
  const results = async (run: () => Promise<unknown>) => {
    await run();
    return takeLines().at(-1)?.result;
  };
  const browser = login.browser();
  expect(await results(() => browser.open(login.address({ prompt: 'none' })))).toBe('login_required');
  expect(await results(() => browser.open('/login/unknown'))).toBe('login_not_found');
  expect(await results(() => browser.open(login.address({ scope: 'none' })))).toBe('system_invalid_input');
  const denied = await login.logIn(login.browser(), email, { acr_values: 'mfa' });
  expect(answerIn(denied).error).toBe('access_denied');
  expect(takeLines().at(-1)).toMatchObject({ event: 'browser/login-act', result: 'access_denied' });
});

test('N127 each use and creation of a passkey is logged', async () => {
  const person = await newPerson(server, createProvenUser);
  const passkey = await registerPasskey(server, person);
  const { client_id, redirect_uris } = server.environment;
  const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris[0] ?? '' });
  const address = `${server.environment.base_url}/v1/auth/webauthn?${query}`;
  const jar = login.browser();
  const page = await jar.open(address);
  const options = (await askForOptions<RequestAnswer>(jar, page)).body;
  takeLines();
  await page.submit({ credential: 'nonsense' });
  await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
  const told = () =>
    takeLines()
      .filter(({ event }) => event === 'browser/login-passkey')
      .map(({ result, user_id, method, audit }) => ({ result, user_id, method, audit }));
  const user_id = person.user.user_id;
  expect(told()).toEqual([
    { result: 'system_invalid_input', method: 'webauthn' },
    { result: 'ok', user_id, method: 'webauthn', audit: ['login.succeeded'] },
  ]);

  const other = await newPerson(server);
  const sent = await (await jar.open(address)).submit({ identifier: other.email, method: 'email' });
  const offer = await sent.submit({ passcode: await server.codeTo(other.email) });
  const creation = (await askForOptions<CreationAnswer>(jar, offer)).body;
  takeLines();
  leftTo(await offer.submit({ credential: createPasskey(creation, toOrigin(server)).result }));
  const made = { user_id: other.user.user_id, audit: ['passkey.added', 'login.succeeded'] };
  expect(told()).toEqual([{ result: 'ok', ...made }]);
});

test('N127 the log line of a passkey created during a sign-up contains the user ID', async () => {
  const { client_id, redirect_uris, base_url } = server.environment;
  const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris[0] ?? '' });
  const jar = login.browser();
  const page = await jar.open(`${base_url}/v1/auth/webauthn?${query}`);
  const email = newEmail();
  const offer = await (await page.submit({ identifier: email, method: 'email' })).submit({
    passcode: await server.codeTo(email),
  });
  const creation = (await askForOptions<CreationAnswer>(jar, offer)).body;
  const target = leftTo(await offer.submit({ credential: createPasskey(creation, toOrigin(server)).result }));
  const exchanged: unknown[] = [];
  const [line] = await logLines(
    async () => void exchanged.push(await login.exchange(target, { code_verifier: undefined })),
  );
  expect(exchanged).toMatchObject([{ status: 200 }]);
  expect(line?.audit).toEqual(['passkey.added']);
});
