import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { rowImporter } from '../../bin/otl/user-transfer/import-row.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { login, originOf, passkeyOfAnotherSystem, passkeyRow } from '../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { logInBy } from '../support/fixtures/tokens.ts';
import { useSocialLogin } from '../support/providers/social.ts';
import { atOnce } from '../support/server/at-once.ts';
import { otlWith } from '../support/server/otl.ts';
import { FLAGS } from '../support/tools/software-authenticator.ts';

jest.setTimeout(120_000);

const { server, upstream, social, browser, userOf } = useSocialLogin();

type Json = Readonly<Record<string, unknown>>;

/** At the address of the browser: its host is the RP ID. */
const otl = (args: readonly string[], input?: string) =>
  otlWith({ OTL_ENDPOINT: originOf(server) }, args, input);

async function json<Result = Json>(args: readonly string[], input?: string): Promise<Result> {
  const { stdout, stderr, code } = await otl([...args, '--json'], input);
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return JSON.parse(stdout) as Result;
}

const inLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const here = () => ['--application', server.environment.app_id];
const importRows = (rows: readonly object[], ...options: string[]) =>
  otl(['user', 'import', '-', ...here(), ...options], inLines(rows));
const trusting = (rows: readonly object[], ...options: string[]) =>
  importRows(rows, '--trust-verified', '--json', ...options);

async function newTenant(): Promise<readonly string[]> {
  const { tenant_id } = await json<{ tenant_id: string }>(['tenant', 'create', '--name', 'Moved']);
  return ['--tenant', tenant_id];
}

async function usersOf(tenant: readonly string[]): Promise<Json[]> {
  const { stdout } = await otl(['user', 'export', ...tenant]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);
}

async function find(externalId: string): Promise<readonly Json[]> {
  const token = await server.adminToken();
  const path = `/v1/users?external_user_id=${externalId}`;
  return (await server.get<{ result: readonly Json[] }>(path, { token })).body.result;
}

const rpId = () => new URL(originOf(server)).hostname;

const formerPasskey = (count = 0) => passkeyOfAnotherSystem(originOf(server), count);

const PORTS = [
  ...(['userRecords', 'identifierReservations', 'holders', 'passkeys'] as const),
  ...(['passkeyRecords', 'rpIds'] as const),
] as const;

/** The import of rows as `otl` does it, over stores that a test changes. */
async function importerOver(
  ports: Parameters<typeof rowImporter>[0],
  wait: (milliseconds: number) => Promise<unknown> = async () => undefined,
) {
  const { tenantRecords, applicationRecords } = await server.ports(['tenantRecords', 'applicationRecords']);
  const tenant = await tenantRecords.find(server.environment.tenant_id);
  const application = await applicationRecords.find(server.environment.app_id);
  if (!tenant || !application) throw new Error('no tenant');
  const named = [application.applicationId];
  const terms = { applications: [application], named, trusts: true, rpIdOf: rpId };
  return rowImporter(ports, tenant, {
    terms,
    dryRun: false,
    pace: createPace(10),
    wait,
  });
}

let people = 0;
const rowOf = (change: Json = {}) => {
  people += 1;
  return {
    user_id: `old-${people}`,
    email: newEmail('moved'),
    email_verified: true,
    created_at: '2020-02-03T04:05:06.000Z',
    ...change,
  };
};

