// The attacker has a client of a second application (`side`), or a client that lacks the permissions for the calls it makes.
import { expect, test } from '@jest/globals';
import { readHeading } from '../support/fixtures/hosted-login.ts';
import { made } from '../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { otlWith } from '../support/server/otl.ts';
import {
  ADD_NUMBER,
  ADDITIONAL_FACTOR_REQUIRED,
  type ApplicationClient,
  CONFIRM,
  createApplicationWithClient,
  createClientFor,
  readAcr,
  readSub,
  useTenant,
} from './people.ts';

const tenant = useTenant();
const { server, main, side, withMail, withBoth, readRecord, listPasskeys, readEverything, asOperator } =
  tenant;
const { browser, givePasskey, offersText, offersPasskey } = tenant;

type Attempt = (client: ApplicationClient) => Promise<{ readonly status: number }>;

/** Returns API calls by which an attacker could take over the user's account or give the user more rights. */
function takeovers(userId: string, credentialId: unknown): Readonly<Record<string, Attempt>> {
  const put =
    (fields: object): Attempt =>
    (client) =>
      client.change(userId, { ...fields });
  const path = `/v1/users/${userId}`;
  const remove =
    (suffix: string): Attempt =>
    async (client) =>
      server.delete(path + suffix, { token: await client.token() });
  return {
    username: put({ username: `attacker-${newEmail()}` }),
    'custom identifier': put({ custom_identifiers: [{ type: 'card', value: newEmail() }] }),
    'external ID': put({ external_user_id: newEmail() }),
    email: put({ email: newEmail('attacker') }),
    'no email': put({ email: null }),
    'verified email': put({ email: newEmail('attacker'), email_verified: true }),
    number: put({ phone_number: newPhoneNumber() }),
    'no number': put({ phone_number: null }),
    roles: put({ roles: ['finance-admin'] }),
    recovery: (client) => client.put(`${path}/recovery`, {}),
    passkey: remove(`/webauthn-credentials/${credentialId}`),
    deletion: remove(''),
  };
}

/** Returns API calls by which an attacker could suspend, unlock or log out the user, or change groups and risk signals. */
function nuisances(userId: string) {
  const path = `/v1/users/${userId}`;
  const remove =
    (target: string): Attempt =>
    async (client) =>
      server.delete(target, { token: await client.token() });
  return {
    suspension: (client: ApplicationClient) => client.change(userId, { status: 'Disabled' }),
    groups: (client: ApplicationClient) => client.change(userId, { groups: ['staff'] }),
    risk: (client: ApplicationClient) => client.put(`${path}/phone-risk`, { signal: 'sim_swap' }),
    'risk cleared': remove(`${path}/phone-risk`),
    unlocking: remove(`${path}/locks`),
    'end of sessions': remove(`/v1/auth/users/${userId}/sessions`),
  };
}

/** Makes the calls with the client's token. Returns the name and status of each call that was not rejected with 403. */
async function through(client: ApplicationClient, attempts: Readonly<Record<string, Attempt>>) {
  const done: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status } = await attempt(client);
    if (status !== 403) done.push(`${name}: ${status}`);
  }
  return done;
}

const findCredentialId = async (userId: string) => (await listPasskeys(userId))[0]?.credential_id;

/** Returns all calls of `nuisances` and `takeovers` for the user. */
const allAttempts = async (userId: string) => ({
  ...nuisances(userId),
  ...takeovers(userId, await findCredentialId(userId)),
});

/** Creates a user of the main application with an email address, a phone number and a passkey, all valid there. */
async function victim() {
  const person = await withBoth();
  const { passkey } = await main.registerFor(person.userId);
  return { ...person, passkey };
}

test('A1: a client of a second application cannot change a user of the main application', async () => {
  const { appId } = side;
  const verbs = ['edit', 'delete', 'execute', 'create', 'read'];
  const lists = ['apps', appId].map((noun) => verbs.map((verb) => `${noun}:${verb}`));
  const clients = [side, ...(await Promise.all(lists.map((list) => createClientFor(server, side, list))))];
  const { userId } = await victim();
  const before = await readEverything(userId);
  for (const client of clients) {
    expect(await through(client, await allAttempts(userId))).toEqual([]);
    expect(await readEverything(userId)).toEqual(before);
  }

  // The main application's client, without a list of permissions, cannot set roles or a verified address, or grant recoveries.
  const own = await through(main, await allAttempts(userId));
  expect(own.map((name) => name.replace(/: 20[04]$/, ''))).toEqual([
    ...Object.keys(nuisances(userId)),
    ...['username', 'custom identifier', 'external ID', 'email', 'no email', 'number', 'no number'],
    ...['passkey', 'deletion'],
  ]);
});

