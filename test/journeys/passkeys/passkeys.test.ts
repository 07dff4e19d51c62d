import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import {
  authenticate,
  login,
  newPerson,
  type Person,
  register,
  registerPasskey,
  startLogin,
  startRegistration,
  toOrigin,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  createPasskey,
  FLAGS,
  type SoftwarePasskey,
  usePasskey,
} from '../../support/tools/software-authenticator.ts';

const server = useTestServer({ rateLimits: 'off' });

const invalid = { status: 400, body: { message: 'Invalid passkey', error_code: 400 } };
const { USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP } = FLAGS;

/** User without a passkey. The variable `passkey` belongs to another user. */
let ann: Person;
let passkey: SoftwarePasskey;
beforeAll(async () => {
  ann = await newPerson(server);
  passkey = await registerPasskey(server, await newPerson(server));
});

describe('registering a passkey', () => {
  test('a user can log in with a registered passkey without a user name', async () => {
    const person = await newPerson(server);
    const started = await startRegistration(server, person);
    const { passkey, result } = createPasskey(started, toOrigin(server));
    const registered = await register(server, person, result);
    expect(registered).toMatchObject({
      status: 200,
      body: {
        credential_id: passkey.id.toString('base64url'),
        user_id: person.user.user_id,
        user_identifier: person.email,
      },
    });

    const answer = await login(server, passkey);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('signing_artifacts');
    const { payload } = await verifyToken(server, answer.body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ sub: person.user.user_id, amr: ['webauthn'] });
  });

  test.each([[-7], [-8], [-257]] as const)(
    'N103 a passkey with the COSE algorithm %d can be registered and used for a login',
    async (alg) => {
      const person = await newPerson(server);
      const offered = (await startRegistration(server, person)).credential_creation_options.pubKeyCredParams;
      expect(offered.map((each) => each.alg)).toContain(alg);
      const passkey = await registerPasskey(server, person, { alg });
      expect((await login(server, passkey)).status).toBe(200);
    },
  );

  test('the registration options exclude passkeys that the user already has', async () => {
    const person = await newPerson(server);
    const first = await registerPasskey(server, person, {
      id: Buffer.from(`${'f'.repeat(31)}\xff\xfe`, 'latin1'),
    });
    const both = await withBothFactors(server, person, first);
    const { credential_creation_options: options } = await startRegistration(server, both);
    expect(options.challenge).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(options.user.id).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([first.id.toString('base64')]);
    expect(options).toMatchObject({
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test.each(['base64', 'base64url'] as const)(
    'a passkey registration accepts binary fields in the encoding %s',
    async (format) => {
      const passkey = await registerPasskey(server, await newPerson(server), { format });
      expect((await login(server, passkey, { format })).status).toBe(200);
    },
  );

  test('N104 a credential ID that another user has registered is rejected', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];
    const passkey = await registerPasskey(server, one);
    const { id } = passkey;
    for (const person of [await withBothFactors(server, one, passkey), other]) {
      const again = createPasskey(await startRegistration(server, person), toOrigin(server), { id });
      expect(await register(server, person, again.result)).toMatchObject({
        status: 409,
        body: { message: 'The passkey is already registered' },
      });
    }
    const long = createPasskey(await startRegistration(server, other), toOrigin(server), {
      id: randomBytes(1024),
    });
    expect(await register(server, other, long.result)).toMatchObject(invalid);
    const longest = await registerPasskey(server, other, { id: randomBytes(1023) });
    expect((await login(server, longest)).status).toBe(200);
  });

  test('N105 all passkeys of a user have the same random user handle', async () => {
    const person = await newPerson(server);
    const handles = await Promise.all(
      [1, 2].map(async () => (await startRegistration(server, person)).credential_creation_options.user.id),
    );
    const bytes = Buffer.from(handles[0] ?? '', 'base64');
    expect(handles[1]).toBe(handles[0]);
    expect(bytes).toHaveLength(32);
    expect(bytes.toString('latin1')).not.toContain(person.user.user_id);
    const stranger = await startRegistration(server, await newPerson(server));
    expect(stranger.credential_creation_options.user.id).not.toBe(handles[0]);
  });

  test.each([
    ['a wrong origin', { origin: 'https://evil.example' }],
    ['a wrong RP ID', { rpId: 'evil.example' }],
    ['a challenge that was not issued', { challenge: randomBytes(32).toString('base64url') }],
    ['the client data type webauthn.get', { type: 'webauthn.get' }],
    ['crossOrigin set to true', { client: { crossOrigin: true } }],
    ['a topOrigin', { client: { topOrigin: 'https://evil.example' } }],
    ['no user-verification flag', { flags: USER_PRESENT | BACKUP_ELIGIBLE }],
    ['no user-presence flag', { flags: USER_VERIFIED }],
    ['N102 a backup state without backup eligibility', { flags: USER_PRESENT | USER_VERIFIED | BACKED_UP }],
  ])('N101 a passkey registration is rejected if the response has %s', async (_title, deviation) => {
    const made = createPasskey(await startRegistration(server, ann), toOrigin(server), deviation);
    expect(await register(server, ann, made.result)).toMatchObject(invalid);
    expect(await login(server, made.passkey)).toMatchObject(invalid);
  });

  test('N100 the result of a passkey registration is accepted only once', async () => {
    const person = await newPerson(server);
    const made = createPasskey(await startRegistration(server, person), toOrigin(server));
    expect(await register(server, await newPerson(server), made.result)).toMatchObject(invalid);
    const answers = await atOnce(8, () => register(server, person, made.result));
    // The other requests get 400 (used result) or 401 (the user now has a passkey, which adding another one requires).
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status } of refused) expect([400, 401]).toContain(status);
  });

  test.each([['%%%'], ['eA=='], [Buffer.from('{"webauthnSessionId":"a"}').toString('base64')]])(
    'the malformed passkey registration result %s is rejected with an error that names the reason',
    async (result) => {
      const message = expect.stringMatching(/^webauthn_encoded_result: /);
      expect(await register(server, ann, result)).toMatchObject({ status: 400, body: { message } });
      expect(await authenticate(server, result)).toMatchObject({ status: 400, body: { message } });
    },
  );

  test('a user token starts a passkey registration only for its own user', async () => {
    const { user, tokens } = await newPerson(server);
    const start = async (user_id: string) =>
      (await server.post('/v1/auth/webauthn/register/start', { user_id }, { token: tokens.access_token }))
        .status;
    expect([await start(user.user_id), await start(ann.user.user_id)]).toEqual([200, 404]);
  });

  test('a passkey cannot be registered with a revoked token', async () => {
    const person = await newPerson(server);
    const made = createPasskey(await startRegistration(server, person), toOrigin(server));
    await server.request('/v1/auth/logout', { method: 'POST', token: person.tokens.access_token });
    expect((await register(server, person, made.result)).status).toBe(401);
  });

  test('a backend can register a passkey for a user whom it has authenticated', async () => {
    const { user } = await newPerson(server);
    const token = await server.clientToken();
    const start = (fields: object) =>
      server.post<Awaited<ReturnType<typeof startRegistration>>>('/v1/auth/webauthn/register/start', fields, {
        token,
      });
    const started = await start({ user_id: user.user_id, username: 'ann', display_name: 'Ann Lee' });
    expect(started.body.credential_creation_options.user).toMatchObject({
      name: 'ann',
      displayName: 'Ann Lee',
    });
    const { passkey, result } = createPasskey(started.body, toOrigin(server));
    const answer = await server.post(
      '/v1/auth/webauthn/external/register',
      { webauthn_encoded_result: result },
      { token },
    );
    expect(answer).toMatchObject({ status: 200, body: { user_id: user.user_id, user_identifier: 'ann' } });
    expect((await login(server, passkey)).status).toBe(200);
    expect(await start({})).toMatchObject({ status: 400, body: { message: 'user_id: is required' } });
    expect(await start({ user_id: 'unknown' })).toMatchObject({ status: 404 });
  });
});

