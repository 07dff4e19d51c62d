import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { rowImporter } from '../../bin/otl/user-transfer/import-row.ts';
import { type ImportOptions, importUsers, RefusedRow } from '../../bin/otl/user-transfer/import-users.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { bodyOfCells } from '../../bin/otl/user-transfer/rows.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';

jest.setTimeout(120_000);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ rateLimits: 'off' });
  folder = mkdtempSync(join(tmpdir(), 'otl-import-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function otl(args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['bin/otl.mjs', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OTL_ENDPOINT: server.url },
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
      { row: 7, message: 'is no JSON object' },
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

  test('a dry run tells who is there, and what belongs to somebody else', async () => {
    const tenant = await newTenant();
    await otl(['user', 'import', '-', ...tenant], '{"email":"a@example.com","username":"a"}\n');
    const dry = await otl(
      ['user', 'import', '-', '--dry-run', ...tenant],
      ['{"email":"A@example.com"}', '{"email":"new@example.com","username":"a"}', '{"username":"b"}'].join(
        '\n',
      ),
    );
    expect(dry.stderr).toContain('{"row":2,"message":"username: belongs to another user"}');
    expect(dry.stderr).toContain('1 of 3 rows were refused; 1 users made, 1 were there already.');
  });

  test('goes on after its checkpoint', async () => {
    const tenant = await newTenant();
    const path = file('many.jsonl', '{"username":"a"}\n{"username":"b"}\n{"username":"c"}\n');
    const checkpoint = file('checkpoint.json', '{"done":2}');
    const args = ['user', 'import', path, '--checkpoint', checkpoint, '--json', ...tenant];
    const { stdout, code } = await otl(args);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 1, skipped: 2, failed: 0 });
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toEqual({ done: 3, of: expect.any(String) });
    expect(JSON.parse((await otl(args)).stdout)).toMatchObject({ created: 0, existing: 0, skipped: 3 });
    // Of another file it would pass over rows that nobody has made.
    const other = file('other.jsonl', '{"username":"d"}\n{"username":"e"}\n');
    expect(await otl(['user', 'import', other, '--checkpoint', checkpoint, ...tenant])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the checkpoint of another file or tenant'),
    });
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toMatchObject({ done: 3 });
  });

  test('tables that are busy for a while are waited for, and nobody is lost or made twice', async () => {
    const tenant = await newTenant();
    const rows = Array.from({ length: 40 }, (_, index) => ({
      email: `busy-${index}@example.com`,
      username: `b${index}`,
    }));
    const throttled = { service: 'dynamodb', effect: 'error', code: 'Throttling' } as const;
    await server.faults.inject({ ...throttled, action: 'PutItem', skip: 20, times: 30 });
    await server.faults.inject({ service: 'dynamodb', effect: 'lost-answer', action: 'PutItem', times: 3 });
    const input = rows.map((row) => JSON.stringify(row)).join('\n');
    const { code, stdout } = await otl(['user', 'import', '-', '--json', ...tenant], input);
    await server.faults.clear();
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 40, existing: 0, failed: 0 });
    const exported = records((await otl(['user', 'export', ...tenant])).stdout);
    expect(exported.map(({ username }) => username).toSorted()).toEqual(
      rows.map(({ username }) => username).toSorted(),
    );
  });

  test('a file that is not UTF-8 spoils nobody’s name', async () => {
    const path = file('latin1.jsonl');
    writeFileSync(
      path,
      '{"username":"j","name":{"first_name":"J\xf6rg"}}\n{"username":"\\ud800"}\n[]\n',
      'latin1',
    );
    const { code, stderr } = await otl(['user', 'import', path, ...(await newTenant())]);
    expect(code).toBe(1);
    expect(stderr).toContain('3 of 3 rows were refused; 0 users made');
    expect(stderr).toContain('"is not UTF-8"');
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
    pace: createPace(10),
    skip: 0,
    onFailure: () => {},
    onProgress: () => {},
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
    const onProgress = (done: number) => {
      noted = done;
    };
    await expect(importUsers(options({ rows: rows(), importRow, onProgress }))).rejects.toThrow('no answer');
    expect(noted).toBeLessThan(42);
    expect(noted).toBeGreaterThanOrEqual(30);
  });

  test('a slow row holds nobody up, and the next run begins with it', async () => {
    const slow = Promise.withResolvers<void>();
    const noted: number[] = [];
    async function* rows() {
      for (let number = 1; number <= 1000; number += 1) yield { number, body: number };
      slow.resolve();
    }
    const importRow = async (body: unknown) => {
      if (body === 3) await slow.promise;
      return 'created' as const;
    };
    const onProgress = (done: number) => noted.push(done);
    const counts = await importUsers(options({ rows: rows(), importRow, onProgress }));
    expect(counts).toMatchObject({ created: 1000 });
    expect(noted.slice(0, -1).every((done) => done === 2 || done >= 990 || done < 2)).toBe(true);
    expect(noted.at(-1)).toBe(1000);
  });

  test('who stops it finds what was on its way finished and noted', async () => {
    async function* rows() {
      for (let number = 1; number <= 1000; number += 1) yield { number, body: number };
    }
    let [made, noted] = [0, 0];
    const importRow = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      made += 1;
      return 'created' as const;
    };
    const onProgress = (done: number) => {
      noted = done;
    };
    const counts = await importUsers(
      options({ rows: rows(), importRow, onProgress, isStopped: () => made >= 50 }),
    );
    expect(counts.created).toBe(made);
    expect(noted).toBe(made);
    expect(made).toBeLessThan(70);
  });

  test('what cannot be told ends the import', async () => {
    const rows = async function* () {
      yield { number: 1, problem: 'is bad' };
    };
    const onFailure = () => {
      throw new Error('no space left');
    };
    await expect(importUsers(options({ rows: rows(), onFailure }))).rejects.toThrow('no space left');
  });

  test('an empty cell is no field', () => {
    expect(bodyOfCells({ email: 'a@example.com', username: '', groups: '', first_name: '' })).toEqual({
      email: 'a@example.com',
    });
  });
});

