// Passkeys of browser SDKs (registration without a token) and of backends that authenticate their users (`external/register`).
import { describe, expect, test } from '@jest/globals';
import { PASSKEYS_MAX } from '../../../shared/domain/basis/limits.ts';
import { preciseNow } from '../../../shared/domain/basis/time.ts';
import { externalIdentifier } from '../../../shared/domain/identifiers/identifier.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { applicationClient } from '../../support/fixtures/application-client.ts';
import {
  type CreationAnswer,
  login,
  newPerson,
  register,
  registerPasskey,
  startLogin,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { changeUser, createUser, newEmail } from '../../support/fixtures/people.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { createPasskey } from '../../support/tools/software-authenticator.ts';

const server = useTestServer({ rateLimits: 'off' });

type Fields = Readonly<Record<string, unknown>>;

const START = '/v1/auth/webauthn/register/start';
const EXTERNAL = '/v1/auth/webauthn/external/register';

const client = applicationClient(server);

/** Starts a passkey registration as a web page of the application does: without a token, with the client ID and origin. */
const startOnPage = (fields: Fields = {}, headers: Readonly<Record<string, string>> = {}) =>
  server.post<CreationAnswer>(
    START,
    { client_id: server.environment.client_id, username: 'ann', display_name: 'Ann Lee', ...fields },
    { headers: { origin: toOrigin(server), ...headers } },
  );

async function newPasskey(deviation: Parameters<typeof createPasskey>[2] = {}) {
  return createPasskey((await startOnPage()).body, toOrigin(server), deviation);
}

interface External {
  readonly user_id: string;
  readonly is_user_created: boolean;
  readonly message: string;
}

const registerExternal = (result: string, fields: Fields) =>
  client.post<External>(EXTERNAL, { webauthn_encoded_result: result, ...fields });

const newExternalId = () => `crm-${newEmail()}`;

const readUser = async (userId: string) =>
  (await server.get<{ result: Fields }>(`/v1/users/${userId}`, { token: await server.clientToken() })).body
    .result;

const usersWith = async (externalId: string) => {
  const query = new URLSearchParams({ external_user_id: externalId });
  const token = await server.clientToken();
  return (await server.get<{ result: Fields[] }>(`/v1/users?${query}`, { token })).body.result;
};

const readCors = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => [
  status,
  headers.get('access-control-allow-origin'),
];

describe('passkey registration by a web page without a token', () => {
  test('a web page gets the same passkey registration options for known and unknown users', async () => {
    const person = await newPerson(server);
    // Fills the function's configuration cache.
    await startOnPage();
    const shape = async (username: string) => {
      server.resetMetrics();
      const { status, body } = await startOnPage({ username });
      const { challenge, user, ...options } = body.credential_creation_options;
      const calls = Object.values(server.metrics()).flatMap(({ last }) => last.calls).length;
      expect([user.name, user.displayName]).toEqual([username, 'Ann Lee']);
      expect(Buffer.from(user.id, 'base64')).toHaveLength(32);
      return { handle: user.id, rest: { status, options, length: challenge.length, calls } };
    };
    const [known, again, unknown] = [
      await shape(person.email),
      await shape(person.email),
      await shape('unknown@example.com'),
    ];
    expect(known.rest.options.excludeCredentials).toEqual([]);
    expect([again.rest, unknown.rest]).toEqual([known.rest, known.rest]);
    expect(new Set([known.handle, again.handle, unknown.handle]).size).toBe(3);
  });

  test('starting a passkey registration on a web page does not store the typed user name', async () => {
    const username = newEmail('typed');
    const before = await dumpTable('people');
    await startOnPage({ username });
    expect(await dumpTable('people')).toBe(before);
    expect(await dumpTable('flows')).not.toContain(username);
  });

  test('a web page can start a passkey registration only from an origin of the application', async () => {
    const shop = 'https://shop.example';
    await withApplication(server, { origins: [shop] }, async () => {
      for (const origin of [shop, toOrigin(server)])
        expect(readCors(await startOnPage({}, { origin }))).toEqual([200, origin]);
      const { clientId } = await storeApplication(server, { origins: ['https://other.example'] });
      expect((await startOnPage({ client_id: clientId }, { origin: shop })).status).toBe(401);
    });
    expect((await startOnPage({}, { origin: shop })).status).toBe(401);
  });

  test('a web page can read the error responses of a passkey registration (CORS)', async () => {
    const evil = { origin: 'https://evil.example' };
    expect(readCors(await startOnPage({}, evil))).toEqual([401, '*']);
    expect(readCors(await startOnPage({ client_id: 'unknown' }, evil))).toEqual([400, '*']);
    expect(readCors(await startOnPage({ client_id: undefined }))).toEqual([401, '*']);
    expect(readCors(await startOnPage({}, { authorization: 'Bearer nonsense' }))).toEqual([401, '*']);
    expect(readCors(await startOnPage({ username: 7 }))).toEqual([400, '*']);
    expect(readCors(await startOnPage({ username: undefined }))).toEqual([400, toOrigin(server)]);
    const registering = await server.post('/v1/auth/webauthn/register', {}, { headers: evil });
    expect(readCors(registering)).toEqual([401, '*']);
    expect(readCors(await startLogin(server, { client_id: 'unknown' }, evil))).toEqual([400, '*']);
  });

  test('the passkey is registered for the user of the access token, even if another user name was typed', async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const { passkey, result } = createPasskey(
      (await startOnPage({ username: bob.email })).body,
      toOrigin(server),
    );
    expect(await register(server, ann, result)).toMatchObject({
      status: 200,
      body: { user_id: ann.user.user_id },
    });
    expect((await login(server, passkey, { start: { username: ann.email } })).status).toBe(200);
    expect((await login(server, passkey, { start: { username: bob.email } })).status).toBe(400);
    expect((await register(server, bob, result)).status).toBe(400);
    // The user now has two factors, so a login with only the mailbox cannot add another passkey.
    const second = await newPasskey();
    expect((await register(server, ann, second.result)).status).toBe(401);
  });
});