test('A2: a client cannot change users who were created for another application or for no application', async () => {
  const names = () => ({
    email: newEmail('made'),
    phone_number: newPhoneNumber(),
    username: newEmail('name'),
  });
  const make = async (fields: object) =>
    (await made<{ user_id: string }>(server, '/v1/users', { ...names(), ...fields })).user_id;
  const [ofMain, ofNone] = [await make({ applications: [main.appId] }), await make({})];
  const row = names();
  const args = ['user', 'import', '-', '--json'];
  expect((await otlWith({ OTL_ENDPOINT: server.url }, args, `${JSON.stringify(row)}\n`)).code).toBe(0);
  const token = await server.adminToken();
  const path = `/v1/users/email/${row.email}`;
  const { body } = await server.get<{ result: { user_id: string } }>(path, { token });
  for (const userId of [ofMain, ofNone, body.result.user_id]) {
    const before = await readEverything(userId);
    expect(await through(side, await allAttempts(userId))).toEqual([]);
    expect(await readEverything(userId)).toEqual(before);
  }

  expect(await readRecord(ofMain)).toMatchObject({ applications: [main.appId] });
  expect((await main.change(ofMain, { email: newEmail() })).status).toBe(200);
  const manager = await createClientFor(server, side, ['users:edit']);
  expect((await manager.change(ofNone, { email: newEmail() })).status).toBe(200);
});

test("A3: after a login through the channel `direct` at a second application, that application's client still cannot change the user", async () => {
  const { userId, passkey: ofMain } = await victim();
  expect((await side.direct(userId)).session_id).toBeDefined();
  const bound = await side.registerFor(userId);
  expect(readSub(await side.byPasskey(bound.passkey))).toBe(userId);
  const { user } = await readEverything(userId);
  const attempts = { ...nuisances(userId), ...takeovers(userId, ofMain.id.toString('base64url')) };
  expect(await through(side, attempts)).toEqual([]);
  expect(await readRecord(userId)).toEqual(user);
  // The client can remove only the passkey that the client itself has added.
  const own = `/v1/users/${userId}/webauthn-credentials/${bound.passkey.id.toString('base64url')}`;
  expect((await server.delete(own, { token: await side.token() })).status).toBe(204);
  expect((await main.change(userId, { email: newEmail() })).status).toBe(200);
});

test('A4: a client with `users:…` permissions cannot take over a user who has an administrative role', async () => {
  const list = ['edit', 'delete', 'create', 'read', 'recover', 'verify'].map((verb) => `users:${verb}`);
  const manager = await createClientFor(server, side, list);
  const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
  const powers = [
    (userId: string) => asOperator(userId, { roles: ['finance-admin'] }),
    ...['organizationAdmin', 'organizationCreator'].map((role) => (userId: string) => {
      const member = { user_id: userId, roles: [role] };
      return made(server, `/v1/organizations/${org_id}/members`, member);
    }),
  ];
  for (const empower of powers) {
    const { userId } = await victim();
    await empower(userId);
    const before = await readEverything(userId);
    for (const client of [main, manager]) {
      expect(await through(client, takeovers(userId, await findCredentialId(userId)))).toEqual([]);
      expect(await readEverything(userId)).toEqual(before);
    }
    const { risk, suspension, 'end of sessions': ends } = nuisances(userId);
    expect(await through(manager, { risk, ends, suspension })).toEqual([
      ...['risk: 200', 'ends: 204', 'suspension: 200'],
    ]);
    const operator = await asOperator(userId, { status: 'Active', email: newEmail() });
    expect(operator.status).toBe(200);
  }
});

