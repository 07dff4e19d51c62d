import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { commandGroups } from '../../bin/otl/command-groups.ts';
import { splitIntoBatches } from '../../lib/operator/audit-log/cloudwatch.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { tokensDirect } from '../support/fixtures/tokens.ts';
import { otlAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';

// N127: changes made with the command line are audited like changes made over HTTP.

jest.setTimeout(120_000);

type Json = Readonly<Record<string, unknown>>;
type Line = Readonly<Record<string, string>> & { readonly audit?: readonly string[] };

const server = useTestServer({ rateLimits: 'off', events: true });
let token: string;
let receiver: Server;
const received: Json[] = [];

beforeAll(async () => {
  token = await server.clientToken();
  receiver = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)) as Json);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
});

const { otl, json } = otlAt(server, '--json');

async function report(settled = true) {
  if (settled) await server.settleEvents();
  const { body } = await server.get<{ operator_log: Line[]; events: { detail: Json }[] }>(
    `${server.url}/_local/events`,
  );
  return body;
}

/** Runs a command. Returns its result and the audit lines that it wrote. */
async function collectLines<Answer>(
  command: () => Promise<Answer>,
): Promise<readonly [Answer, readonly Line[]]> {
  const before = (await report()).operator_log.length;
  const answer = await command();
  return [answer, (await report()).operator_log.slice(before)];
}

async function readTimeline(userId: string): Promise<readonly Json[]> {
  await server.settleEvents();
  return (await json<{ result: Json[] }>('user', 'timeline', userId, '--limit', '100')).result;
}

const operator = userInfo().username;

async function someSession(): Promise<{ readonly user_id: string; readonly session_id: string }> {
  const { user_id } = await createUser(server, { email: newEmail() });
  const { session_id } = await tokensDirect(server, user_id);
  return { user_id, session_id };
}

describe('audit lines of otl commands', () => {
  test('an otl command that changes data writes one audit line before and one after the change', async () => {
    const { user_id, session_id } = await someSession();
    const [, lines] = await collectLines(() => otl('session', 'end', session_id));
    const common = {
      ...{ level: 'info', section: 'operator', event: 'otl/session/end', operator },
      ...{ tenant_id: server.environment.tenant_id, time: expect.stringMatching(/^\d{4}-.*Z$/) },
      request_id: expect.stringMatching(/^[0-9a-z]{25}$/),
    };
    const [begun, ended] = lines;
    expect(lines).toEqual([
      { ...common, result: 'begun' },
      {
        ...{ ...common, result: 'ok', user_id, session_id, audit: ['session.ended'] },
        duration_ms: expect.any(Number),
      },
    ]);
    expect(begun?.request_id).toBe(ended?.request_id);
  });

  test('the audit line of a failed otl command contains the error but not the unknown ID that the user typed', async () => {
    const given = 'someone@example.com';
    const [answer, lines] = await collectLines(() => otl('session', 'end', given));
    expect(answer.code).toBe(1);
    expect(lines).toMatchObject([{ result: 'begun' }, { result: 'session_not_found' }]);
    for (const line of lines) expect(line).not.toHaveProperty('audit');
    expect(JSON.stringify(lines)).not.toContain(given);
  });

  test('otl commands that only read data or only call the API write no audit line', async () => {
    const [, lines] = await collectLines(async () => {
      await json('tenant', 'list');
      await json('organization', 'create', '--name', 'Acme');
      await json('application', 'show', server.environment.app_id);
      expect((await otl('user', 'update', 'x', '--status', 'Disabled', '--nonsense')).code).toBe(2);
      expect((await otl('user', 'show')).code).toBe(2);
    });
    expect(lines).toEqual([]);
  });

  test('the audit line of an otl command contains the ID of the changed record', async () => {
    const { app_id } = await json<{ app_id: string }>('application', 'create', '--name', 'Shop');
    for (const verb of ['confirm-host', 'free-host']) {
      const [, lines] = await collectLines(() =>
        otl('application', verb, app_id, '--host', 'help.example.com'),
      );
      for (const line of lines) expect(line).toMatchObject({ record_id: app_id });
      expect(lines.at(-1)).toMatchObject({ audit: ['management.changed'] });
    }
  });

  test('the audit line of an otl command contains the ID of the created tenant or signing key', async () => {
    const [tenant, lines] = await collectLines(() => json('tenant', 'create', '--name', 'Audited'));
    expect(lines.at(-1)).toMatchObject({ tenant_id: tenant.tenant_id, audit: ['management.changed'] });
    const [key, ofKey] = await collectLines(() => json('keys', 'prepare'));
    expect(ofKey.at(-1)).toMatchObject({ key_id: key.kid, audit: ['management.changed'] });
    expect(ofKey.at(-1)).not.toHaveProperty('tenant_id');
    const { events } = await report();
    expect(events.map(({ detail }) => detail)).toContainEqual(
      expect.objectContaining({ operation: 'otl/keys/prepare', key_id: key.kid, operator }),
    );
    expect((await otl('keys', 'retire', String(key.kid))).code).toBe(0);
  });

  /** Pattern of the command verbs that only read data. */
  const READING = /^(?:list|list-hosts|show|export|check|preview)$/;

  test.each(
    commandGroups.flatMap((group) =>
      group.commands
        .filter(({ run }) => run !== undefined)
        .map((command) => [group.name, command.verb, command] as const),
    ),
  )(
    'the command otl %s %s declares its changes for the audit log, unless the command only reads data',
    (_group, verb, { changes }) => {
      expect(changes === undefined).toBe(READING.test(verb));
    },
  );
});

