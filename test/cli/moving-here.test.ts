import { describe, expect, jest, test } from '@jest/globals';
import { RESERVATION_FILL_SECONDS } from '../../shared/domain/basis/limits.ts';
import { newId } from '../../shared/domain/basis/random.ts';
import { withApplication } from '../support/fixtures/application.ts';
import { login, passkeyRow } from '../support/fixtures/passkeys.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { logInBy } from '../support/fixtures/tokens.ts';
import { FLAGS } from '../support/tools/software-authenticator.ts';
import { PORTS, useMoving } from './support/moving.ts';

jest.setTimeout(120_000);

const moving = useMoving();
const { server, upstream, social, browser, findUserId } = moving;
const { otl, json, newTenant, exportUsers, inLines, here, importRows, trusting, find } = moving;
const { formerPasskey, importerOver, createRow } = moving;

describe('user import with unknown fields', () => {
  const rows = () => [
    createRow({ password_hash: 'x', name: { first_name: 'Ann', middle_name: 'B' }, nickname: '' }),
    createRow({ password_hash: 'y', test: true }),
  ];

  test('a user import with unknown fields fails unless an option names the fields to ignore', async () => {
    const tenant = await newTenant();
    const input = inLines(rows());
    const refused = await otl(['user', 'import', '-', ...tenant], input);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    for (const name of ['user_id', 'email_verified', 'created_at', 'password_hash'])
      expect(refused.stderr).toContain(`${name} (2 rows)`);
    for (const name of ['name.middle_name', 'test']) expect(refused.stderr).toContain(`${name} (1 rows)`);
    expect(refused.stderr).not.toContain('nickname');
    expect(await exportUsers(tenant)).toEqual([]);
    const all = /--ignore (\S+)/.exec(refused.stderr)?.[1] ?? '';
    const made = await json(['user', 'import', '-', '--ignore', all, ...tenant], input);
    expect(made).toMatchObject({ created: 2, not_taken: { password_hash: 2, 'name.middle_name': 1 } });
    expect(await exportUsers(tenant)).toMatchObject([
      { email: { email_verified: false } },
      { email: { email_verified: false } },
    ]);
  });

  test('a dry run of a user import reports unknown fields and continues', async () => {
    const dry = await importRows(rows(), '--dry-run');
    expect(dry.stderr).toContain('password_hash (2 rows)');
    expect(dry.code).toBe(0);
  });

  test.each([
    [['--keep-user-ids'], 'require --trust-verified'],
    [['--from', 'okta'], '--from must be one of'],
    [['--from', 'auth0', '--format', 'json'], '--format must be one of'],
  ])('otl user import exits with a usage error for the options %j', async (args, message) => {
    const { code, stderr } = await importRows([], ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('importing addresses, passkeys and identity provider accounts', () => {
  test('an imported user keeps the verified address, the creation date and the user ID of the previous system', async () => {
    const { app_id: app } = server.environment;
    const row = createRow();
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

  test('a user import can store the previous user ID as the external ID at several applications', async () => {
    const { application } = await storeApplication(server);
    const row = createRow();
    const apps = [server.environment.app_id, application.applicationId];
    const named = ['--application', apps.join(','), '--trust-verified'];
    expect((await otl(['user', 'import', '-', ...named], inLines([row]))).code).toBe(0);
    const [user] = await find(row.user_id);
    expect(user?.external_ids).toEqual(apps.map((app) => ({ application: app, value: row.user_id })));
  });

  test('a login with an imported passkey requires the user handle that was imported with the passkey', async () => {
    const [counts, silent] = [formerPasskey(7), formerPasskey()];
    const row = createRow({ passkeys: [passkeyRow(counts), passkeyRow(silent)] });
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

  test('a CSV file for a user import can contain a JSON list of passkeys in one cell', async () => {
    const passkey = formerPasskey();
    const { email, user_id } = createRow();
    const cell = `"${JSON.stringify([passkeyRow(passkey)]).replaceAll('"', '""')}"`;
    const csv = `user_id,E-mail,email_verified,passkeys,plan\n${user_id},${email},true,${cell},gold\n`;
    const args = ['--format', 'csv', '--map', 'email=E-mail', '--trust-verified', ...here()];
    const refused = await otl(['user', 'import', '-', ...args], csv);
    expect(refused.stderr).toContain(
      'Not imported: plan (1 rows). To import without them, add --ignore plan',
    );
    expect((await otl(['user', 'import', '-', ...args, '--ignore', 'plan'], csv)).code).toBe(0);
    expect(await find(user_id)).toMatchObject([{ email: { value: email, email_verified: true } }]);
    expect((await login(server, passkey)).status).toBe(200);
  });

  test('a user can log in with an imported identity provider account', async () => {
    const { issuer } = upstream;
    const row = createRow({ identities: [{ provider: 'google', issuer, subject: 'sub-of-ann' }] });
    expect((await trusting([row])).code).toBe(0);
    const [user] = await find(row.user_id);
    expect(await findUserId(await social.logIn(browser(), { sub: 'sub-of-ann' }))).toBe(user?.user_id);
  });

  test('a user can log in with an imported account of a custom OpenID provider', async () => {
    const { issuer, clientId } = upstream;
    const acme = { name: 'acme', label: 'Acme', issuer, clientId };
    await withApplication(server, { openidProviders: [acme] }, async () => {
      const row = createRow({ identities: [{ provider: 'openid/old', issuer, subject: 'sub-of-bob' }] });
      expect((await trusting([row])).code).toBe(0);
      const [user] = await find(row.user_id);
      const target = await social.logIn(browser(), { sub: 'sub-of-bob' }, {}, 'openid/acme');
      expect(await findUserId(target)).toBe(user?.user_id);
    });
  });

  test('an unverified imported address can be used only in a session with a passkey login', async () => {
    const passkey = formerPasskey();
    const row = createRow({ email_verified: false, passkeys: [passkeyRow(passkey)] });
    expect((await trusting([row])).code).toBe(0);
    expect(await logInBy(server, 'email', row.email)).toMatchObject({ status: 403 });
    const { status, body } = await login(server, passkey);
    expect(status).toBe(200);
    expect((await logInBy(server, 'email', row.email, { session_id: body.session_id })).status).toBe(200);
    expect((await logInBy(server, 'email', row.email)).status).toBe(200);
  });

  test('with --keep-user-ids, a user import keeps only user IDs in the format of this service', async () => {
    const [own, foreign] = [createRow({ user_id: newId() }), createRow()];
    expect((await trusting([own, foreign], '--keep-user-ids')).code).toBe(0);
    expect(await find(own.user_id)).toMatchObject([{ user_id: own.user_id }]);
    expect((await find(foreign.user_id))[0]?.user_id).not.toBe(foreign.user_id);
    const again = { ...createRow(), user_id: own.user_id, external_user_id: 'someone-else' };
    const refused = await trusting([again], '--keep-user-ids');
    expect(refused.stderr).toContain('user_id: belongs to another user');
  });

  test('an imported user who was disabled stays disabled', async () => {
    const row = createRow({ status: 'Disabled' });
    expect((await trusting([row])).code).toBe(0);
    expect(await find(row.user_id)).toMatchObject([{ status: 'Disabled' }]);
  });

  test('repeating an interrupted user import adds only the passkeys that were not stored', async () => {
    const passkeys = [formerPasskey(), formerPasskey()];
    const row = createRow({ passkeys: passkeys.map((each) => passkeyRow(each)) });
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
    // The user has removed one passkey, and the import does not restore it.
    await ports.passkeyRecords.remove(String(user?.user_id), passkeys[0]?.id.toString('base64url') ?? '', 1);
    await trusting([row]);
    expect(await stored()).toHaveLength(1);
  });

  test('importing a user reads no items and writes each item only once, except the passkey reservation', async () => {
    const ports = await server.ports(PORTS);
    let calls: string[] = [];
    const counted = Object.fromEntries(
      Object.entries(ports).map(([port, verbs]) => [
        port,
        Object.fromEntries(
          Object.entries(verbs).map(([verb, call]) => [
            verb,
            (...given: unknown[]) => {
              calls.push(`${port}.${verb}`);
              return (call as (...all: unknown[]) => unknown)(...given);
            },
          ]),
        ),
      ]),
    ) as unknown as typeof ports;
    const importRow = await importerOver(counted);
    // The first passkey of an import makes the RP ID of the application permanent, which takes an additional write.
    await importRow(createRow({ passkeys: [passkeyRow(formerPasskey())] }), 1);
    const row = createRow({ passkeys: [passkeyRow(formerPasskey())] });
    calls = [];
    await importRow(row, 2);
    expect(calls.toSorted()).toEqual([
      ...['identifierReservations.reserve', 'identifierReservations.reserve'],
      ...['passkeyRecords.put', 'passkeyRecords.reserve', 'passkeyRecords.reserve', 'userRecords.put'],
    ]);
  });

  test('a user import renews identifier reservations that would expire before the user is created', async () => {
    const ports = await server.ports(PORTS);
    const [held, made]: [number[], number[]] = [[], []];
    const reserve: typeof ports.passkeyRecords.reserve = async (id, userId, at, until) => {
      const isFree = await ports.passkeyRecords.reserve(id, userId, at, until);
      if (until !== undefined) held.push(at);
      if (held.length === 1) await server.advanceClock(RESERVATION_FILL_SECONDS);
      return isFree;
    };
    const put: typeof ports.userRecords.put = async (user) => {
      made.push(held.length);
      return ports.userRecords.put(user);
    };
    const importRow = await importerOver({
      ...ports,
      passkeyRecords: { ...ports.passkeyRecords, reserve },
      userRecords: { ...ports.userRecords, put },
    });
    const passkey = formerPasskey();
    expect(await importRow(createRow({ passkeys: [passkeyRow(passkey)] }), 1)).toBe('created');
    expect(made).toEqual([2]);
    expect((await login(server, passkey)).status).toBe(200);
  });

  test('identifier reservations of an interrupted user import expire after one minute', async () => {
    const passkey = formerPasskey();
    const row = createRow({ passkeys: [passkeyRow(passkey)] });
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
    // A second row with the same passkey also waits for the reservation. Only one of the two rows gets the passkey.
    const other = createRow({ passkeys: [passkeyRow(passkey)] });
    const outcomes = await Promise.allSettled([patient(row, 1), patient(other, 2)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(waited).toBeGreaterThan(40_000);
    const made = await Promise.all([row, other].map(({ user_id }) => find(user_id)));
    expect(made.flat()).toHaveLength(1);
    expect((await login(server, passkey)).status).toBe(200);
  });
});