describe('nothing is dropped in silence', () => {
  const rows = () => [
    rowOf({ password_hash: 'x', name: { first_name: 'Ann', middle_name: 'B' }, nickname: '' }),
    rowOf({ password_hash: 'y', test: true }),
  ];

  test('what is not taken is named with counts before anything is written, and ignored by name', async () => {
    const tenant = await newTenant();
    const input = inLines(rows());
    const refused = await otl(['user', 'import', '-', ...tenant], input);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    for (const name of ['user_id', 'email_verified', 'created_at', 'password_hash'])
      expect(refused.stderr).toContain(`${name} (2 rows)`);
    for (const name of ['name.middle_name', 'test']) expect(refused.stderr).toContain(`${name} (1 rows)`);
    expect(refused.stderr).not.toContain('nickname');
    expect(await usersOf(tenant)).toEqual([]);
    const all = /--ignore (\S+)/.exec(refused.stderr)?.[1] ?? '';
    const made = await json(['user', 'import', '-', '--ignore', all, ...tenant], input);
    expect(made).toMatchObject({ created: 2, not_taken: { password_hash: 2, 'name.middle_name': 1 } });
    expect(await usersOf(tenant)).toMatchObject([
      { email: { email_verified: false } },
      { email: { email_verified: false } },
    ]);
  });

  test('a dry run names them too, and goes on', async () => {
    const dry = await importRows(rows(), '--dry-run');
    expect(dry.stderr).toContain('password_hash (2 rows)');
    expect(dry.code).toBe(0);
  });

  test.each([
    [['--keep-user-ids'], 'go with --trust-verified'],
    [['--from', 'okta'], '--from must be one of'],
    [['--from', 'auth0', '--format', 'json'], '--format must be one of'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await importRows([], ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('what was proven stays proven', () => {
  test('an address, the date, and the old ID at the application', async () => {
    const { app_id: app } = server.environment;
    const row = rowOf();
    expect((await trusting([row])).code).toBe(0);
    const [user] = await find(row.user_id);
    expect(user).toMatchObject({
      email: { value: row.email, email_verified: true },
      applications: [app],
      external_ids: [{ application: app, value: row.user_id }],
      created_at: row.created_at,
      status: 'Pending',
    });
    expect((await logInBy(server, 'email', row.email)).status).toBe(200);
  });

  test('at several applications the old ID is that of each', async () => {
    const { application } = await storeApplication(server);
    const row = rowOf();
    const apps = [server.environment.app_id, application.applicationId];
    const named = ['--application', apps.join(','), '--trust-verified'];
    expect((await otl(['user', 'import', '-', ...named], inLines([row]))).code).toBe(0);
    const [user] = await find(row.user_id);
    expect(user?.external_ids).toEqual(apps.map((app) => ({ application: app, value: row.user_id })));
  });

  test('a passkey logs in by its own handle, and how it is kept is learned then', async () => {
    const [counts, silent] = [formerPasskey(7), formerPasskey()];
    const row = rowOf({ passkeys: [passkeyRow(counts), passkeyRow(silent)] });
    expect((await trusting([row])).code).toBe(0);
    const flags = FLAGS.USER_PRESENT | FLAGS.USER_VERIFIED;
    for (const passkey of [counts, silent])
      expect((await login(server, passkey, { flags })).status).toBe(200);
    expect((await login(server, counts, { flags })).status).toBe(200);
    expect((await login(server, silent)).status).toBe(400);
    expect((await login(server, silent, { flags, userHandle: counts.userHandle })).status).toBe(400);
    const replayed = { flags, count: 7 };
    expect((await login(server, counts, replayed)).status).toBe(400);
  });

  test('CSV has the same fields, with lists as JSON', async () => {
    const passkey = formerPasskey();
    const { email, user_id } = rowOf();
    const cell = `"${JSON.stringify([passkeyRow(passkey)]).replaceAll('"', '""')}"`;
    const csv = `user_id,E-mail,email_verified,passkeys,plan\n${user_id},${email},true,${cell},gold\n`;
    const args = ['--format', 'csv', '--map', 'email=E-mail', '--trust-verified', ...here()];
    const refused = await otl(['user', 'import', '-', ...args], csv);
    expect(refused.stderr).toContain('Not taken: plan (1 rows). Without them: --ignore plan');
    expect((await otl(['user', 'import', '-', ...args, '--ignore', 'plan'], csv)).code).toBe(0);
    expect(await find(user_id)).toMatchObject([{ email: { value: email, email_verified: true } }]);
    expect((await login(server, passkey)).status).toBe(200);
  });

  test('an account at a provider logs in', async () => {
    const { issuer } = upstream;
    const row = rowOf({ identities: [{ provider: 'google', issuer, subject: 'sub-of-ann' }] });
    expect((await trusting([row])).code).toBe(0);
    const [user] = await find(row.user_id);
    expect(await userOf(await social.logIn(browser(), { sub: 'sub-of-ann' }))).toBe(user?.user_id);
  });

  test('an address that was not proven opens nothing without what was', async () => {
    const passkey = formerPasskey();
    const row = rowOf({ email_verified: false, passkeys: [passkeyRow(passkey)] });
    expect((await trusting([row])).code).toBe(0);
    expect(await logInBy(server, 'email', row.email)).toMatchObject({ status: 403 });
    const { status, body } = await login(server, passkey);
    expect(status).toBe(200);
    expect((await logInBy(server, 'email', row.email, { session_id: body.session_id })).status).toBe(200);
    expect((await logInBy(server, 'email', row.email)).status).toBe(200);
  });

  test('an ID like ours is kept while it is free, and no other', async () => {
    const [own, foreign] = [rowOf({ user_id: newId() }), rowOf()];
    expect((await trusting([own, foreign], '--keep-user-ids')).code).toBe(0);
    expect(await find(own.user_id)).toMatchObject([{ user_id: own.user_id }]);
    expect((await find(foreign.user_id))[0]?.user_id).not.toBe(foreign.user_id);
    const again = { ...rowOf(), user_id: own.user_id, external_user_id: 'someone-else' };
    const refused = await trusting([again], '--keep-user-ids');
    expect(refused.stderr).toContain('user_id: belongs to another user');
  });

  test('a user who was blocked stays so', async () => {
    const row = rowOf({ status: 'Disabled' });
    expect((await trusting([row])).code).toBe(0);
    expect(await find(row.user_id)).toMatchObject([{ status: 'Disabled' }]);
  });

  test('running it again changes nothing, and goes on where a run broke off between a user and a passkey', async () => {
    const passkeys = [formerPasskey(), formerPasskey()];
    const row = rowOf({ passkeys: passkeys.map((each) => passkeyRow(each)) });
    const ports = await server.ports(PORTS);
    let puts = 0;
    const put: typeof ports.passkeyRecords.put = async (passkey) => {
      puts += 1;
      if (puts === 2) throw new Error('the machine is gone');
      return ports.passkeyRecords.put(passkey);
    };
    const importRow = await importerOver({ ...ports, passkeyRecords: { ...ports.passkeyRecords, put } });
    await expect(importRow(row, 1)).rejects.toThrow('the machine is gone');
    const [user] = await find(row.user_id);
    const stored = () => ports.passkeys.listOf(String(user?.user_id));
    expect(await stored()).toHaveLength(1);
    expect(JSON.parse((await trusting([row])).stdout)).toMatchObject({ created: 0, existing: 1 });
    expect(await stored()).toHaveLength(2);
    const before = [await find(row.user_id), await stored()];
    expect(JSON.parse((await trusting([row])).stdout)).toMatchObject({ created: 0, existing: 1 });
    expect([await find(row.user_id), await stored()]).toEqual(before);
    for (const passkey of passkeys) expect((await login(server, passkey)).status).toBe(200);
    // The person has removed one: the file does not bring it back.
    await ports.passkeyRecords.remove(String(user?.user_id), passkeys[0]?.id.toString('base64url') ?? '', 1);
    await trusting([row]);
    expect(await stored()).toHaveLength(1);
  });

  test('a run that broke off between a passkey and its user holds the passkey for a minute, and its names', async () => {
    const passkey = formerPasskey();
    const row = rowOf({ passkeys: [passkeyRow(passkey)] });
    const ports = await server.ports(PORTS);
    const put = () => Promise.reject(new Error('the machine is gone'));
    const broken = await importerOver({ ...ports, userRecords: { ...ports.userRecords, put } });
    await expect(broken(row, 1)).rejects.toThrow('the machine is gone');
    expect(await find(row.user_id)).toEqual([]);
    let waited = 0;
    const patient = await importerOver(ports, async (milliseconds) => {
      waited += milliseconds;
      await server.advanceClock(Math.ceil(milliseconds / 1000));
    });
    // Another row with the passkey waits for it as the row itself does, and one of the two gets it.
    const other = rowOf({ passkeys: [passkeyRow(passkey)] });
    const outcomes = await Promise.allSettled([patient(row, 1), patient(other, 2)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(waited).toBeGreaterThan(40_000);
    const made = await Promise.all([row, other].map(({ user_id }) => find(user_id)));
    expect(made.flat()).toHaveLength(1);
    expect((await login(server, passkey)).status).toBe(200);
  });
});

describe('attacks', () => {
  test('a client that is not of the application changes no imported user', async () => {
    const row = rowOf();
    await trusting([row]);
    const [user] = await find(row.user_id);
    const token = await server.clientToken(await storeApplication(server));
    const fields = { email: newEmail() };
    const path = `/v1/users/${user?.user_id}`;
    expect((await server.put(path, fields, { token })).status).toBe(403);
    const own = await server.clientToken();
    expect((await server.put(path, { name: { first_name: 'Ann' } }, { token: own })).status).toBe(200);
  });

  test('a row with the address of one user and the ID of another is refused', async () => {
    const [one, other] = [rowOf(), rowOf()];
    await trusting([one, other]);
    const before = [await find(one.user_id), await find(other.user_id)];
    const mixed = await trusting([
      { ...one, user_id: other.user_id },
      { ...rowOf(), user_id: one.user_id },
    ]);
    expect(mixed.stderr).toContain('"row":1,"message":"email: belongs to another user"');
    expect(mixed.stderr).toContain('"row":2,"message":"external_user_id: belongs to another user"');
    expect([await find(one.user_id), await find(other.user_id)]).toEqual(before);
  });

  test('a row with the address of an existing user gives that user no passkey and no account', async () => {
    const email = newEmail('victim');
    const { user_id } = await createUser(server, { email });
    const passkey = formerPasskey();
    const identities = [{ provider: 'google', issuer: upstream.issuer, subject: 'sub-of-mallory' }];
    const row = { email, email_verified: true, passkeys: [passkeyRow(passkey)] };
    expect(JSON.parse((await trusting([row])).stdout)).toMatchObject({ existing: 1, created: 0 });
    expect((await login(server, passkey)).status).toBe(400);
    const more = await trusting([{ ...row, identities }]);
    expect(more.stderr).toContain('belongs to another user');
    const { result } = (
      await server.get<{ result: Json }>(`/v1/users/${user_id}`, { token: await server.clientToken() })
    ).body;
    expect(result).toMatchObject({ email: { email_verified: false }, identities: [] });
  });

  test('a passkey of another user makes no user, in a dry run too', async () => {
    const passkey = formerPasskey();
    await trusting([rowOf({ passkeys: [passkeyRow(passkey)] })]);
    const thief = rowOf({ passkeys: [passkeyRow(passkey)] });
    for (const options of [['--dry-run'], []]) {
      const refused = await trusting([thief], ...options);
      expect(refused.stderr).toContain('"row":1,"message":"The passkey is registered already"');
      expect(await find(thief.user_id)).toEqual([]);
    }
  });

  test('a row that has looked for its passkey before another row stored it makes no user', async () => {
    const passkeys = [passkeyRow(formerPasskey())];
    const [first, thief] = [rowOf({ passkeys }), rowOf({ passkeys })];
    const ports = await server.ports(PORTS);
    let isFirst = true;
    const reserve: typeof ports.identifierReservations.reserve = async (...given) => {
      const isNow = isFirst;
      isFirst = false;
      if (isNow) await (await importerOver(ports))(first, 1);
      return ports.identifierReservations.reserve(...given);
    };
    const late = { ...ports, identifierReservations: { ...ports.identifierReservations, reserve } };
    await expect((await importerOver(late))(thief, 2)).rejects.toThrow('The passkey is registered already');
    expect(await find(first.user_id)).toHaveLength(1);
    expect(await find(thief.user_id)).toEqual([]);
    // What it had reserved is free again at once.
    expect(await (await importerOver(ports))({ ...thief, passkeys: [] }, 3)).toBe('created');
  });

  test('of many rows with one passkey, or one ID, at the same time one makes a user', async () => {
    const passkey = passkeyRow(formerPasskey());
    const thieves = Array.from({ length: 8 }, () => rowOf({ passkeys: [passkey] }));
    const refused = await trusting(thieves);
    expect(refused.stderr).toContain('7 of 8 rows were refused; 1 users made');
    const found = await Promise.all(thieves.map(({ user_id }) => find(user_id)));
    expect(found.flat()).toHaveLength(1);
    const twins = Array.from({ length: 8 }, () => rowOf({ user_id: 'one-for-all' }));
    const runs = await atOnce(2, () => trusting(twins));
    expect(runs.map(({ code }) => code)).toEqual([1, 1]);
    expect(await find('one-for-all')).toHaveLength(1);
  });

  test('of many rows with two passkeys in either order one makes a user, with both', async () => {
    const passkeys = [passkeyRow(formerPasskey()), passkeyRow(formerPasskey())];
    const importRow = await importerOver(await server.ports(PORTS), (milliseconds) =>
      wait(milliseconds / 10),
    );
    const rows = Array.from({ length: 8 }, (_, index) =>
      rowOf({ passkeys: index % 2 ? passkeys : passkeys.toReversed() }),
    );
    const outcomes = await Promise.allSettled(rows.map((row, index) => importRow(row, index)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [owner, ...others] = (await Promise.all(rows.map(({ user_id }) => find(user_id)))).flat();
    expect(others).toEqual([]);
    const { passkeyRecords } = await server.ports(['passkeyRecords']);
    expect(await passkeyRecords.listOf(String(owner?.user_id))).toHaveLength(2);
  });

  test('a passkey of another RP ID is named and left out', async () => {
    const passkey = formerPasskey();
    const row = rowOf({ passkeys: [passkeyRow(passkey, { rp_id: 'evil.example.com' })] });
    const refused = await trusting([row]);
    expect(refused.stderr).toContain('passkeys@evil.example.com (1 rows)');
    expect(await find(row.user_id)).toEqual([]);
    expect((await trusting([row], '--ignore', 'passkeys@evil.example.com')).code).toBe(0);
    expect((await login(server, passkey)).status).toBe(400);
  });

  test.each([
    ['a key that is none', { public_key: 'AAAA' }],
    ['no handle', { user_handle: undefined }],
    ['an ID that is too long', { credential_id: randomBytes(1024).toString('base64url') }],
    ['no RP ID', { rp_id: undefined }],
    ['a count below zero', { sign_count: -1 }],
  ])('a passkey with %s is refused, and its user with it', async (_title, change) => {
    const row = rowOf({ passkeys: [passkeyRow(formerPasskey(), change)] });
    expect((await trusting([row])).stderr).toContain('1 of 1 rows were refused');
    expect(await find(row.user_id)).toEqual([]);
  });
});