describe('changes made with otl commands in the list of changes', () => {
  test('a change made with an otl command appears in the list of changes with the changed values', async () => {
    const { tenant_id } = server.environment;
    const { name } = await json<{ name: string }>('tenant', 'show');
    await json('tenant', 'update', tenant_id, '--name', 'Renamed');
    await server.settleEvents();
    const { result } = await json<{ result: Json[] }>('changes', '--kind', 'tenant', '--limit', '1');
    const changes = [{ field: 'name', before: name, after: 'Renamed' }];
    const named = { operation: 'otl/tenant/update', operator, tenant_id };
    expect(result).toEqual([expect.objectContaining({ ...named, changes })]);
    expect((await otl('changes', '--operator', operator)).stdout).toContain('Renamed');
    expect((await otl('changes', '--operator', 'unknown')).stdout).not.toContain('Renamed');
    await json('tenant', 'update', tenant_id, '--name', name);
  });

  test('a change made with an otl command appears in the timeline and in webhooks, like a change through the HTTP API', async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const hook = await json('webhook', 'create', '--url', url, '--event', 'user.*');
    const { user_id } = await createUser(server, { email: newEmail() });
    await json('user', 'recover', user_id, '--yes');
    await server.settleEvents();
    received.length = 0;
    expect(await otl('user', 'cancel-recovery', user_id)).toMatchObject({ code: 0 });
    const byOtl = (await readTimeline(user_id)).filter(({ operation }) =>
      String(operation).startsWith('otl/'),
    );
    expect(byOtl).toMatchObject([{ type: 'user.recovery_cancelled', operation: 'otl/user/cancel-recovery' }]);
    // Tenants must not learn which operator made a change.
    expect(received).toMatchObject([{ type: 'user.recovery_cancelled', data: { user_id } }]);
    expect(JSON.stringify(received)).not.toContain('"operator"');
    const exported = await server.get<{ result: { timeline: Json[] } }>(`/v1/users/${user_id}/export`, {
      token,
    });
    expect(exported.body.result.timeline).toContainEqual(
      expect.objectContaining({ type: 'user.recovery_cancelled' }),
    );
    for (const event of exported.body.result.timeline) expect(event).not.toHaveProperty('operator');
    await otl('webhook', 'delete', String(hook.webhook_id), '--yes');
  });
});

describe('audit lines of user imports', () => {
  const input = (names: readonly string[]) =>
    names.map((username) => JSON.stringify({ username })).join('\n');
  const importUsers = async (args: readonly string[], names: readonly string[]) =>
    otlWith({ OTL_ENDPOINT: server.url }, ['user', 'import', '-', '--json', ...args], input(names));
  const userId = async (username: string) =>
    String((await json('user', 'show', '--username', username)).user_id);

  test('a user import writes one audit line for each created user', async () => {
    const names = ['a', 'b', 'c'].map((name) => `${name}-${newEmail()}`);
    const [, none] = await collectLines(() => importUsers(['--dry-run'], names));
    expect(none).toEqual([]);
    const [{ code }, lines] = await collectLines(() => importUsers([], names));
    expect(code).toBe(0);
    const [begun, ...rest] = lines;
    const ended = rest.pop();
    expect([begun, ended]).toMatchObject([
      { event: 'otl/user/import', result: 'begun' },
      { event: 'otl/user/import', result: 'ok', request_id: begun?.request_id },
    ]);
    expect(ended).not.toHaveProperty('audit');
    const ids = await Promise.all(names.map(userId));
    expect(
      rest.toSorted((one, other) => (String(one.request_id) < String(other.request_id) ? -1 : 1)),
    ).toEqual(
      ids.map((user_id, index) =>
        expect.objectContaining({
          ...{ user_id, result: 'ok', operator, audit: ['user.created'] },
          ...{ tenant_id: server.environment.tenant_id, request_id: `${begun?.request_id}/${index + 1}` },
        }),
      ),
    );
    expect(await readTimeline(ids[0] ?? '')).toMatchObject([
      { type: 'user.created', operation: 'otl/user/import' },
    ]);
    const [, again] = await collectLines(() => importUsers([], names));
    expect(again.map(({ result }) => result)).toEqual(['begun', 'ok']);
  });

  test('a user import that failed because of the audit log can be resumed without logging any event twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'otl-audit-'));
    const checkpoint = ['--checkpoint', join(folder, 'checkpoint.json')];
    const names = ['d', 'e'].map((name) => `${name}-${newEmail()}`);
    await refuseLines(1);
    const [failed, lines] = await collectLines(() => importUsers(checkpoint, names));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('accepts no lines') });
    expect(lines.map(({ result }) => result)).toEqual(['begun']);
    await server.faults.clear();
    const [resumed, told] = await collectLines(() => importUsers(checkpoint, names));
    expect(resumed.code).toBe(0);
    const ofRows = told.filter(({ audit }) => audit);
    expect(ofRows.map(({ result, request_id }) => [result, request_id]).toSorted()).toEqual([
      ['existing', `${lines[0]?.request_id}/1`],
      ['existing', `${lines[0]?.request_id}/2`],
    ]);
    for (const name of names)
      expect((await readTimeline(await userId(name))).map(({ type }) => type)).toEqual(['user.created']);

    // Simulates a run that was killed before it could save its progress.
    const file = join(folder, 'checkpoint.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ done: 2, of: expect.any(String) });
    const more = ['f', 'g'].map((name) => `${name}-${newEmail()}`);
    const [, first] = await collectLines(() => importUsers([], more));
    const run = { id: first[0]?.request_id, since: 0 };
    await writeFile(file, JSON.stringify({ done: 0, run }));
    const [, second] = await collectLines(() => importUsers(checkpoint, more));
    const toAuditRows = (of: readonly Line[]) =>
      of.flatMap(({ audit, request_id, time, user_id }) => (audit ? [[request_id, time, user_id]] : []));
    expect(toAuditRows(second).toSorted()).toEqual(toAuditRows(first).toSorted());
    for (const name of more)
      expect((await readTimeline(await userId(name))).map(({ type }) => type)).toEqual(['user.created']);
    await rm(folder, { recursive: true });
  });
});