describe('logging in with a passkey', () => {
  test.each([
    ['a wrong origin', { origin: 'https://evil.example' }],
    ['a wrong RP ID', { rpId: 'evil.example' }],
    ['a challenge that was not issued', { challenge: randomBytes(32).toString('base64url') }],
    ['the client data type webauthn.create', { type: 'webauthn.create' }],
    ['crossOrigin set to true', { client: { crossOrigin: true } }],
    ['no user-verification flag', { flags: USER_PRESENT | BACKUP_ELIGIBLE }],
    ['no user-presence flag', { flags: USER_VERIFIED | BACKUP_ELIGIBLE }],
    ['N102 a backup state without backup eligibility', { flags: USER_PRESENT | USER_VERIFIED | BACKED_UP }],
    [
      'N102 no backup eligibility although the passkey had it before',
      { flags: USER_PRESENT | USER_VERIFIED },
    ],
    ['an invalid signature', { signature: randomBytes(70) }],
    ['N105 no user handle', { userHandle: null }],
    ["N105 another user's handle", { userHandle: randomBytes(32).toString('base64url') }],
  ])('N101 a passkey login is rejected if the response has %s', async (_title, deviation) => {
    const { body } = await startLogin(server);
    const origin = toOrigin(server);
    expect(await authenticate(server, usePasskey(passkey, body, origin, deviation))).toMatchObject(invalid);
    expect((await authenticate(server, usePasskey(passkey, body, origin))).status).toBe(200);
  });

  test('N105 a passkey login with the user handle of another user is rejected', async () => {
    const [mine, theirs] = [
      await registerPasskey(server, await newPerson(server)),
      await registerPasskey(server, await newPerson(server)),
    ];
    expect(await login(server, mine, { userHandle: theirs.userHandle })).toMatchObject(invalid);
  });

  test('N100 the challenge of a passkey login is random, single-use and valid for 5 minutes', async () => {
    const passkey = await registerPasskey(server, await newPerson(server));
    const { body } = await startLogin(server);
    const { challenge } = body.credential_request_options;
    expect(Buffer.from(challenge, 'base64')).toHaveLength(32);
    expect((await startLogin(server)).body.credential_request_options.challenge).not.toBe(challenge);
    const result = usePasskey(passkey, body, toOrigin(server));
    const answers = await atOnce(8, () => authenticate(server, result));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await authenticate(server, result)).toMatchObject(invalid);

    const late = usePasskey(passkey, (await startLogin(server)).body, toOrigin(server));
    await server.advanceClock(301);
    expect(await authenticate(server, late)).toMatchObject(invalid);
  });

  test('N106 a passkey login is rejected if the signature counter does not increase', async () => {
    const counting = await registerPasskey(server, await newPerson(server), { count: 5 });
    expect((await login(server, counting, { count: 6 })).status).toBe(200);
    for (const count of [6, 5, 1, 0]) expect(await login(server, counting, { count })).toMatchObject(invalid);
    expect((await login(server, counting, { count: 100 })).status).toBe(200);
    const synced = await registerPasskey(server, await newPerson(server));
    for (const _ of [1, 2]) expect((await login(server, synced)).status).toBe(200);
    expect((await login(server, synced, { count: 1 })).status).toBe(200);
    expect(await login(server, synced, { count: 0 })).toMatchObject(invalid);
  });

  test('N107 the options of a passkey login are the same for known and unknown users', async () => {
    const person = await newPerson(server);
    await registerPasskey(server, person);
    const shape = async (fields: Readonly<Record<string, unknown>>) => {
      server.resetMetrics();
      const { status, body } = await startLogin(server, fields);
      const { challenge, ...options } = body.credential_request_options;
      const calls = Object.values(server.metrics()).flatMap(({ last }) => last.calls);
      return { status, options, length: challenge.length, calls: calls.length };
    };
    const known = await shape({ username: person.email });
    expect(known.options.allowCredentials).toEqual([]);
    expect(await shape({ username: 'unknown@example.com' })).toEqual(known);
    expect(await shape({})).toEqual(known);
  });

  test('a passkey login is rejected if the request names a user who does not own the passkey', async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const passkey = await registerPasskey(server, ann);
    for (const username of [ann.email, ann.email.toUpperCase(), ann.user.user_id])
      expect((await login(server, passkey, { start: { username } })).status).toBe(200);
    for (const username of [bob.email, 'unknown@example.com'])
      expect(await login(server, passkey, { start: { username } })).toMatchObject(invalid);
  });

  test('a passkey used in a session that began with a code is a second factor', async () => {
    const person = await newPerson(server);
    const passkey = await registerPasskey(server, person);
    const answer = await login(server, passkey, { fields: { session_id: person.tokens.session_id } });
    expect(answer.body.session_id).toBe(person.tokens.session_id);
    expect(decodeJwt(answer.body.id_token)).toMatchObject({ acr: 'mfa', amr: ['eotp', 'webauthn', 'mfa'] });
  });

  test('the tokens of a passkey login are valid for the requested organization and resource', async () => {
    const person = await newPerson(server);
    const passkey = await registerPasskey(server, person);
    const { organizationId: org_id } = await storeMember(server, { userId: person.user.user_id });
    const client = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), client);
    const { body } = await login(server, passkey, { fields: { org_id, resource: uri } });
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: uri, org_id });
  });

  test('a passkey login that was rejected because of an invalid request field can be repeated', async () => {
    const passkey = await registerPasskey(server, await newPerson(server));
    const { body } = await startLogin(server);
    const result = usePasskey(passkey, body, toOrigin(server));
    expect(await authenticate(server, result, { session_id: 'x.y' })).toMatchObject({
      status: 400,
      body: { message: 'Session not found' },
    });
    expect(await authenticate(server, result, { org_id: 'none' })).toMatchObject({ status: 400 });
    expect((await authenticate(server, result)).status).toBe(200);
  });

  test('the error for a passkey login with an unknown client states the reason', async () => {
    expect(await startLogin(server, { client_id: 'unknown' })).toMatchObject({
      status: 400,
      body: { message: 'client_id: is unknown' },
    });
  });
});

