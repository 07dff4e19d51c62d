import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { otlAsProcess, otlWith } from '../support/server/otl.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';

jest.setTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: 'off' });
});
afterAll(() => server.stop());

const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, args);

/** Runs the command lines side by side: nothing on stdout, the message on stderr. */
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

describe('exit codes and messages', () => {
  test('refusals exit with 1', () =>
    expectEach(1, [
      [['user', 'create'], 'otl: body: one of email, phone_number and username is required\n'],
      [['user', 'show', 'unknown'], 'otl: User not found\n'],
      [['user', 'list', '--tenant', 'nowhere'], 'otl: Tenant not found\n'],
      [['user', 'list', '--limit', '0'], 'otl: limit: must be an integer from 1 to 100\n'],
      [['application', 'create', '--name', 'x', '--redirect-uri', 'http://a.example/'], /must use https/],
      [['application', 'create', '--name', 'x', '--language', 'xx'], /^otl: language: must be/],
      [
        ['user', 'create', '--email', 'a', '--picture', 'x', '--language', '?'],
        /picture: .*\notl: language: /,
      ],
    ]));

  test('wrong usage exits with 2', () =>
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
      [['user', 'create', '--custom-identifier', 'card'], /It must be written <type>=<value>/],
      [['user', 'delete', 'x'], /no terminal to ask at, so add --yes/],
      [['user', 'list', '--env', 'nowhere'], /There is no environment "nowhere"/],
      [['user', 'list', '--env', 'eu', '--endpoint', 'http://localhost:1'], /exclude each other/],
      [['user', 'list', '--endpoint', 'nonsense'], /must be an address/],
      [['user', 'list', '--env', 'eu'], /Say for which tenant/],
      [[], /^Usage: otl/],
      [['user'], /^Usage: otl user/],
    ]));

  test('a target is required, and must answer', async () => {
    expect(await otlAsProcess({}, ['user', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say where: --env <name>'),
    });
    expect(await otl('user', 'list', '--endpoint', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: 'otl: Nothing answers at http://127.0.0.1:1: start the local server with "npm start".\n',
    });
  });
});

describe('output for people', () => {
  test('lists and records fit into 80 columns, and names cannot move the cursor', async () => {
    const name = `\u001b[2JMallory ${'x'.repeat(90)}`;
    const { stdout: made } = await otl('organization', 'create', '--name', name);
    const { stdout: list } = await otl('organization', 'list');
    expect(list).toMatch(/^ORGANIZATION +NAME +MADE\n/);
    for (const text of [made, list]) {
      expect(text).not.toContain('\u001b');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    expect(list).toMatch(/^[a-z0-9]{25} {2}\ufffd\[2JMallory x+… {2}\d{4}-\d\d-\d\d$/m);
  });

  test('notes go to stderr: about the secret, and the next page', async () => {
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

  test('every command has help with examples', async () => {
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
});
