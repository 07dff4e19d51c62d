import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { otlWith } from '../support/server/otl.ts';

// Tests the local server in a separate process, which the tests can kill.

const entry = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
type Child = ChildProcessByStdio<null, Readable, Readable>;
const children = new Set<Child>();
const ANSWERS_EACH_TIME = 8;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'otl-data-'));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true, force: true });
});

function spawned(command: string, args: readonly string[], environment: Record<string, string>): Child {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH, HOME, LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  return child;
}

function run(environment: Record<string, string>, flags: readonly string[] = []): Child {
  return spawned(process.execPath, [...flags, entry], environment);
}

interface Running {
  readonly child: Child;
  readonly url: string;
  readonly port: string;
  readonly banner: string;
}

function start(environment: Record<string, string> = {}): Promise<Running> {
  return ready(run({ PORT: '0', DATA_DIR: folder, ...environment }));
}

async function ready(child: Child): Promise<Running> {
  let banner = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    complaints += chunk;
  });
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    banner += chunk;
    const url = /^ready (.*)\n$/m.exec(banner)?.[1];
    if (url !== undefined) return { child, url, port: new URL(url).port, banner };
  }
  throw new Error(`not ready: ${banner}${complaints}`);
}

async function kill(child: Child, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = await exited;
  children.delete(child);
  return code;
}

async function call<Body>(url: string, init: RequestInit & { json?: unknown; token?: string } = {}) {
  const { json, token, ...rest } = init;
  const response = await fetch(url, {
    ...rest,
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });
  return { status: response.status, body: (await response.json()) as Body };
}

async function clientToken(url: string): Promise<string> {
  const { body } = await call<{ client_id: string; client_secret: string }>(`${url}/_local/environment`);
  const { client_id, client_secret } = body;
  const granted = await call<{ access_token: string }>(`${url}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  return granted.body.access_token;
}

const ada = { identifier_type: 'email', identifier: 'ada@example.com' };
const sendCode = async (url: string, token: string) =>
  call<{ code: string }>(`${url}/v1/auth/otp/send`, { json: { ...ada, channel: 'direct' }, token });
const authenticate = async (url: string, token: string, passcode: string) =>
  (await call(`${url}/v1/auth/otp/authenticate`, { json: { ...ada, passcode }, token })).status;

test.each(['start.mjs', 'otl.mjs'])('old Node.js versions can load the program bin/%s', (name) => {
  const source = readFileSync(new URL(`../../bin/${name}`, import.meta.url), 'utf8');
  expect(source.match(/^import\b.*/gm)).toEqual(["import module from 'node:module';"]);
});

test('`npm run dev` restarts the server after a source file has changed, and stops the server when it ends', async () => {
  const dev = fileURLToPath(new URL('../../bin/dev.ts', import.meta.url));
  const { child, url } = await ready(spawned(process.execPath, [dev], { PORT: '0' }));
  await utimes(dev, new Date(), new Date());
  const next = await ready(child);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect((await call(`${next.url}/health`)).status).toBe(200);
  expect(await kill(child, 'SIGTERM')).toBe(0);
  await expect(fetch(`${next.url}/health`)).rejects.toThrow();
});

describe('starting the local server process', () => {
  test('the local server prints its ready message last, or one error line and exit code 1 if it cannot start', async () => {
    const first = await start();
    expect(first.banner.endsWith(`\nready http://127.0.0.1:${first.port}\n`)).toBe(true);
    expect(first.banner).toContain(`http://localhost:${first.port}/_local/`);
    for (const [environment, line] of [
      [{ PORT: '0', PUBLIC_ORIGIN: 'login.test/cis' }, /^PUBLIC_ORIGIN must be [^\n]*\n$/],
      [{ PORT: 'http' }, /^PORT must be [^\n]*\n$/],
      [{ PORT: first.port, DATA_DIR: '' }, /^Port \d+ is taken\. [^\n]*\n$/],
      [{ PORT: '0', DATA_DIR: folder }, /^DATA_DIR \S+ cannot be used[^\n]*\n$/],
    ] as const) {
      const second = run(environment);
      const [complaint, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
      expect(complaint).toMatch(line);
      expect(code).toBe(1);
    }
    await kill(first.child, 'SIGKILL');
  });

  test('if the Node version is too old, the local server explains what to do', async () => {
    const old = 'Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})';
    const child = run({}, ['--import', `data:text/javascript,${encodeURIComponent(old)}`]);
    const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(complaint).toMatch(/^One-Time Login needs Node 24, but this is Node 20\.1\.0\. [^\n]*\n$/);
    expect(code).toBe(1);
  });
});