describe('calls of `external/register` for an unknown user', () => {
  test('`external/register` creates an unknown user together with the passkey', async () => {
    const [external_user_id, email] = [newExternalId(), newEmail()];
    const { passkey, result } = await newPasskey();
    const answer = await registerExternal(result, { external_user_id, user_email: email });
    expect(answer).toMatchObject({
      status: 200,
      body: { is_user_created: true, external_user_id, user_identifier: 'ann' },
    });
    const { user_id: userId } = answer.body;
    expect(await readUser(userId)).toMatchObject({
      external_user_id,
      email: { value: email, email_verified: false },
      status: 'Pending',
    });
    expect((await login(server, passkey)).status).toBe(200);
    expect((await login(server, passkey, { start: { username: external_user_id } })).status).toBe(200);

    const second = await newPasskey();
    const again = await registerExternal(second.result, { external_user_id });
    expect(again).toMatchObject({ status: 200, body: { is_user_created: false, user_id: userId } });
    expect((await login(server, second.passkey)).status).toBe(200);
  });

  test('`external/register` finds a user whom the backend has created with the external ID', async () => {
    const [one, other] = [newExternalId(), newExternalId()];
    const { user_id } = await createUser(server, { email: newEmail(), external_user_id: one });
    const found = async (external_user_id: string) =>
      (await registerExternal((await newPasskey()).result, { external_user_id })).body;
    expect(await found(one)).toMatchObject({ user_id, is_user_created: false });
    await changeUser(server, user_id, { external_user_id: other });
    expect(await found(other)).toMatchObject({ user_id, is_user_created: false });
    expect(await found(one)).toMatchObject({ is_user_created: true });
  });

  test('`external/register` creates no user if the application does not allow sign-up', async () => {
    const [external_user_id, { result }] = [newExternalId(), await newPasskey()];
    await withApplication(server, { publicSignup: false }, async () => {
      expect(await registerExternal(result, { external_user_id })).toMatchObject({
        status: 404,
        body: { message: 'User not found' },
      });
    });
    expect((await registerExternal(result, { external_user_id })).status).toBe(200);
  });

  test('`external/register` rejects an email address of another user', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const [external_user_id, { result }] = [newExternalId(), await newPasskey()];
    const refused = await registerExternal(result, { external_user_id, user_email: email.toUpperCase() });
    expect([refused.status, refused.body.message]).toEqual([409, 'user_email: belongs to another user']);
    expect(await usersWith(external_user_id)).toEqual([]);
    expect((await registerExternal(result, { external_user_id })).status).toBe(200);
  });

  test('`external/register` cannot change the email address of a known user', async () => {
    const [external_user_id, email] = [newExternalId(), newEmail()];
    const first = { external_user_id, user_email: email };
    const { body } = await registerExternal((await newPasskey()).result, first);
    const { result } = await newPasskey();
    const other = { external_user_id, user_email: newEmail('other') };
    const refused = await registerExternal(result, other);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'user_email: is not an address of the user',
    ]);
    expect(await readUser(body.user_id)).toMatchObject({ email: { value: email } });
    expect((await registerExternal(result, { ...first, user_email: email.toUpperCase() })).status).toBe(200);
  });

  test.each([
    [{}, 'external_user_id: is required'],
    [{ external_user_id: '' }, 'external_user_id: must not be empty'],
    [{ external_user_id: 'crm', user_email: 'none' }, 'user_email: is not an email address'],
  ])('`external/register` rejects the invalid fields %j and states the reason', async (fields, message) => {
    expect(await registerExternal((await newPasskey()).result, fields)).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test('`external/register` is rejected while a concurrent request creates the user', async () => {
    const [external_user_id, user_email] = [newExternalId(), newEmail()];
    const { identifierReservations } = await server.ports(['identifierReservations']);
    const { tenant_id: tenantId, app_id: applicationId } = server.environment;
    const identifier = externalIdentifier({ applicationId, value: external_user_id });
    await identifierReservations.reserve(tenantId, identifier, 'unfinished', preciseNow());
    const ask = async () => registerExternal((await newPasskey()).result, { external_user_id, user_email });
    expect((await ask()).status).toBe(409);
    // The rejected request does not keep its reservation of the email address.
    expect((await createUser(server, { email: user_email })).user_id).toBeDefined();
    await server.advanceClock(61);
    const { result } = await newPasskey();
    expect(await registerExternal(result, { external_user_id })).toMatchObject({
      status: 200,
      body: { is_user_created: true },
    });
  });

  test('`external/register` creates no user for a passkey that is already registered', async () => {
    const first = await newPasskey();
    await registerExternal(first.result, { external_user_id: newExternalId() });
    const [external_user_id, again] = [newExternalId(), await newPasskey({ id: first.passkey.id })];
    expect((await registerExternal(again.result, { external_user_id })).status).toBe(409);
    expect(await usersWith(external_user_id)).toEqual([]);
  });

  test('`external/register` is rejected if the user has the maximum number of passkeys', async () => {
    const external_user_id = newExternalId();
    const next = async () => registerExternal((await newPasskey()).result, { external_user_id });
    const { user_id: userId } = (await next()).body;
    const { passkeyRecords } = await server.ports(['passkeyRecords']);
    for (let count = 2; count < PASSKEYS_MAX; count += 1)
      await passkeyRecords.put(somePasskey({ userId, credentialId: `${userId}-${count}` }));
    expect((await next()).status).toBe(200);
    expect(await next()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/too many/) } });
  });

  test("a user's external ID can be changed, but not removed if the user has no other identifier", async () => {
    const { body } = await registerExternal((await newPasskey()).result, {
      external_user_id: newExternalId(),
    });
    const [path, token] = [`/v1/users/${body.user_id}`, await server.clientToken()];
    expect((await server.put(path, { language: 'de' }, { token })).status).toBe(200);
    expect((await server.put(path, { external_user_id: null }, { token })).status).toBe(400);
    expect((await server.put(path, { username: newEmail('name') }, { token })).status).toBe(200);
  });
});

