import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Local, startLocal } from '../../lib/local/for-tests/start-local.ts';

// Tests startLocal(), with which the tests of other programs start the service in a separate process.

const module = new URL('../../lib/local/for-tests/start-local.ts', import.meta.url).href;
const before = { date: globalThis.Date, environment: { ...process.env } };

let local: Local;
beforeAll(async () => {
  local = await startLocal({ redirectUris: ['http://localhost:4321/done'], rateLimits: 'off' });
});
afterAll(() => local?.close());
afterEach(() => local.reset());

type Credentials = Pick<Local['environment'], 'client_id' | 'client_secret'>;

async function clientToken({ client_id, client_secret }: Credentials = local.environment): Promise<string> {
  const response = await fetch(`${local.baseUrl}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function post(path: string, body: object): Promise<number> {
  const response = await fetch(`${local.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await clientToken()}` },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

const toIdentifier = (email: string) => ({ identifier_type: 'email', identifier: email });
const signUp = (email: string) => post('/v1/users', { email });
const sendCode = (email: string) => post('/v1/auth/otp/send', { ...toIdentifier(email), channel: 'email' });
const authenticate = (email: string, passcode = '') =>
  post('/v1/auth/otp/authenticate', { ...toIdentifier(email), passcode });

async function logIn(email: string): Promise<number> {
  expect(await sendCode(email)).toBe(200);
  return authenticate(email, (await local.inbox.waitFor(email)).codes[0]);
}

describe('local server started with startLocal()', () => {
  test('startLocal() returns the base URL and the demo tenant with the given redirect URIs', () => {
    expect(local.environment).toMatchObject({ base_url: local.baseUrl, client_secret: expect.any(String) });
    expect(local.environment.redirect_uris).toContain('http://localhost:4321/done');
  });

  test('a test that uses startLocal() can log a user in with the code from the inbox', async () => {
    await signUp('ada@example.com');
    expect(await logIn('ada@example.com')).toBe(200);
  });

  test('inbox.waitFor() waits for a message and compares addresses case-insensitively', async () => {
    await signUp('ben@example.com');
    const waiting = local.inbox.waitFor('Ben@Example.com');
    expect(await sendCode('ben@example.com')).toBe(200);
    expect(await waiting).toMatchObject({ to: 'ben@example.com', codes: [expect.stringMatching(/^\d{6}$/)] });
  });

  test('inbox.waitFor() returns the newest message, or waits for a message if the inbox is empty', async () => {
    await signUp('cleo@example.com');
    await sendCode('cleo@example.com');
    const first = await local.inbox.waitFor('cleo@example.com');
    await sendCode('cleo@example.com');
    const second = await local.inbox.waitFor('cleo@example.com');
    expect(second.id).not.toBe(first.id);
    await local.inbox.clear();
    await expect(local.inbox.waitFor('cleo@example.com', 50)).rejects.toThrow('There is none at all.');
  });

  test('changing an application setting with startLocal() takes effect immediately', async () => {
    await signUp('ada@example.com');
    expect(await sendCode('ada@example.com')).toBe(200);
    const { app_id, management } = local.environment;
    const changed = await fetch(`${local.baseUrl}/v1/applications/${app_id}`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await clientToken(management)}`,
      },
      body: JSON.stringify({ login_preferences: { email: null } }),
    });
    expect(changed.status).toBe(200);
    expect(await sendCode('ada@example.com')).toBe(403);
  });

  test('if inbox.waitFor() times out, its error names the recipients of other messages', async () => {
    await signUp('dan@example.com');
    await sendCode('dan@example.com');
    await expect(local.inbox.waitFor('dam@example.com', 50)).rejects.toThrow(
      'no message to dam@example.com within 50 ms. There are messages to dan@example.com.',
    );
  });

  test("the clock of the local service, not the caller's clock, determines when a login code expires", async () => {
    await signUp('eve@example.com');
    await sendCode('eve@example.com');
    const { codes, created_at } = await local.inbox.waitFor('eve@example.com');
    await local.clock.advance(3600);
    expect(await authenticate('eve@example.com', codes[0])).toBe(400);
    expect((await local.inbox.waitFor('eve@example.com')).created_at).toBe(created_at);
    await local.clock.reset();
    expect(await logIn('eve@example.com')).toBe(200);
  });

  test('the stack trace of an inbox.waitFor() error contains the line of the test', async () => {
    const failure: Error = await local.inbox.waitFor('ida@example.com', 0).catch((error) => error);
    expect(failure.stack).toContain('test/local/start-local.test.ts');
  });

  test('clock.advance() rejects an invalid number of seconds with an explanation', async () => {
    await expect(local.clock.advance(-1)).rejects.toThrow('POST /_local/clock: ');
  });

  test('server.reset() of startLocal() removes all users and messages', async () => {
    await signUp('fay@example.com');
    await sendCode('fay@example.com');
    await local.inbox.waitFor('fay@example.com');
    await local.reset();
    await expect(local.inbox.waitFor('fay@example.com', 0)).rejects.toThrow('no message');
    expect(await signUp('fay@example.com')).toBe(201);
  });

  test('startLocal() works with fake timers and with a replaced global fetch', async () => {
    await signUp('gus@example.com');
    await sendCode('gus@example.com');
    const real = globalThis.fetch;
    jest.useFakeTimers();
    globalThis.fetch = () => Promise.reject(new Error('no network in this test'));
    try {
      expect((await local.inbox.waitFor('gus@example.com')).codes).toHaveLength(1);
      await local.reset();
    } finally {
      globalThis.fetch = real;
      jest.useRealTimers();
    }
  });

  test("startLocal() does not change the caller's Date object and environment", () => {
    expect(globalThis.Date).toBe(before.date);
    expect({ ...process.env }).toEqual(before.environment);
  });
});

describe('process that runs the local service for startLocal()', () => {
  test('close() ends the local service that startLocal() started', async () => {
    const other = await startLocal();
    const health = `${other.baseUrl}/health`;
    expect((await fetch(health)).status).toBe(200);
    await other.close();
    await other.close();
    await expect(fetch(health)).rejects.toThrow();
    await expect(other.reset()).rejects.toThrow('the local service has ended');
  });

  test('if the local service cannot start, startLocal() rejects with the cause', async () => {
    const port = Number(new URL(local.baseUrl).port);
    await expect(startLocal({ port })).rejects.toThrow(`Port ${port} is taken`);
  });

  test('a process exits with an error if the local service does not start within the timeout', async () => {
    const code = `
      const { startLocal } = await import(${JSON.stringify(module)});
      await startLocal({ timeout: 1 });`;
    const caller = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const closed = once(caller, 'close');
    expect(await text(caller.stderr)).toContain('The local service has not started within 1 ms.');
    expect(await closed).toEqual([1, null]);
  });

  test.each(['', 'process.kill(process.pid, "SIGKILL");'])(
    'the local service ends when its caller exits without close() (last statement: %j)',
    async (end) => {
      const code = `
        const { startLocal } = await import(${JSON.stringify(module)});
        const { baseUrl } = await startLocal();
        await new Promise((done) => process.stdout.write(baseUrl, done));
        ${end}`;
      const caller = spawn(process.execPath, ['--input-type=module', '--eval', code], {
        env: { ...process.env, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const baseUrl = await text(caller.stdout);
      expect(baseUrl).toMatch(/^http/);
      const answers = () =>
        fetch(`${baseUrl}/health`).then(
          () => true,
          () => false,
        );
      for (let tries = 100; tries > 0 && (await answers()); tries -= 1) await delay(50);
      expect(await answers()).toBe(false);
    },
  );
});
