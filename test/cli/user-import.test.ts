import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type ImportOptions, importUsers, RefusedRow } from '../../bin/otl/users/import.ts';
import { bodyOfCells } from '../../bin/otl/users/rows.ts';
import { startWorld, type World } from '../support/world.ts';

jest.setTimeout(120_000);

let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld({ rateLimits: 'off' });
  folder = mkdtempSync(join(tmpdir(), 'otl-import-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.stop();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function otl(args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/otl.mjs', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OTL_ENDPOINT: world.url },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function newTenant(): Promise<readonly string[]> {
  const { stdout } = await otl(['tenant', 'create', '--name', 'Import', '--json']);
  return ['--tenant', (JSON.parse(stdout) as { tenant_id: string }).tenant_id];
}

const file = (name: string, text?: string) => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};
const lines = (text: string) => text.split('\n').filter(Boolean);
const records = (text: string) => lines(text).map((line) => JSON.parse(line) as Record<string, unknown>);

describe('otl user import', () => {
  test('makes users, tells refused rows by number, and a second run makes nobody twice', async () => {
    const tenant = await newTenant();
    const rows = [
      { email: 'one@example.com', name: { first_name: 'One' }, groups: ['staff'] },
      { email: 'no address' },
      { username: 'two', external_user_id: 'e-2' },
      { phone_number: '+12015550123' },
      { email: 'ONE@example.com', username: 'other' },
      {},
    ];
    const input = `${rows.map((row) => JSON.stringify(row)).join('\n')}\nnot json\n`;
    const errors = file('errors.jsonl');
    const first = await otl(['user', 'import', file('users.jsonl', input), '--errors', errors, ...tenant]);
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toContain('4 of 7 rows were refused; 3 users made, 0 were there already.');
    const told = records(readFileSync(errors, 'utf8')).toSorted((a, b) => Number(a.row) - Number(b.row));
    expect(told).toEqual([
      { row: 2, message: expect.stringContaining('email') },
      { row: 5, message: 'email: belongs to another user' },
      { row: 6, message: expect.any(String) },
      { row: 7, message: 'is no JSON' },
    ]);
    const again = await otl(['user', 'import', '-', ...tenant], input);
    expect(again.stderr).toContain('0 users made, 3 were there already.');
    const list = await otl(['user', 'export', ...tenant]);
    expect(list.code).toBe(0);
    expect(
      records(list.stdout)
        .map(({ username }) => username ?? null)
        .toSorted(),
    ).toEqual([null, null, 'two']);
  });

  test('a dry run makes nobody', async () => {
    const tenant = await newTenant();
    const input = '{"email":"dry@example.com"}\n{"email":"bad"}\n';
    const dry = await otl(['user', 'import', '-', '--dry-run', ...tenant], input);
    expect(dry.stderr).toContain('1 of 2 rows were refused');
    expect((await otl(['user', 'export', ...tenant])).stdout).toBe('');
  });

  test('goes on after its checkpoint', async () => {
    const tenant = await newTenant();
    const path = file('many.jsonl', '{"username":"a"}\n{"username":"b"}\n{"username":"c"}\n');
    const checkpoint = file('checkpoint.json', '{"done":2}');
    const args = ['user', 'import', path, '--checkpoint', checkpoint, '--json', ...tenant];
    const { stdout, code } = await otl(args);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 1, skipped: 2, failed: 0 });
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toEqual({ done: 3 });
    expect(JSON.parse((await otl(args)).stdout)).toMatchObject({ created: 0, existing: 0, skipped: 3 });
  });

  test('CSV comes in by its headings, and goes out without formulas', async () => {
    const tenant = await newTenant();
    const csv = [
      '\ufeffE-mail,phone_number,Given name,groups,custom_identifiers,custom_app_data',
      'csv@example.com,+12015550177,"=HYPERLINK(""http://evil"")",staff|beta,card=a=7|badge=9,"{""plan"":""pro""}"',
      '',
    ].join('\r\n');
    const map = ['--format', 'csv', '--map', 'email=E-mail,first_name=Given name'];
    const made = await otl(['user', 'import', '-', ...map, '--json', ...tenant], csv);
    expect(JSON.parse(made.stdout)).toMatchObject({ created: 1 });
    const [record] = records((await otl(['user', 'export', ...tenant])).stdout);
    expect(record).toMatchObject({
      email: { value: 'csv@example.com' },
      phone_number: { value: '+12015550177' },
      name: { first_name: '=HYPERLINK("http://evil")' },
      groups: ['staff', 'beta'],
      custom_identifiers: [
        { type: 'card', value: 'a=7' },
        { type: 'badge', value: '9' },
      ],
      custom_app_data: { plan: 'pro' },
    });
    const exported = (await otl(['user', 'export', '--format', 'csv', ...tenant])).stdout;
    expect(exported).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(exported).toContain(`'+12015550177`);
    const other = await newTenant();
    const back = await otl(['user', 'import', '-', '--format', 'csv', '--json', ...other], exported);
    expect(JSON.parse(back.stdout)).toMatchObject({ created: 1, failed: 0 });
    const [copy] = records((await otl(['user', 'export', ...other])).stdout);
    const { user_id: _, created_at: __, updated_at: ___, tenant_id: ____, ...same } = record ?? {};
    expect(copy).toMatchObject(same);
  });

  test.each([
    [['--format', 'xml'], '--format must be one of: jsonl, csv.'],
    [['--concurrency', '0'], '--concurrency must be a number from 1 to 100.'],
    [['--format', 'csv', '--map', 'mail=E-mail'], '--map must be <field>=<heading>'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await otl(['user', 'import', '-', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('an import of any size', () => {
  const options = (change: Partial<ImportOptions>): ImportOptions => ({
    rows: (async function* () {})(),
    importRow: async () => 'created',
    concurrency: 10,
    skip: 0,
    onFailure: async () => {},
    onProgress: async () => {},
    ...change,
  });

  test('reads no row before there is room for it', async () => {
    let [read, done, most] = [0, 0, 0];
    async function* rows() {
      for (read = 1; read <= 20_000; read += 1) {
        most = Math.max(most, read - done);
        yield { number: read, body: { row: read } };
      }
    }
    const importRow = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done += 1;
      return 'created' as const;
    };
    const counts = await importUsers(options({ rows: rows(), importRow }));
    expect(counts).toEqual({ created: 20_000, existing: 0, failed: 0 });
    expect(most).toBeLessThanOrEqual(11);
  });

  test('ends at what is no refusal, and notes only what is done', async () => {
    const rows = async function* () {
      for (let number = 1; number <= 100; number += 1) yield { number, body: number };
    };
    let noted = 0;
    const importRow = async (body: unknown) => {
      if (body === 7) throw new RefusedRow('is bad');
      if (body === 42) throw new Error('no answer');
      return 'created' as const;
    };
    const onProgress = async (done: number) => {
      noted = done;
    };
    await expect(importUsers(options({ rows: rows(), importRow, onProgress }))).rejects.toThrow('no answer');
    expect(noted).toBeLessThan(42);
    expect(noted).toBeGreaterThanOrEqual(30);
  });

  test('an empty cell is no field', () => {
    expect(bodyOfCells({ email: 'a@example.com', username: '', groups: '', first_name: '' })).toEqual({
      email: 'a@example.com',
    });
  });
});

describe('otl completion', () => {
  test('completes commands and options in bash', async () => {
    const { stdout, code } = await otl(['completion', 'bash']);
    expect(code).toBe(0);
    const complete = (line: string) => {
      const words = line.split(' ');
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _otl; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script]).stdout.toString().trim().split(' ');
    };
    expect(complete('otl us')).toEqual(['user']);
    expect(complete('otl user imp')).toEqual(['import']);
    expect(complete('otl --json user import --check')).toEqual(['--checkpoint']);
    expect(complete('otl webhook delete 0a1b --y')).toEqual(['--yes']);
  });

  test('knows zsh and fish, and no other', async () => {
    expect((await otl(['completion', 'zsh'])).stdout).toMatch(/^#compdef otl/);
    expect((await otl(['completion', 'fish'])).stdout).toContain('-l checkpoint');
    expect(await otl(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