describe('passkey added by `external/register`', () => {
  test('a passkey added by `external/register` is valid only at its application', async () => {
    const { passkey, result } = await newPasskey();
    await registerExternal(result, { external_user_id: newExternalId() });
    const main = applicationClient(
      server,
      await storeApplication(server, { loginPreferences: { passkey: {} } }),
    );
    expect((await main.byPasskey(passkey)).status).toBe(400);
    expect((await client.byPasskey(passkey)).status).toBe(200);
  });

  test('a passkey added by `external/register` is superseded when the email address is verified', async () => {
    const email = newEmail('victim');
    const { passkey, result } = await newPasskey();
    const { body } = await registerExternal(result, { external_user_id: newExternalId(), user_email: email });
    expect((await client.byCode(email)).status).toBe(200);
    expect((await readUser(body.user_id)).email).toMatchObject({ email_verified: true });
    expect((await client.byPasskey(passkey)).status).toBe(403);
  });
});

test('a passkey registration for one user is rejected if its result names another external ID', async () => {
  const external_user_id = newExternalId();
  const { user_id } = await createUser(server, { email: newEmail(), external_user_id });
  const start = () =>
    server.clientToken().then((token) => server.post<CreationAnswer>(START, { user_id }, { token }));
  const createResult = async () => createPasskey((await start()).body, toOrigin(server)).result;
  const other = { external_user_id: newExternalId() };
  expect(await registerExternal(await createResult(), other)).toMatchObject({
    status: 400,
    body: { message: 'external_user_id: does not match the user' },
  });
  for (const fields of [{}, { external_user_id }])
    expect((await registerExternal(await createResult(), fields)).body).toMatchObject({
      user_id,
      is_user_created: false,
    });
});

