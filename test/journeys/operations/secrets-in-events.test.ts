// N127: data derived from log lines (timelines, events, webhook messages, the operator log) contain no secret and no address.
// The test sends recognisable values in every field that a caller or an operator can fill in.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { tells } from '../../support/fixtures/caught-log.ts';
import {
  made,
  madeApplication,
  madeClient,
  madeMember,
  madeWebhook,
} from '../../support/fixtures/managed.ts';
import { createUser } from '../../support/fixtures/people.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

jest.setTimeout(240_000);

type Body = Readonly<Record<string, string>>;

/** Values that must never appear in events, in any encoding. */
const secrets = new Set<string>();
const keep = <Value extends string>(value: Value): Value => {
  secrets.add(value);
  return value;
};

/** Names of created records. They may appear only in the values of recorded changes. */
const names = new Set<string>();
const name = (value: string): string => {
  names.add(value);
  return value;
};

const server = useTestServer({ rateLimits: 'off', events: true });
let token: string;
let admin: string;
let folder: string;
let receiver: Server;
const posts: string[] = [];

const email = keep('canary.events@mail.example');
const phone = keep('+12015550151');
const username = keep('canary-events-username');
const who = { identifier_type: 'email', identifier: email };

beforeAll(async () => {
  token = keep(await server.clientToken());
  admin = keep(await server.adminToken());
  folder = await mkdtemp(join(tmpdir(), 'otl-canary-'));
  receiver = createServer(async (request, response) => {
    posts.push(await text(request));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const { secret } = await madeWebhook(server, { url: `http://127.0.0.1:${port}/${keep('canary-path')}` });
  keep(secret);
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  await rm(folder, { recursive: true });
});

function keepAll(body: unknown): void {
  const { code, request_id, access_token, id_token, refresh_token, client_secret, secret } = (body ??
    {}) as Body;
  for (const value of [code, request_id, client_secret, secret]) if (value) keep(value);
  for (const value of [access_token, id_token, refresh_token])
    if (value) for (const each of [value, value.split('.').at(-1) ?? '']) keep(each);
}

async function post(path: string, json: object, bearer = token) {
  const answer = await server.post<Body>(path, json, { token: bearer });
  keepAll(answer.body);
  keepAll((answer.body as { readonly result?: Body } | undefined)?.result);
  return answer;
}

/** Runs an `otl` command that must succeed. Adds the secrets in its output to `secrets`. */
async function otl(...args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, [...args, '--json']);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const record = (stdout === '' ? {} : JSON.parse(stdout)) as Body;
  keepAll(record);
  return record;
}

async function requests(): Promise<string> {
  const { user_id } = await createUser(server, { email, phone_number: phone, username });
  const state = keep('canary-events-state');
  const device_id = 'device-1';
  const first = await post('/v1/auth/otp/send', { channel: 'direct', ...who, generate_request_id: true });
  const { code: passcode, request_id } = first.body;
  await post('/v1/auth/otp/authenticate', { passcode: keep('13572468'), request_id, ...who });
  const login = await post('/v1/auth/otp/authenticate', { passcode, request_id, device_id, ...who });
  expect(login.status).toBe(200);
  for (const channel of ['email', 'sms']) await post('/v1/auth/otp/send', { channel, ...who });
  for (const { codes } of await server.messages()) for (const code of codes) keep(code);
  const [redirect_uri] = server.environment.redirect_uris;
  const link = await post('/v1/auth/link/email/send', { channel: 'direct', redirect_uri, state, ...who });
  await post('/v1/auth/link/email/authenticate', { code: link.body.code, device_id: 'device-2' });
  const { refresh_token } = login.body;
  const refreshed = await post('/v1/auth/token/refresh', { refresh_token });
  await post('/v1/auth/token/refresh', { refresh_token: refreshed.body.refresh_token });
  await post('/v1/auth/token/refresh', { refresh_token });
  const grant = { grant_type: 'client_credentials', client_id: server.environment.client_id };
  await server.form('/oidc/token', { ...grant, client_secret: keep('canary-events-wrong-secret') });
  await server.put(
    `/v1/users/${user_id}`,
    { email: keep('canary.events.next@mail.example'), phone_number: keep('+12015550152') },
    { token },
  );
  await server.delete(`/v1/users/${keep('canary.absent@mail.example')}`, { token });
  return user_id;
}

async function management(): Promise<void> {
  const appId = await madeApplication(server, { name: name('Canary Shop') });
  const client = await madeClient(server, { name: name('Canary Backend') }, appId);
  keep(client.client_secret);
  await post(`/v1/applications/${appId}/clients/${client.client_id}/secrets`, {}, admin);
  await madeMember(server);
  await made(server, '/v1/organizations', { name: name('Canary Works') });
  const { webhook_id, secret } = await madeWebhook(server, { url: keep('https://canary.example.com/hook') });
  keep(secret);
  await post(`/v1/webhooks/${webhook_id}/secrets`, {}, admin);
}

async function commands(userId: string): Promise<void> {
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  await otl('tenant', 'create', '--name', name('Canary Ltd'));
  const { app_id = '' } = await otl('application', 'create', '--name', name('Canary Store'));
  const google = ['--provider', 'google', '--client-id', name('canary-at-google'), '--secret-file'];
  const providerSecret = await file('google.secret', keep('canary-provider-secret'));
  await otl('application', 'set-provider', app_id, ...google, providerSecret);
  const { client_id = '' } = await otl('client', 'create', '--app', app_id, '--name', name('Canary Client'));
  await otl('client', 'rotate-secret', client_id);
  const hook = await otl('webhook', 'create', '--url', keep('https://canary.example.com/by-otl'));
  await otl('webhook', 'rotate-secret', hook.webhook_id ?? '');
  await otl(
    'user',
    'create',
    '--email',
    keep('canary.by.otl@mail.example'),
    '--first-name',
    keep('Canariana'),
  );
  await otl('user', 'update', userId, '--email', keep('canary.by.otl.next@mail.example'));
  await otl('user', 'unlock', userId);
  const rows = ['a', 'b'].map((name) =>
    JSON.stringify({ email: keep(`canary.import.${name}@mail.example`) }),
  );
  await otl('user', 'import', await file('users.jsonl', rows.join('\n')));
  await otl('keys', 'prepare');
  await otl('application', 'remove-provider', app_id, '--provider', 'google', '--yes');
  const given = keep('canary.typed@mail.example');
  for (const noun of ['user', 'client', 'application', 'webhook', 'tenant'])
    expect((await otlWith({ OTL_ENDPOINT: server.url }, [noun, 'delete', given, '--yes'])).code).toBe(1);
}

test('N127: no timeline, event, webhook message or otl output contains a secret or an address', async () => {
  const userId = await requests();
  await management();
  await commands(userId);
  await server.settleEvents();
  const { body } = await server.get<{
    readonly events: { readonly detail: object }[];
    readonly operator_log: object[];
  }>(`${server.url}/_local/events`);
  const items = JSON.parse(await dumpTable('people')) as readonly object[];
  const timelines = items.map((item) => JSON.stringify(item)).filter((item) => item.includes('"timeline#'));
  const told = {
    timelines,
    events: body.events.map((event) => JSON.stringify(event)),
    operators: body.operator_log.map((line) => JSON.stringify(line)),
    posts,
  };
  // Each source must contain enough texts for the search to be meaningful.
  for (const texts of Object.values(told)) expect(texts.length).toBeGreaterThan(10);
  expect(secrets.size).toBeGreaterThan(50);
  for (const [where, texts] of Object.entries(told)) {
    const all = texts.join('\n');
    expect([where, [...secrets].filter((secret) => tells(all, secret))]).toEqual([where, []]);
  }
  const withoutValues = JSON.stringify([
    timelines.filter((item) => !item.includes('"timeline#changes')),
    body.events.map((event) => ({ ...event, detail: { ...event.detail, changes: undefined } })),
    body.operator_log.map((line) => ({ ...line, changes: undefined })),
    posts,
  ]);
  expect([...names].filter((each) => tells(withoutValues, each))).toEqual([]);
  expect([...names].filter((each) => !tells(timelines.join('\n'), each))).toEqual([]);
  // Checks the search itself: it finds an address that is appended to the texts.
  expect([...secrets].filter((secret) => tells(`${told.posts.join('\n')} to=${email}.`, secret))).toEqual([
    email,
  ]);
});