const refuseLines = (skip: number) =>
  server.faults.inject({
    ...{
      service: 'logs',
      action: 'PutLogEvents',
      effect: 'error',
      code: 'AccessDeniedException',
      status: 400,
    },
    skip,
  });

describe('otl commands run while the audit log is unavailable', () => {
  afterEach(() => server.faults.clear());

  test('an otl command changes nothing if its first audit line cannot be written', async () => {
    await refuseLines(0);
    const name = `before-${newEmail()}`;
    const { code, stderr, stdout } = await otl('tenant', 'create', '--name', name);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^otl: Nothing was changed, .*need logs:CreateLogStream and logs:PutLogEvents/);
    expect((await otl('tenant', 'list')).stdout).not.toContain(name);
  });

  test('an otl command exits with code 3 if the change succeeded but the last audit line cannot be written', async () => {
    await refuseLines(1);
    const [answer, lines] = await collectLines(() => otl('tenant', 'create', '--name', 'Once'));
    const { code, stdout, stderr } = answer;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ management: { client_secret: expect.any(String) } });
    const [begun] = lines;
    expect(lines).toMatchObject([{ result: 'begun' }]);
    expect(stderr).toContain(`has only its first line (request_id ${begun?.request_id})`);
  });

  test('if a failed otl command cannot write its last audit line, it reports both errors', async () => {
    await refuseLines(1);
    const { code, stderr } = await otl('tenant', 'delete', 'unknown', '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^otl: The change was made, but the operator audit log .*\notl: Tenant not found\n$/,
    );
  });
});

test('the first audit line of an otl command remains if the command is killed', async () => {
  const { tenant_id } = await json<{ tenant_id: string }>('tenant', 'create', '--name', 'Killed');
  const before = (await report()).operator_log.length;
  await server.faults.inject({
    service: 'dynamodb',
    action: 'PutItem',
    effect: 'latency',
    latency_ms: 60_000,
  });
  const child = spawn(process.execPath, ['bin/otl.mjs', 'tenant', 'update', tenant_id, '--name', 'Never'], {
    env: childEnvironment({ HOME: process.env.HOME, OTL_ENDPOINT: server.url }),
  });
  const ended = once(child, 'exit');
  const lines = async () => (await report(false)).operator_log.slice(before);
  while ((await lines()).length === 0) await delay(20);
  child.kill('SIGKILL');
  await ended;
  await server.faults.clear();
  expect(await lines()).toMatchObject([
    { event: 'otl/tenant/update', result: 'begun', record_id: tenant_id },
  ]);
});

test('audit lines are sent to CloudWatch Logs in batches of at most 10,000 lines and one megabyte', () => {
  expect(splitIntoBatches([])).toEqual([]);
  expect(splitIntoBatches(Array.from({ length: 10_001 }, () => 'x')).map(({ length }) => length)).toEqual([
    10_000, 1,
  ]);
  const long = 'x'.repeat(500_000);
  expect(splitIntoBatches([long, long, long]).map(({ length }) => length)).toEqual([2, 1]);
});