test('the log lines of passkey registrations without a user token contain the client and the user', async () => {
  const external_user_id = newExternalId();
  const { user_id: named } = await createUser(server, { email: newEmail() });
  const token = await server.clientToken();
  let userId = '';
  const lines = await logLines(async () => {
    for (const _ of [1, 2])
      userId = (await registerExternal((await newPasskey()).result, { external_user_id })).body.user_id;
    const { body } = await server.post<CreationAnswer>(START, { user_id: named }, { token });
    await registerExternal(createPasskey(body, toOrigin(server)).result, { external_user_id });
  });
  const facts = lines
    .filter(({ event }) => String(event).startsWith('passkeys/'))
    .map(({ event, client_id, user_id, audit = [] }) => [
      ...[String(event), client_id === server.environment.client_id, user_id],
      (audit as readonly string[]).includes('user.created'),
    ]);
  expect(facts).toEqual([
    ['passkeys/start-registration', true, undefined, false],
    ['passkeys/register-external', true, userId, true],
    ['passkeys/start-registration', true, undefined, false],
    ['passkeys/register-external', true, userId, false],
    ['passkeys/start-registration', true, named, false],
    ['passkeys/register-external', true, named, false],
  ]);
});

test('a user whose only factor is a passkey can undo its removal by the link in the notice', async () => {
  const person = await newPerson(server);
  const passkey = await registerPasskey(server, person);
  const { user_id: userId } = person.user;
  await changeUser(server, userId, { username: newEmail('name').replace('@', '.'), email: null });
  const { access_token: token } = (await login(server, passkey)).body;
  const path = `/v1/users/${userId}/webauthn-credentials/${passkey.id.toString('base64url')}`;
  expect((await server.delete(path, { token })).status).toBe(204);
  const { userRecords } = await server.ports(['userRecords']);
  expect((await userRecords.find(userId))?.changes.at(-1)).toMatchObject({
    ...{ what: { attribute: 'passkey' }, undoCondition: 'link' },
  });
});