describe('data folder of the local server', () => {
  const readModes = async () =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(folder, { recursive: true })).map(async (name) => {
          const found = await stat(join(folder, name));
          return [name, `${found.isDirectory() ? 'd' : '-'}${(found.mode & 0o777).toString(8)}`];
        }),
      ),
    ) as Readonly<Record<string, string>>;

  test('only its owner can read the data folder, even if other users could read its files before a restart', async () => {
    const parent = folder;
    folder = join(parent, 'made');
    const first = await start();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await kill(first.child, 'SIGKILL');
    for (const name of ['kms.json', 'dynamodb/CURRENT']) await chmod(join(folder, name), 0o644);
    const second = await start();
    const modes = Object.entries(await readModes());
    expect(modes.filter(([name, mode]) => mode !== (name === 'dynamodb' ? 'd700' : '-600'))).toEqual([]);
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['kms.json', 'messages.jsonl']));
    await kill(second.child, 'SIGKILL');
    folder = parent;
  });

  const ends = async (child: Child) => {
    const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { complaint, code };
  };

  test('the local server reports a broken file in the data folder and does not change the folder', async () => {
    const intact = join(folder, 'intact');
    const { url, child } = await start({ DATA_DIR: intact });
    await call(`${url}/v1/users`, { json: { email: ada.identifier }, token: await clientToken(url) });
    await call(`${url}/v1/auth/otp/send`, {
      json: { ...ada, channel: 'email' },
      token: await clientToken(url),
    });
    await kill(child, 'SIGKILL');
    const names = await readdir(intact, { recursive: true });
    for (const broken of ['kms.json', 'messages.jsonl', 'CURRENT', 'MANIFEST']) {
      const copy = join(folder, broken);
      await cp(intact, copy, { recursive: true });
      const path = join(copy, names.find((name) => name.includes(broken)) ?? '');
      if (broken === 'CURRENT') await rm(path);
      else await writeFile(path, `${'\0'.repeat(64)}\n`);
      const before = await readFile(path).catch(() => undefined);
      const { complaint, code } = await ends(run({ PORT: '0', DATA_DIR: copy }));
      expect([broken, complaint, code]).toEqual([
        broken,
        expect.stringMatching(
          /^DATA_DIR \S+ is corrupt: [^\n]+ Restore it from a backup, or use an empty folder\.\n$/,
        ),
        1,
      ]);
      expect(await readFile(path).catch(() => undefined)).toEqual(before);
    }
  });

  test('if the disk is full, the local server ends with a message and loses no confirmed write', async () => {
    // A limit on the file size has the same effect as a full disk.
    const script = 'ulimit -f 400; exec "$0" "$@"';
    const limited = spawned('sh', ['-c', script, process.execPath, entry], { PORT: '0', DATA_DIR: folder });
    const ended = ends(limited);
    const { url } = await ready(limited);
    const answered: string[] = [];
    const token = await clientToken(url);
    const writers = Array.from({ length: 8 }, (_, writer) =>
      createUsers(url, token, String(writer), (id) => answered.push(id)),
    );
    await Promise.all(writers);
    const { complaint, code } = await ended;
    expect(complaint).toMatch(/^DATA_DIR \S+ is full: [^\n]+\n$/);
    expect(code).toBe(1);
    const next = await start();
    const listed = await listUsers(next.url, await clientToken(next.url));
    expect(answered.length).toBeGreaterThan(8);
    for (const id of answered) expect(listed).toContain(id);
    await kill(next.child, 'SIGKILL');
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'on %s, the local server finishes the requests in progress and exits with 0',
  async (signal) => {
    const { url, child } = await start();
    const token = await clientToken(url);
    await call(`${url}/v1/users`, { json: { email: ada.identifier }, token });
    const fault = { service: 'ses', effect: 'latency', latency_ms: 600, times: 1 };
    await call(`${url}/_local/faults`, { json: fault });
    const sending = call(`${url}/v1/auth/otp/send`, { json: { ...ada, channel: 'email' }, token });
    const waiting = async () => (await call<{ faults: object[] }>(`${url}/_local/faults`)).body.faults;
    while ((await waiting()).length > 0) await delay(10);
    const code = await kill(child, signal);
    expect((await sending).status).toBe(200);
    expect(code).toBe(0);
  },
);

test('npm start forwards a signal to the local server', async () => {
  const { url, child } = await ready(spawned('npm', ['start'], { PORT: '0' }));
  expect(await kill(child, 'SIGTERM')).toBe(0);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

describe('data of a local server process that was killed', () => {
  test('keys, configuration, users, codes and messages survive a kill -9', async () => {
    const first = await start({ APP_REDIRECT_URIS: 'https://app.test/one, https://app.test/two' });
    const token = await clientToken(first.url);
    const created = await call<{ result: { user_id: string } }>(`${first.url}/v1/users`, {
      json: { email: ada.identifier },
      token,
    });
    const { code } = (await sendCode(first.url, token)).body;
    await call(`${first.url}/v1/auth/otp/send`, { json: { ...ada, channel: 'email' }, token });
    const latest = await sendCode(first.url, token);
    const paths = ['/oidc/jwks', '/_local/environment', '/_local/messages'];
    const before = await Promise.all(paths.map((path) => call(first.url + path)));
    await kill(first.child, 'SIGKILL');

    const { console_url } = (before[1] as { readonly body: { readonly console_url: string } }).body;
    const second = await start({ PORT: first.port, CONSOLE_PORT: new URL(console_url).port });
    expect(await Promise.all(paths.map((path) => call(second.url + path)))).toEqual(before);
    const user = await call<{ result: object }>(`${second.url}/v1/users/${created.body.result.user_id}`, {
      token,
    });
    expect(user.body.result).toMatchObject({ user_id: created.body.result.user_id });
    // The newer code has invalidated the first code. Both codes may be equal by chance.
    if (code !== latest.body.code) expect(await authenticate(second.url, token, code)).toBe(400);
    expect(await authenticate(second.url, token, latest.body.code)).toBe(200);
    await call(`${second.url}/_local/reset`, { json: {} });
    await kill(second.child, 'SIGKILL');

    const fresh = await start({ PORT: first.port, PUBLIC_ORIGIN: 'https://login.test:8443' });
    expect((await call(`${fresh.url}/_local/environment`)).body).toMatchObject({
      issuer: 'https://login.test:8443/cis/oidc',
      redirect_uris: expect.arrayContaining(['https://login.test:8443/_local/callback']),
    });
    expect((await call(`${fresh.url}/_local/messages`)).body).toEqual({ messages: [] });
    // The call works although no proxy runs at the public origin.
    const played = { method: 'GET', path: '/v1/users' };
    expect(await call(`${fresh.url}/_local/backend`, { json: played })).toMatchObject({ status: 200 });
    const users = await call(`${fresh.url}/v1/users`, { token: await clientToken(fresh.url) });
    expect(users.body).toEqual({ result: [] });
    await kill(fresh.child, 'SIGKILL');
  });

  test('a kill -9 during writes loses no confirmed write and leaves no list entry without a user', async () => {
    const answered: string[] = [];
    for (let round = 0; round <= 1; round += 1) {
      const { url, child } = await start();
      const token = await clientToken(url);
      const listed = await listUsers(url, token);
      for (const id of answered) expect(listed).toContain(id);
      for (const id of listed) expect((await call(`${url}/v1/users/${id}`, { token })).status).toBe(200);

      const some = Promise.withResolvers<void>();
      const hear = (id: string) => {
        answered.push(id);
        if (answered.length >= (round + 1) * ANSWERS_EACH_TIME) some.resolve();
      };
      const writers = Array.from({ length: 8 }, (_, writer) =>
        createUsers(url, token, `${round}-${writer}`, hear),
      );
      await some.promise;
      await kill(child, 'SIGKILL');
      await Promise.all(writers);
    }
  });
});

test('undelivered webhook messages and unforwarded log lines survive a graceful stop and a kill -9', async () => {
  const posts: string[] = [];
  const statuses = [503];
  const arrived = Promise.withResolvers<void>();
  const receiver = createServer(async (request, response) => {
    posts.push(((await json(request)) as { data: { user_id: string } }).data.user_id);
    response.writeHead(statuses.shift() ?? 204).end();
    arrived.resolve();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const createUser = async (url: string, username: string) => {
    const token = await clientToken(url);
    const { body } = await call<{ result: { user_id: string } }>(`${url}/v1/users`, {
      json: { username },
      token,
    });
    return body.result.user_id;
  };

  const first = await start();
  const hook = ['webhook', 'create', '--url', `http://127.0.0.1:${port}/`, '--event', 'user.created'];
  expect((await otlWith({ OTL_ENDPOINT: first.url }, hook)).code).toBe(0);
  const refused = await createUser(first.url, 'refused');
  await arrived.promise;
  expect(posts).toEqual([refused]);
  await kill(first.child, 'SIGKILL');

  const second = await start();
  const late = await createUser(second.url, 'late');
  expect(await kill(second.child, 'SIGTERM')).toBe(0);
  const third = await start();
  // SQS delivers messages again 90 s after the kill. The response to the clock change is sent after due events are handled.
  await call(`${third.url}/_local/clock`, { json: { advance_seconds: 90 } });
  expect(posts.slice(1).toSorted()).toEqual([late, refused].toSorted());
  await kill(third.child, 'SIGKILL');
  receiver.close();
  receiver.closeAllConnections();
});

/** Creates users until the server stops. Calls `hear` with the ID of each user whose creation was confirmed. */
async function createUsers(
  url: string,
  token: string,
  name: string,
  hear: (id: string) => void,
): Promise<void> {
  for (let number = 0; ; number += 1)
    try {
      const json = { email: `${name}-${number}@example.com` };
      const { status, body } = await call<{ result: { user_id: string } }>(`${url}/v1/users`, {
        json,
        token,
      });
      if (status === 201) hear(body.result.user_id);
    } catch {
      return;
    }
}

async function listUsers(url: string, token: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { body } = await call<{ result: { user_id: string }[]; next_cursor?: string }>(
      `${url}/v1/users?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      { token },
    );
    ids.push(...body.result.map((user) => user.user_id));
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return ids;
}