test('A5: the same external ID identifies a different user at each of two applications', async () => {
  const executor = await createClientFor(server, side, [`${side.appId}:execute`]);
  const external_user_id = `crm-${newEmail()}`;
  const theirs = await executor.registerExternal({ external_user_id });
  const own = await main.registerExternal({ external_user_id });
  expect([theirs.status, own.status]).toEqual([200, 200]);
  expect(own.body).toMatchObject({ is_user_created: true });
  expect(own.body.user_id).not.toBe(theirs.body.user_id);
  expect(readSub(await main.byPasskey(own.passkey))).toBe(own.body.user_id);
  expect(readSub(await side.byPasskey(theirs.passkey))).toBe(theirs.body.user_id);
  const again = await main.registerExternal({ external_user_id });
  expect(again.body).toMatchObject({ is_user_created: false, user_id: own.body.user_id });
});

test('A6: a phone number added by a second application is not enough to log in to the main application', async () => {
  const [email, phone] = [newEmail('victim'), newPhoneNumber()];
  const userId = await side.make({ email, phone_number: phone });
  expect(readSub(await side.byCode(phone))).toBe(userId);
  const own = await main.byCode(email);
  expect(readSub(own)).toBe(userId);
  expect(await main.byCode(phone)).toMatchObject(ADDITIONAL_FACTOR_REQUIRED);
  expect(readHeading(await main.onPages(phone))).toBe(CONFIRM);
  // Logins at the main application do not offer this number as a second factor.
  const stepping = await main.onPages(email, { acr_values: 'mfa' });
  expect(offersText(stepping)).toBe(false);
  expect((await main.bind(own.body)).status).toBe(200);

  // If a user verifies the address and the number in one session, the number is valid at the main application.
  const [address, number] = [newEmail(), newPhoneNumber()];
  const person = await side.make({ email: address, phone_number: number });
  expect(readSub(await main.byBoth(address, number))).toBe(person);
  expect(readSub(await main.byCode(number))).toBe(person);
});

test("A15: a passkey registered by a second application's client is valid only at that application", async () => {
  const ways = [
    async ({ userId }: { userId: string; email: string }) => (await side.registerFor(userId)).passkey,
    async ({ email }: { userId: string; email: string }) =>
      (await side.registerByHint({ webauthn_identifier: email })).makePasskey(),
  ];
  for (const bind of ways) {
    const person = await withMail();
    const { email, userId } = person;
    const passkey = await bind(person);
    expect(readSub(await side.byPasskey(passkey))).toBe(userId);
    expect(readSub(await main.byPasskey(passkey))).toBe(400);
    for (const place of [main, side])
      expect(offersPasskey(await place.onPages(email, { acr_values: 'mfa' }))).toBe(false);
    const { access_token: token } = (await main.byCode(email)).body;
    const path = `/v1/users/me/webauthn-credentials/${passkey.id.toString('base64url')}`;
    expect((await server.delete(path, { token })).status).toBe(204);
    expect(readSub(await side.byPasskey(passkey))).not.toBe(userId);

    for (const place of [main, side]) {
      const other = await withMail();
      await bind(other);
      expect((await place.bind((await place.byCode(other.email)).body)).status).toBe(200);
    }
  }
});

test("A18: a phone number added after a login with a client's passkey is valid only at the client's application", async () => {
  const noMail = await createApplicationWithClient(server, {
    name: 'No mail',
    methods: { sms: {}, passkey: {} },
  });
  const unproven = newEmail('victim');
  const people = [await withMail(), { email: unproven, userId: await main.make({ email: unproven }) }];
  for (const { email, userId } of people) {
    const { passkey } = await noMail.registerFor(userId);
    const [jar, number] = [browser(), newPhoneNumber()];
    const first = await noMail.open(jar, { acr_values: 'phone_number' });
    const page = await givePasskey(jar, first, passkey);
    const isTaken = readHeading(page) === ADD_NUMBER;
    if (isTaken) {
      const texted = await page.submit({ phone_number: number });
      await texted.submit({ passcode: await server.codeTo(number) });
    }
    expect(readSub(await noMail.byCode(number)) === userId).toBe(isTaken);
    expect(readSub(await main.byCode(number))).not.toBe(userId);
    const own = await main.byCode(email);
    expect([readSub(own), (await main.bind(own.body)).status]).toEqual([userId, 200]);
    const both = await main.byCode(number, { session_id: own.body.session_id });
    expect(both.status === 200 && readAcr(both)).not.toBe('mfa');
  }
});
