import { describe, expect, jest, test } from '@jest/globals';
import type { Column, Outcome } from '../../bin/otl/terminal/outcome.ts';
import { printForPeople } from '../../bin/otl/terminal/print.ts';
import { localLines } from '../../lib/operator/logs/new-lines.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../../shared/domain/basis/limits.ts';
import { otlAsProcess, otlAt } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });

const { otl } = otlAt(server);

/** Runs command lines in parallel. Checks that stdout is empty and that stderr contains the message. */
async function expectEach(code: number, cases: readonly [string[], string | RegExp][]): Promise<void> {
  const ended = await Promise.all(cases.map(([args]) => otl(...args)));
  cases.forEach(([args, message], index) => {
    expect({ args, ...ended[index] }).toEqual({
      args,
      code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
}

describe('output of the command otl logs', () => {
  test('otl logs tail prints one line per request', async () => {
    const { headers } = await server.get('/v1/users/unknown', { token: await server.clientToken() });
    const id = headers.get('x-request-id') ?? '';
    const [people, whole] = await Promise.all([
      otl('logs', 'tail', '--once'),
      otl('logs', 'tail', '--once', '--json'),
    ]);
    const findLine = (text: string) => text.split('\n').find((line) => line.includes(id)) ?? '';
    expect(findLine(people.stdout)).toMatch(/^\S+Z {2}404 {2}users\/\S+ {2}\d+ ms {2}user_not_found {2}/);
    expect(JSON.parse(findLine(whole.stdout))).toMatchObject({ request_id: id, status: 404, level: 'info' });
  });

  test('otl logs --request prints the error and the rejected field of a request', async () => {
    const token = await server.clientToken();
    const given = { email: 'secret-typed-here', status: 5, custom_app_data: { canary: 1 } };
    const { headers } = await server.post('/v1/users', given, { token });
    const id = headers.get('x-request-id') ?? '';
    const { stdout } = await otl('logs', '--request', id, '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { request_id: id, status: 400, result: 'system_invalid_input', fields: ['email'] },
    ]);
    expect(stdout).not.toMatch(/secret-typed|canary/);
    const people = (await otl('logs', '--request', id)).stdout;
    expect(people).toMatch(/^fields +email$/m);
    expect(people).toMatch(/^result +system_invalid_input$/m);
    expect((await otl('logs', '--request', crypto.randomUUID())).code).toBe(1);
  });

  test('otl logs tail prints no log lines from before the time given by --since', async () => {
    const lines = localLines(server.url, Date.now() / 1000 + 3600);
    await server.get('/health');
    expect(await lines.read()).toEqual([]);
    const all = localLines(server.url, 0);
    expect(await all.read()).not.toEqual([]);
    await server.get('/health');
    expect(await all.read()).toMatchObject([{ status: 200, event: 'meta/health' }]);
  });
});

describe('exit codes and error messages of otl', () => {
  test('an otl command exits with code 1 if the service rejects the request', () =>
    expectEach(1, [
      [['user', 'create'], 'otl: body: one of email, phone_number and username is required\n'],
      [['user', 'show', 'unknown'], 'otl: User not found\n'],
      [['tenant', 'show', 'nowhere'], 'otl: Tenant not found\n'],
      [['user', 'list', '--tenant', 'nowhere'], /management client of the tenant nowhere/],
      [['user', 'list', '--env', 'eu'], /otl login, or set OTL_CLIENT_ID and OTL_CLIENT_SECRET/],
      [['user', 'create', '--email', 'a', '--picture', 'x', '--language', '?'], /^otl: picture: /],
    ]));

  test('an otl command with wrong arguments exits with code 2', () =>
    expectEach(2, [
      [['user', 'frobnicate'], /unknown command/],
      [['user', 'show', 'a', 'b'], /too many arguments/],
      [['user', 'show'], /Name the user/],
      [['user', 'list', '--nonsense'], /unknown option/],
      [['tenant', 'create'], /required option '--name <text>' not specified/],
      [['member', 'list'], /required option '--org <id>' not specified/],
      [['client', 'update', 'x', '--access-token-ttl', 'soon'], /It must be a number/],
      [['application', 'create', '--name', 'x', '--login-preferences', '{'], /It must be JSON/],
      [['application', 'create', '--name', 'x', '--public-signup', 'maybe'], /It must be yes or no/],
      [['user', 'create', '--custom-identifier', 'card'], /It must have the form <type>=<value>/],
      [['user', 'delete', 'x'], /no terminal to ask for confirmation, so add --yes/],
      [['user', 'list', '--env', 'nowhere'], /There is no environment "nowhere"/],
      [['user', 'list', '--env', 'eu', '--endpoint', 'http://localhost:1'], /exclude each other/],
      [['user', 'list', '--endpoint', 'nonsense'], /must be a URL/],
      [['keys', 'list', '--env', 'eu', '--tenant'], /argument missing/],
      [['logs', 'tail', '--since', 'today'], /--since is a number of minutes/],
      [['logs'], /Name a request with --request/],
      [['logs', '--request', 'a" | b'], /X-Request-Id/],
      [[], /^Usage: otl/],
      [['user'], /^Usage: otl user/],
    ]));

  test('otl exits with an error if no option names a server or if the server is unreachable', async () => {
    expect(await otlAsProcess({}, ['user', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name the target: --env <name>'),
    });
    expect(await otl('user', 'list', '--endpoint', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: 'otl: No server responds at http://127.0.0.1:1. Start the local server with "npm start".\n',
    });
  });
});

describe('formatting of otl output for terminals', () => {
  const ITEM = { app_id: '0a1b2c3d', name: `\u001b[2JMallory ${'x'.repeat(90)}`, made: '2026-01-31' };
  const COLUMNS: readonly Column<typeof ITEM>[] = [
    { heading: 'APPLICATION', text: (item) => item.app_id },
    { heading: 'NAME', text: (item) => item.name, flexible: true },
    { heading: 'MADE', text: (item) => item.made },
  ];

  /** Formats a record and a list with one entry for a terminal with the given number of columns. Returns both texts. */
  function printed(columns: number | undefined): readonly [string, string] {
    const print = (outcome: Outcome) => {
      const written: string[] = [];
      const paper = { write: (text: string) => void written.push(text), columns, colours: false };
      printForPeople(outcome, paper, () => {});
      return written.join('');
    };
    const list = { result: [ITEM] };
    return [print({ record: ITEM }), print({ list, columns: COLUMNS as readonly Column<never>[] })];
  }

  test.each([80, 0])(
    'otl fits its output into a terminal of %d columns and replaces control characters in names',
    (columns) => {
      const [record, list] = printed(columns);
      expect(list).toMatch(/^APPLICATION +NAME +MADE\n/);
      for (const text of [record, list]) {
        expect(text).not.toContain('\u001b');
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
      }
      expect(list).toMatch(/^0a1b2c3d +\ufffd\[2JMallory x+… {2}2026-01-31$/m);
    },
  );

  test('otl does not shorten its output if stdout is not a terminal', async () => {
    for (const text of printed(undefined)) expect(text).toContain(`Mallory ${'x'.repeat(90)}`);
    const name = 'y'.repeat(100);
    for (const args of [['create', '--name', name], ['list']])
      expect((await otl('organization', ...args)).stdout).toContain(name);
  });

  test('otl prints hints about secrets and about further pages to stderr', async () => {
    const made = await otl('client', 'create', '--management', '--name', 'One');
    expect(made.stdout).toMatch(/^client_secret {2,}[\w-]{43}$/m);
    expect(made.stderr).toContain('cannot be shown again');
    const page = await otl('client', 'list', '--limit', '1');
    const cursor = /--cursor (\S+)/.exec(page.stderr)?.[1];
    expect(page.stdout.trim().split('\n')).toHaveLength(2);
    const next = await otl('client', 'list', '--limit', '1', '--cursor', String(cursor));
    expect(next.code).toBe(0);
    expect(next.stdout).not.toBe(page.stdout);
  });

  test('otl --version prints the version of the package', async () => {
    expect(await otl('--version')).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
  });

  test('the help text of every otl command contains examples', async () => {
    const { stdout } = await otl('--help');
    expect(stdout).toContain('OTL_ENDPOINT=http://localhost:3000 otl user list');
    const helps = await Promise.all(
      ['user create', 'application update', 'client rotate-secret', 'member delete'].map((words) =>
        otl(...words.split(' '), '--help'),
      ),
    );
    for (const help of helps) {
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(/^Usage: otl \w+ [\w-]+ \[options\]/);
      expect(help.stdout).toMatch(/\nExamples:\n {2}\$ otl /);
      for (const line of help.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test('the help text of otl describes fields and their limits in the same words as the OpenAPI document', async () => {
    const { stdout } = await otl('resource', 'create', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `--access-token-ttl <seconds> lifetime of access tokens in seconds, 1 to ${RESOURCE_ACCESS_TTL_MAX_SECONDS}`,
    );
  });
});
