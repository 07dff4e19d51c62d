import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { login, passkeyRow } from '../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { atOnce } from '../support/server/at-once.ts';
import { PORTS, useMoving } from './support/moving.ts';

// Attacks by a person who controls one row of a file that an operator imports with verified addresses.

jest.setTimeout(120_000);

const { server, upstream, trusting, find, formerPasskey, importerOver, createRow } = useMoving();

type Json = Readonly<Record<string, unknown>>;

interface Victim {
  readonly email: string;
  readonly external_user_id: string;
}

describe('user imports that attack existing users', () => {
  test('a client of another application cannot change an imported user', async () => {
    const row = createRow();
    await trusting([row]);
    const [user] = await find(row.user_id);
    const token = await server.clientToken(await storeApplication(server));
    const fields = { email: newEmail() };
    const path = `/v1/users/${user?.user_id}`;
    expect((await server.put(path, fields, { token })).status).toBe(403);
    const own = await server.clientToken();
    expect((await server.put(path, { name: { first_name: 'Ann' } }, { token: own })).status).toBe(200);
  });

  test('a user import rejects a row with the email address of one user and the external ID of another user', async () => {
    const [one, other] = [createRow(), createRow()];
    await trusting([one, other]);
    const before = [await find(one.user_id), await find(other.user_id)];
    const mixed = await trusting([
      { ...one, user_id: other.user_id },
      { ...createRow(), user_id: one.user_id },
    ]);
    expect(mixed.stderr).toContain('"row":1,"message":"email: belongs to another user"');
    expect(mixed.stderr).toContain('"row":2,"message":"external_user_id: belongs to another user"');
    expect([await find(one.user_id), await find(other.user_id)]).toEqual(before);
  });

  test.each<[string, (victim: Victim) => Json]>([
    ['the email address', ({ email }) => ({ email, user_id: undefined })],
    [
      'the external ID',
      ({ external_user_id }) => ({
        ...{ user_id: external_user_id, email: undefined, email_verified: undefined },
      }),
    ],
    [
      'the email address and the external ID',
      ({ email, external_user_id }) => ({ email, user_id: external_user_id }),
    ],
    [
      'the unverified email address and the external ID',
      ({ email, external_user_id }) => ({ email, user_id: external_user_id, email_verified: false }),
    ],
  ])('importing a row with %s of an existing user does not change this user', async (_title, named) => {
    const external_user_id = newEmail('id');
    const { user_id, email } = await createUser(server, { email: newEmail('victim'), external_user_id });
    const victim = { email: email?.value ?? '', external_user_id };
    const stored = async () =>
      (await server.get(`/v1/users/${user_id}`, { token: await server.clientToken() })).body.result;
    const before = await stored();
    const passkey = formerPasskey();
    const name = { first_name: 'Mallory' };
    const row = createRow({ ...named(victim), name, passkeys: [passkeyRow(passkey)] });
    expect(JSON.parse((await trusting([row])).stdout)).toMatchObject({ existing: 1, created: 0 });
    expect((await login(server, passkey)).status).toBe(400);
    const identities = [{ provider: 'google', issuer: upstream.issuer, subject: newEmail('mallory') }];
    const more = await trusting([{ ...row, identities }]);
    expect(more.stderr).toContain('belongs to another user');
    expect(await stored()).toEqual(before);
  });

  test('a user import rejects a row that contains the identity provider account of another user', async () => {
    const identities = [{ provider: 'google', issuer: upstream.issuer, subject: 'sub-of-victim' }];
    const row = createRow({ identities });
    await trusting([row]);
    const before = await find(row.user_id);
    const thief = createRow({ identities });
    const refused = await trusting([thief]);
    expect(refused.stderr).toContain('"row":1,"message":"social:google: belongs to another user"');
    expect(await find(thief.user_id)).toEqual([]);
    expect(await find(row.user_id)).toEqual(before);
  });

  test('a user import and its dry run reject a row that contains the passkey of another user', async () => {
    const passkey = formerPasskey();
    await trusting([createRow({ passkeys: [passkeyRow(passkey)] })]);
    const thief = createRow({ passkeys: [passkeyRow(passkey)] });
    for (const options of [['--dry-run'], []]) {
      const refused = await trusting([thief], ...options);
      expect(refused.stderr).toContain('"row":1,"message":"The passkey is already registered"');
      expect(await find(thief.user_id)).toEqual([]);
    }
  });

  test('a user import rejects a row if another row registers the same passkey at the same time', async () => {
    const passkeys = [passkeyRow(formerPasskey())];
    const [first, thief] = [createRow({ passkeys }), createRow({ passkeys })];
    const ports = await server.ports(PORTS);
    let isFirst = true;
    const reserve: typeof ports.identifierReservations.reserve = async (...given) => {
      const isNow = isFirst;
      isFirst = false;
      if (isNow) await (await importerOver(ports))(first, 1);
      return ports.identifierReservations.reserve(...given);
    };
    const late = { ...ports, identifierReservations: { ...ports.identifierReservations, reserve } };
    await expect((await importerOver(late))(thief, 2)).rejects.toThrow('The passkey is already registered');
    expect(await find(first.user_id)).toHaveLength(1);
    expect(await find(thief.user_id)).toEqual([]);
    // The identifiers that the rejected row had reserved can be used again immediately.
    expect(await (await importerOver(ports))({ ...thief, passkeys: [] }, 3)).toBe('created');
  });

  test.each<[string, () => Json]>([
    ['passkey', () => ({ passkeys: [passkeyRow(formerPasskey())] })],
    ['email address', () => ({ email: newEmail('one') })],
    ['external ID', () => ({ user_id: newEmail('one') })],
    [
      'provider account',
      () => ({ identities: [{ provider: 'google', issuer: upstream.issuer, subject: newEmail('one') }] }),
    ],
  ])('two concurrent imports of rows with the same %s create only one user', async (_title, shared) => {
    const one = shared();
    const thieves = Array.from({ length: 8 }, () => createRow(one));
    const runs = await atOnce(2, () => trusting(thieves));
    expect(runs.map(({ code }) => code)).toEqual([1, 1]);
    const found = await Promise.all(thieves.map(({ user_id }) => find(user_id)));
    expect(new Set(found.flat().map(({ user_id }) => user_id)).size).toBe(1);
  });

  test('concurrent imports of rows with the same two passkeys create one user with both passkeys', async () => {
    const passkeys = [passkeyRow(formerPasskey()), passkeyRow(formerPasskey())];
    const importRow = await importerOver(await server.ports(PORTS), (milliseconds) =>
      wait(milliseconds / 10),
    );
    const rows = Array.from({ length: 8 }, (_, index) =>
      createRow({ passkeys: index % 2 ? passkeys : passkeys.toReversed() }),
    );
    const outcomes = await Promise.allSettled(rows.map((row, index) => importRow(row, index)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [owner, ...others] = (await Promise.all(rows.map(({ user_id }) => find(user_id)))).flat();
    expect(others).toEqual([]);
    const { passkeyRecords } = await server.ports(['passkeyRecords']);
    expect(await passkeyRecords.listOf(String(owner?.user_id))).toHaveLength(2);
  });

  test('a user import does not register a passkey whose RP ID belongs to another service', async () => {
    const passkey = formerPasskey();
    const row = createRow({ passkeys: [passkeyRow(passkey, { rp_id: 'evil.example.com' })] });
    const refused = await trusting([row]);
    expect(refused.stderr).toContain('passkeys@evil.example.com (1 rows)');
    expect(await find(row.user_id)).toEqual([]);
    expect((await trusting([row], '--ignore', 'passkeys@evil.example.com')).code).toBe(0);
    expect((await login(server, passkey)).status).toBe(400);
  });

  test.each([
    ['an invalid key', { public_key: 'AAAA' }],
    ['no user handle', { user_handle: undefined }],
    ['an ID that is too long', { credential_id: randomBytes(1024).toString('base64url') }],
    ['no RP ID', { rp_id: undefined }],
    ['a negative signature counter', { sign_count: -1 }],
  ])('a user import rejects a row whose passkey has %s', async (_title, change) => {
    const row = createRow({ passkeys: [passkeyRow(formerPasskey(), change)] });
    expect((await trusting([row])).stderr).toContain('1 of 1 rows were rejected');
    expect(await find(row.user_id)).toEqual([]);
  });
});