describe('how many rows are on their way', () => {
  test('half as many when the tables are busy, once for those that complain together, then more again', () => {
    let now = 0;
    const pace = createPace(16, () => now);
    pace.wasBusy();
    pace.wasBusy();
    expect(pace.limit()).toBe(8);
    now = 1000;
    pace.wasBusy();
    expect(pace.limit()).toBe(4);
    for (let round = 0; round < 9; round += 1) pace.wentThrough();
    expect(pace.limit()).toBe(6);
    for (let round = 0; round < 1000; round += 1) pace.wentThrough();
    expect(pace.limit()).toBe(16);
    for (let second = 2; second < 20; second += 1) {
      now = second * 1000;
      pace.wasBusy();
    }
    expect(pace.limit()).toBe(1);
  });
});

describe('a row', () => {
  const patient = async (wait: (milliseconds: number) => Promise<unknown>) => {
    const ports = await server.ports([
      'userRecords',
      'identifierReservations',
      'identifiers',
      'users',
      'tenantRecords',
    ]);
    const tenant = await ports.tenantRecords.find(server.environment.tenant_id);
    if (!tenant) throw new Error('no tenant');
    return {
      ...{ ports, tenant },
      importRow: rowImporter(ports, tenant, { dryRun: false, pace: createPace(10), wait }),
    };
  };
  const atOnce = () => Promise.resolve();

  test('that comes twice at the same time is made once, and there already once', async () => {
    const { importRow } = await patient(atOnce);
    const row = () =>
      importRow({ email: 'twin@example.com', username: 'twin', phone_number: '+12015550111' }, 1);
    const outcomes = await Promise.all([row(), row(), row()]);
    expect(outcomes.toSorted()).toEqual(['created', 'existing', 'existing']);
  });

  test('whose name a broken-off run reserved is made when the reservation can be replaced', async () => {
    let waited = 0;
    const { importRow, ports, tenant } = await patient(async (milliseconds) => {
      waited += milliseconds;
      await server.advanceClock(Math.ceil(milliseconds / 1000));
    });
    const broken = { type: 'username', value: 'broken-off' };
    await ports.identifierReservations.reserve(tenant.tenantId, broken, newId(), Date.now() / 1000);
    expect(await importRow({ username: 'broken-off' }, 1)).toBe('created');
    expect(waited).toBeGreaterThan(40_000);
    expect(waited).toBeLessThan(70_000);
  });

  test('that finds the tables busy for minutes ends the import', async () => {
    let [waits, tries] = [0, 0];
    const { ports, tenant } = await patient(atOnce);
    const reserve = async () => {
      tries += 1;
      throw new ServiceError('service_unavailable');
    };
    const importRow = rowImporter(
      { ...ports, identifierReservations: { ...ports.identifierReservations, reserve } },
      tenant,
      {
        dryRun: false,
        pace: createPace(10),
        wait: async () => {
          waits += 1;
        },
      },
    );
    await expect(importRow({ username: 'never' }, 1)).rejects.toMatchObject({ key: 'service_unavailable' });
    expect([tries, waits]).toEqual([19, 18]);
  });

  test('whose last answer was lost is not made twice', async () => {
    const { importRow, ports, tenant } = await patient(atOnce);
    // Claim, then the user: three answers of the latter are lost, all that the SDK tries.
    await server.faults.inject({
      service: 'dynamodb',
      action: 'PutItem',
      effect: 'lost-answer',
      skip: 1,
      times: 3,
    });
    expect(await importRow({ username: 'lost-answer' }, 1)).toBe('created');
    await server.faults.clear();
    const { items } = await ports.userRecords.list(tenant.tenantId, { limit: 100 });
    expect(items.filter(({ username }) => username === 'lost-answer')).toHaveLength(1);
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
