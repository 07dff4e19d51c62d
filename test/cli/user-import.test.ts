import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { rowImporter } from '../../bin/otl/user-transfer/import-row.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { credentialsFor, newTenant as newTenantAt, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otl-import-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const otl = (args: readonly string[], input?: string) =>
  otlWith({ OTL_ENDPOINT: server.url, ...credentialsFor(args) }, args, input);

const newTenant = () => newTenantAt(server.url);

const file = (name: string, text?: string) => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};
const lines = (text: string) => text.split('\n').filter(Boolean);
const records = (text: string) => lines(text).map((line) => JSON.parse(line) as Record<string, unknown>);

describe('creating users with otl user import', () => {
  test('a user import reports rejected rows and creates no user twice', async () => {
    const tenant = await newTenant();
    expect((await otl(['application', 'create', '--name', 'Shop', ...tenant])).code).toBe(0);
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
    expect(first.stderr).toContain('4 of 7 rows were rejected; 3 users created, 0 existed already.');
    const told = records(readFileSync(errors, 'utf8')).toSorted((a, b) => Number(a.row) - Number(b.row));
    expect(told).toEqual([
      { row: 2, message: expect.stringContaining('email') },
      { row: 5, message: 'email: belongs to another user' },
      { row: 6, message: expect.any(String) },
      { row: 7, message: 'is not a JSON object' },
    ]);
    const again = await otl(['user', 'import', '-', ...tenant], input);
    expect(again.stderr).toContain('0 users created, 3 existed already.');
    const list = await otl(['user', 'export', ...tenant]);
    expect(list.code).toBe(0);
    expect(
      records(list.stdout)
        .map(({ username }) => username ?? null)
        .toSorted(),
    ).toEqual([null, null, 'two']);
  });

  test('an imported address becomes verified when its user logs in with a passcode', async () => {
    const email = newEmail('import');
    const { stdout } = await otl(['user', 'import', '-', '--json'], JSON.stringify({ email }));
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, failed: 0 });
    for (const new_user of [true, false]) {
      const { id_token } = await tokensBy(server, 'email', email);
      expect(decodeClaims(id_token)).toMatchObject({ email, email_verified: true, new_user });
    }
  });

  test('a dry run of a user import reports the rows that an import would reject', async () => {
    const tenant = await newTenant();
    await otl(['user', 'import', '-', ...tenant], '{"email":"a@example.com","username":"a"}\n');
    const dry = await otl(
      ['user', 'import', '-', '--dry-run', ...tenant],
      ['{"email":"A@example.com"}', '{"email":"new@example.com","username":"a"}', '{"username":"b"}'].join(
        '\n',
      ),
    );
    expect(dry.stderr).toContain('{"row":2,"message":"username: belongs to another user"}');
    expect(dry.stderr).toContain('1 of 3 rows were rejected; 1 users created, 1 existed already.');
    expect(records((await otl(['user', 'export', ...tenant])).stdout)).toHaveLength(1);
  });

  test('a user import with a checkpoint file continues after the last finished row', async () => {
    const tenant = await newTenant();
    const path = file('many.jsonl', '{"username":"a"}\n{"username":"b"}\n{"username":"c"}\n');
    const checkpoint = file('checkpoint.json', '{"done":2}');
    const args = ['user', 'import', path, '--checkpoint', checkpoint, '--json', ...tenant];
    const { stdout, code } = await otl(args);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, created: 1, skipped: 2, failed: 0 });
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toEqual({ done: 3, of: expect.any(String) });
    expect(JSON.parse((await otl(args)).stdout)).toMatchObject({ created: 0, existing: 0, skipped: 3 });
    // With another file, the checkpoint would skip rows whose users were never created.
    const other = file('other.jsonl', '{"username":"d"}\n{"username":"e"}\n');
    expect(await otl(['user', 'import', other, '--checkpoint', checkpoint, ...tenant])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the checkpoint of another file or tenant'),
    });
    expect(JSON.parse(readFileSync(checkpoint, 'utf8'))).toMatchObject({ done: 3 });
  });

  test('a user import creates each user exactly once, even if DynamoDB throttles the writes', async () => {
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

  test('a user import rejects rows that are not valid UTF-8', async () => {
    const path = file('latin1.jsonl');
    writeFileSync(
      path,
      '{"username":"j","name":{"first_name":"J\xf6rg"}}\n{"username":"\\ud800"}\n[]\n',
      'latin1',
    );
    const { code, stderr } = await otl(['user', 'import', path, ...(await newTenant())]);
    expect(code).toBe(1);
    expect(stderr).toContain('3 of 3 rows were rejected; 0 users created');
    expect(stderr).toContain('"is not UTF-8"');
  });

  test('otl user export writes CSV cells that spreadsheets do not evaluate as formulas', async () => {
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
    const args = ['--format', 'csv', '--ignore', 'user_id,created_at', '--json'];
    const back = await otl(['user', 'import', '-', ...args, ...other], exported);
    expect(JSON.parse(back.stdout)).toMatchObject({ created: 1, failed: 0 });
    const [copy] = records((await otl(['user', 'export', ...other])).stdout);
    const { user_id: _, created_at: __, updated_at: ___, tenant_id: ____, ...same } = record ?? {};
    expect(copy).toMatchObject(same);
  });

  test.each([
    [['--format', 'xml'], '--format must be one of: jsonl, csv.'],
    [['--concurrency', '0'], '--concurrency must be a number from 1 to 100.'],
    [['--format', 'csv', '--map', 'mail=E-mail'], '--map must be <field>=<heading>'],
  ])('otl user import exits with a usage error if the options are %j', async (args, message) => {
    const { code, stderr } = await otl(['user', 'import', '-', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('user import that must wait for identifier reservations or for busy tables', () => {
  const patient = async (wait: (milliseconds: number) => Promise<unknown>) => {
    const ports = await server.ports([
      'userRecords',
      'identifierReservations',
      'holders',
      'tenantRecords',
      'applicationRecords',
      'passkeyRecords',
      'rpIds',
    ]);
    const tenant = await ports.tenantRecords.find(server.environment.tenant_id);
    if (!tenant) throw new Error('no tenant');
    const application = await ports.applicationRecords.find(server.environment.app_id);
    if (!application) throw new Error('no application');
    const terms = { applications: [application] };
    return {
      ...{ ports, tenant },
      importRow: rowImporter(ports, tenant, { terms, dryRun: false, pace: createPace(10), wait }),
    };
  };
  const atOnce = () => Promise.resolve();

  test('a user import waits until the identifier reservations of an interrupted run expire', async () => {
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

  test('a user import fails if the tables stay busy for several minutes', async () => {
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
        terms: { applications: [] },
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
});

describe('input files that a user import cannot read', () => {
  const fields = ['--format', 'csv', '--dry-run'];

  test.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('a user import rejects a CSV file whose columns are separated by %s', async (name, separator) => {
    const tenant = await newTenant();
    const csv = [
      ['email', 'first_name'],
      ['ann@example.com', 'Ann'],
    ]
      .map((cells) => cells.join(separator))
      .join('\n');
    const { code, stderr } = await otl(['user', 'import', '-', ...fields, ...tenant], csv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`separated by ${name}`)]);
    expect(stderr).not.toContain('--ignore');
  });

  test('a user import suggests the option --map for unknown CSV headings', async () => {
    const tenant = await newTenant();
    const none = await otl(
      ['user', 'import', '-', ...fields, ...tenant],
      'E-Mail,Vorname\na@example.com,Ann\n',
    );
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--map "email=<heading>')]);
    const one = await otl(
      ['user', 'import', '-', ...fields, ...tenant],
      'email,Vorname\na@example.com,Ann\n',
    );
    expect(one.stderr).toContain(
      'To import without them, add --ignore Vorname; or, if a column contains a field under another name, add --map',
    );
  });

  test('a user import rejects deleted users and users who could never log in', async () => {
    const tenant = await newTenant();
    expect((await otl(['application', 'create', '--name', 'Shop', ...tenant])).code).toBe(0);
    const rows = [
      { email: 'lives@example.com', deleted_at: null, is_deleted: false },
      { email: 'gone@example.com', deleted_at: '2026-01-02T03:04:05Z' },
      { email: 'left@example.com', isDeleted: true },
      { external_user_id: 'anonymous' },
      { user_id: 'former-1', created_at: '2026-01-02T03:04:05Z' },
    ];
    const input = rows.map((row) => JSON.stringify(row)).join('\n');
    const made = await otl(['user', 'import', '-', '--trust-verified', ...tenant], input);
    expect(made.code).toBe(1);
    expect(made.stderr).toContain('4 of 5 rows were rejected; 1 users created, 0 existed already.');
    expect(made.stderr.match(/was deleted in the other system/g)).toHaveLength(2);
    const exported = (await otl(['user', 'export', ...tenant])).stdout;
    expect(records(exported)).toMatchObject([{ email: { value: 'lives@example.com' } }]);
  });

  test('a user import rejects deleted users of a Supabase export', async () => {
    const tenant = await newTenant();
    const csv =
      'id,email,email_confirmed_at,deleted_at\n1,a@example.com,,\n2,b@example.com,,2026-01-02 03:04:05+00\n';
    const from = ['--from', 'supabase', '--trust-verified', '--ignore', 'user_id'];
    const { stderr } = await otl(['user', 'import', '-', ...from, ...tenant], csv);
    expect(stderr).toContain('1 of 2 rows were rejected; 1 users created');
  });
});
