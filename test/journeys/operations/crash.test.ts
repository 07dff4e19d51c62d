import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demo } from '../../../lib/local/demo.ts';
import { newEmail } from '../../support/fixtures/people.ts';

/** `kill -9` between any two requests of a login, and while they run: no code opens twice, no session is lost. */

const entry = fileURLToPath(new URL('../../../bin/start.mjs', import.meta.url));
/** Allowed for the demo application. */
const redirect_uri = 'http://localhost:8080/complete';

let folder = '';
let server: ChildProcess | undefined;
let url = '';
let token = '';

type Body = Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'otl-crash-'));
  await start('0');
  token = (await post('/oidc/token', clientCredentials())).body.access_token ?? '';
});
afterAll(async () => {
  await kill();
  await rm(folder, { recursive: true, force: true });
});

async function start(port: string): Promise<void> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [entry], {
    env: { PATH, PORT: port, DATA_DIR: folder, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  let banner = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    banner += chunk;
    const ready = /^ready (.*)\n$/m.exec(banner)?.[1];
    if (ready === undefined) continue;
    url = ready;
    return;
  }
  throw new Error(`not ready: ${banner}`);
}

async function kill(): Promise<void> {
  if (server === undefined) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
  server = undefined;
}

/** The same address again, so that tokens of before are still ours. */
async function crash(): Promise<void> {
  await kill();
  await start(new URL(url).port);
}

const clientCredentials = () =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: demo.client.clientId,
    client_secret: demo.client.clientSecret,
  });

async function post(path: string, given: object): Promise<{ readonly status: number; readonly body: Body }> {
  const isForm = given instanceof URLSearchParams;
  const response = await fetch(url + path, {
    method: 'POST',
    body: isForm ? given : JSON.stringify(given),
    headers: {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
  });
  return { status: response.status, body: JSON.parse(await response.text()) as Body };
}

async function newUser(): Promise<string> {
  const email = newEmail();
  expect((await post('/v1/users', { email })).status).toBe(201);
  return email;
}

/** Two ways to log in: by what is sent, and how it is shown. */
const methods = {
  passcode: {
    send: (identifier: string) =>
      post('/v1/auth/otp/send', { channel: 'direct', identifier_type: 'email', identifier }),
    authenticate: (identifier: string, passcode: string, more: object = {}) =>
      post('/v1/auth/otp/authenticate', { identifier_type: 'email', identifier, passcode, ...more }),
  },
  link: {
    send: (identifier: string) =>
      post('/v1/auth/link/email/send', {
        channel: 'direct',
        identifier_type: 'email',
        identifier,
        redirect_uri,
      }),
    authenticate: (_: string, code: string, more: object = {}) =>
      post('/v1/auth/link/email/authenticate', { code, ...more }),
  },
} as const;

test('send, kill, authenticate, kill, authenticate again: once; the session lives, and tries stay counted', async () => {
  const sent = await Promise.all(
    Object.values(methods).map(async (method) => {
      const email = await newUser();
      const { code = '' } = (await method.send(email)).body;
      return { ...method, email, code };
    }),
  );
  const guessed = await newUser();
  const { code = '' } = (await methods.passcode.send(guessed)).body;
  const wrong = code.replace(/./, (digit) => String((Number(digit) + 1) % 10));
  for (let time = 0; time < 3; time += 1)
    expect((await methods.passcode.authenticate(guessed, wrong)).status).toBe(400);
  await crash();
  expect(await methods.passcode.authenticate(guessed, code)).toMatchObject({
    status: 403,
    body: { error_code: 'auth_locked' },
  });
  const sessions: Body[] = [];
  for (const { authenticate, email, code } of sent) {
    const { status, body } = await authenticate(email, code);
    expect(status).toBe(200);
    sessions.push(body);
  }
  await crash();
  for (const [index, { send, authenticate, email, code }] of sent.entries()) {
    expect((await authenticate(email, code)).status).toBe(400);
    const second = (await send(email)).body.code ?? '';
    const session_id = sessions[index]?.session_id;
    const joined = await authenticate(email, second, { session_id });
    expect(joined).toMatchObject({ status: 200, body: { session_id } });
  }
});

test('killed while many try one code at once, at most one of them got in, before or after', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, newUser));
  const codes = await Promise.all(
    people.map(async (email) => (await methods.link.send(email)).body.code ?? ''),
  );
  const won = new Map(people.map((email) => [email, 0]));
  const anyone = Promise.withResolvers<void>();
  const attempt = async (index: number): Promise<void> => {
    const email = people[index] ?? '';
    const { status } = await methods.link.authenticate(email, codes[index] ?? '');
    if (status !== 200) return;
    won.set(email, (won.get(email) ?? 0) + 1);
    anyone.resolve();
  };

  const attempts = people.flatMap((_, index) =>
    // A request that the crash cuts off has no answer.
    Array.from({ length: 5 }, () => attempt(index).catch(() => undefined)),
  );
  // One is in; the others are anywhere.
  await Promise.race([anyone.promise, Promise.all(attempts)]);
  await crash();
  await Promise.all(attempts);
  for (const index of people.keys()) for (let time = 0; time < 2; time += 1) await attempt(index);

  expect([...won.values()].filter((times) => times > 1)).toEqual([]);
  expect([...won.values()].some((times) => times === 1)).toBe(true);
  for (const email of people) {
    const { code = '' } = (await methods.link.send(email)).body;
    expect((await methods.link.authenticate(email, code)).status).toBe(200);
  }
});