describe('listing, renaming and removing passkeys', () => {
  const credentials = (userId: string, id = '') =>
    `/v1/users/${userId}/webauthn-credentials${id && `/${id}`}`;

  /** Returns what undoing each change to the credentials of a user requires. */
  async function readUndoConditions(userId: string) {
    const { userRecords } = await server.ports(['userRecords']);
    return (await userRecords.find(userId))?.changes.map(({ undoCondition }) => undoCondition);
  }

  test('a user can list, rename and remove only their own passkeys', async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const passkey = await registerPasskey(server, ann);
    const id = passkey.id.toString('base64url');
    const token = ann.tokens.access_token;
    const { user_id: userId } = ann.user;

    const listed = await server.get<{ result: object[] }>(credentials(userId), { token });
    expect(listed.body.result).toEqual([
      {
        credential_id: id,
        rp_id: 'localhost',
        aaguid: '00000000-0000-0000-0000-000000000000',
        transports: ['internal', 'hybrid'],
        backup_eligible: true,
        backed_up: true,
        created_at: expect.any(String),
      },
    ]);
    const stranger = { token: bob.tokens.access_token };
    expect((await server.get(credentials(userId), stranger)).status).toBe(404);
    expect((await server.put(credentials(userId, id), { name: 'x' }, stranger)).status).toBe(404);
    expect((await server.delete(credentials(userId, id), stranger)).status).toBe(404);
    expect((await server.delete(credentials(bob.user.user_id, id), stranger)).status).toBe(404);

    const renamed = await server.put(credentials(userId, id), { name: 'Phone' }, { token });
    expect(renamed).toMatchObject({ status: 200, body: { result: { credential_id: id, name: 'Phone' } } });
    const { tokens } = await withBothFactors(server, ann, passkey);
    const both = { token: tokens.access_token };
    expect((await server.delete(credentials(userId, id), both)).status).toBe(204);
    expect(await readUndoConditions(userId)).toEqual(['kind']);
    expect(await login(server, passkey)).toMatchObject(invalid);
    expect((await server.delete(credentials(userId, id), both)).status).toBe(404);
    expect((await server.get(credentials(userId), { token })).body).toEqual({ result: [] });
  });

  test('clients and operators can list, rename and remove the passkeys of their tenant’s users', async () => {
    const person = await newPerson(server);
    const { id } = await registerPasskey(server, person);
    const path = credentials(person.user.user_id, id.toString('base64url'));
    for (const token of [await server.clientToken(), await server.adminToken()]) {
      expect((await server.get(credentials(person.user.user_id), { token })).status).toBe(200);
      expect((await server.put(path, { name: 'Key' }, { token })).status).toBe(200);
    }
    expect((await server.delete(path, { token: await server.adminToken() })).status).toBe(204);
    expect(await readUndoConditions(person.user.user_id)).toEqual(['link']);
  });

  test("erasing a user erases the user's passkeys", async () => {
    const [ann, bob] = [await newPerson(server), await newPerson(server)];
    const passkey = await registerPasskey(server, ann);
    await server.delete(`/v1/users/${ann.user.user_id}`, { token: await server.clientToken() });
    expect(await login(server, passkey)).toMatchObject(invalid);
    expect((await registerPasskey(server, bob, { id: passkey.id })).id).toEqual(passkey.id);
  });
});
