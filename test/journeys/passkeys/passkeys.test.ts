import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { withApplication } from '../../support/fixtures/application.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import {
  authenticate,
  login,
  newPerson,
  originOf,
  register,
  registerPasskey,
  startLogin,
  startRegistration,
} from '../../support/fixtures/passkeys.ts';
import { storeMember } from '../../support/fixtures/realm.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useWorld } from '../../support/server/use-test-server.ts';
import { createPasskey, FLAGS, usePasskey } from '../../support/tools/software-authenticator.ts';

const world = useWorld({ rateLimits: 'off' });

const invalid = { status: 400, body: { message: 'Invalid passkey', error_code: 400 } };
const { USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP } = FLAGS;

describe('registration', () => {
  test('a person registers a passkey and logs in with it, without saying who they are', async () => {
    const person = await newPerson(world);
    const started = await startRegistration(world, person);
    const { passkey, result } = createPasskey(started, originOf(world));
    const registered = await register(world, person, result);
    expect(registered).toMatchObject({
      status: 200,
      body: {
        credential_id: passkey.id.toString('base64url'),
        user_id: person.user.user_id,
        user_identifier: person.email,
      },
    });

    const answer = await login(world, passkey);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('signing_artifacts');
    const { payload } = await verifyToken(world, answer.body.id_token, world.environment.client_id);
    expect(payload).toMatchObject({ sub: person.user.user_id, amr: ['webauthn'] });
  });

  test.each([[-7], [-8], [-257]] as const)(
    'N103 algorithm %d is offered, registered and verified',
    async (alg) => {
      const person = await newPerson(world);
      const offered = (await startRegistration(world, person)).credential_creation_options.pubKeyCredParams;
      expect(offered.map((each) => each.alg)).toContain(alg);
      const passkey = await registerPasskey(world, person, { alg });
      expect((await login(world, passkey)).status).toBe(200);
    },
  );

  test('options have their binary fields in standard base64, and exclude what the person has', async () => {
    const person = await newPerson(world);
    const first = await registerPasskey(world, person, {
      id: Buffer.from(`${'f'.repeat(31)}\xff\xfe`, 'latin1'),
    });
    const { credential_creation_options: options } = await startRegistration(world, person);
    expect(options.challenge).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(options.user.id).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([first.id.toString('base64')]);
    expect(options).toMatchObject({
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test.each(['base64', 'base64url'] as const)('binary fields are taken in %s', async (format) => {
    const passkey = await registerPasskey(world, await newPerson(world), { format });
    expect((await login(world, passkey, { format })).status).toBe(200);
  });

  test('N104 a credential ID has one owner, and at most 1023 bytes', async () => {
    const [one, other] = [await newPerson(world), await newPerson(world)];
    const { id } = await registerPasskey(world, one);
    for (const person of [one, other]) {
      const again = createPasskey(await startRegistration(world, person), originOf(world), { id });
      expect(await register(world, person, again.result)).toMatchObject({
        status: 409,
        body: { message: 'The passkey is registered already' },
      });
    }
    const long = createPasskey(await startRegistration(world, other), originOf(world), {
      id: randomBytes(1024),
    });
    expect(await register(world, other, long.result)).toMatchObject(invalid);
    const longest = await registerPasskey(world, other, { id: randomBytes(1023) });
    expect((await login(world, longest)).status).toBe(200);
  });

  test('N105 the user handle tells nothing of the person and is the same for all their passkeys', async () => {
    const person = await newPerson(world);
    const handles = await Promise.all(
      [1, 2].map(async () => (await startRegistration(world, person)).credential_creation_options.user.id),
    );
    const bytes = Buffer.from(handles[0] ?? '', 'base64');
    expect(handles[1]).toBe(handles[0]);
    expect(bytes).toHaveLength(32);
    expect(bytes.toString('latin1')).not.toContain(person.user.user_id);
    const stranger = await startRegistration(world, await newPerson(world));
    expect(stranger.credential_creation_options.user.id).not.toBe(handles[0]);
  });

  test.each([
    ['a wrong origin', { origin: 'https://evil.example' }],
    ['a wrong RP ID', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['the type of a login', { type: 'webauthn.get' }],
    ['a page framed by another origin', { client: { crossOrigin: true } }],
    ['a top origin', { client: { topOrigin: 'https://evil.example' } }],
    ['no user verification', { flags: USER_PRESENT | BACKUP_ELIGIBLE }],
    ['no user presence', { flags: USER_VERIFIED }],
    ['N102 a backup of what cannot be backed up', { flags: USER_PRESENT | USER_VERIFIED | BACKED_UP }],
  ])('N101 refused: %s', async (_title, deviation) => {
    const person = await newPerson(world);
    const made = createPasskey(await startRegistration(world, person), originOf(world), deviation);
    expect(await register(world, person, made.result)).toMatchObject(invalid);
    expect(await login(world, made.passkey)).toMatchObject(invalid);
  });

  test('N100 of one result that comes many times one is registered; another person cannot use it', async () => {
    const person = await newPerson(world);
    const made = createPasskey(await startRegistration(world, person), originOf(world));
    expect(await register(world, await newPerson(world), made.result)).toMatchObject(invalid);
    const answers = await atOnce(8, () => register(world, person, made.result));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  test.each([['%%%'], ['eA=='], [Buffer.from('{"webauthnSessionId":"a"}').toString('base64')]])(
    'a result that is none (%s) is told what is wrong with it',
    async (result) => {
      const person = await newPerson(world);
      const message = expect.stringMatching(/^webauthn_encoded_result: /);
      expect(await register(world, person, result)).toMatchObject({ status: 400, body: { message } });
      expect(await authenticate(world, result)).toMatchObject({ status: 400, body: { message } });
    },
  );

  test('a token that was taken back registers nothing', async () => {
    const person = await newPerson(world);
    const made = createPasskey(await startRegistration(world, person), originOf(world));
    await world.request('/v1/auth/logout', { method: 'POST', token: person.tokens.access_token });
    expect((await register(world, person, made.result)).status).toBe(401);
  });

  test('a backend registers a passkey for a user whom it knows by itself', async () => {
    const { user } = await newPerson(world);
    const token = await world.clientToken();
    const start = (fields: object) =>
      world.post<Awaited<ReturnType<typeof startRegistration>>>('/v1/auth/webauthn/register/start', fields, {
        token,
      });
    const started = await start({ user_id: user.user_id, username: 'ann', display_name: 'Ann Lee' });
    expect(started.body.credential_creation_options.user).toMatchObject({
      name: 'ann',
      displayName: 'Ann Lee',
    });
    const { passkey, result } = createPasskey(started.body, originOf(world));
    const answer = await world.post(
      '/v1/auth/webauthn/external/register',
      { webauthn_encoded_result: result },
      { token },
    );
    expect(answer).toMatchObject({ status: 200, body: { user_id: user.user_id, user_identifier: 'ann' } });
    expect((await login(world, passkey)).status).toBe(200);
    expect(await start({})).toMatchObject({ status: 400, body: { message: 'user_id: is required' } });
    expect(await start({ user_id: 'nobody' })).toMatchObject({ status: 404 });
  });
});

describe('login', () => {
  test.each([
    ['a wrong origin', { origin: 'https://evil.example' }],
    ['a wrong RP ID', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['a page framed by another origin', { client: { crossOrigin: true } }],
    ['no user verification', { flags: USER_PRESENT | BACKUP_ELIGIBLE }],
    ['no user presence', { flags: USER_VERIFIED | BACKUP_ELIGIBLE }],
    ['N102 a backup of what cannot be backed up', { flags: USER_PRESENT | USER_VERIFIED | BACKED_UP }],
    ['N102 what could be backed up and now cannot', { flags: USER_PRESENT | USER_VERIFIED }],
    ['another signature', { signature: randomBytes(70) }],
    ['N105 no user handle', { userHandle: null }],
    ["N105 another user's handle", { userHandle: randomBytes(32).toString('base64url') }],
  ])('N101 refused: %s; the challenge is still good for the honest answer', async (_title, deviation) => {
    const passkey = await registerPasskey(world, await newPerson(world));
    const { body } = await startLogin(world);
    const origin = originOf(world);
    expect(await authenticate(world, usePasskey(passkey, body, origin, deviation))).toMatchObject(invalid);
    expect((await authenticate(world, usePasskey(passkey, body, origin))).status).toBe(200);
  });

  test("N105 another person's handle on one's own passkey is refused", async () => {
    const [mine, theirs] = [
      await registerPasskey(world, await newPerson(world)),
      await registerPasskey(world, await newPerson(world)),
    ];
    expect(await login(world, mine, { userHandle: theirs.userHandle })).toMatchObject(invalid);
  });

  test('N100 a challenge has 32 random bytes, counts once, and for 5 minutes', async () => {
    const passkey = await registerPasskey(world, await newPerson(world));
    const { body } = await startLogin(world);
    const { challenge } = body.credential_request_options;
    expect(Buffer.from(challenge, 'base64')).toHaveLength(32);
    expect((await startLogin(world)).body.credential_request_options.challenge).not.toBe(challenge);
    const result = usePasskey(passkey, body, originOf(world));
    const answers = await atOnce(8, () => authenticate(world, result));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await authenticate(world, result)).toMatchObject(invalid);

    const late = usePasskey(passkey, (await startLogin(world)).body, originOf(world));
    await world.advanceClock(301);
    expect(await authenticate(world, late)).toMatchObject(invalid);
  });

  test('N106 a counter that does not rise is refused; zero is no counter', async () => {
    const counting = await registerPasskey(world, await newPerson(world), { count: 5 });
    expect((await login(world, counting, { count: 6 })).status).toBe(200);
    for (const count of [6, 5, 1, 0]) expect(await login(world, counting, { count })).toMatchObject(invalid);
    expect((await login(world, counting, { count: 100 })).status).toBe(200);
    const synced = await registerPasskey(world, await newPerson(world));
    for (const _ of [1, 2]) expect((await login(world, synced)).status).toBe(200);
    expect((await login(world, synced, { count: 1 })).status).toBe(200);
    expect(await login(world, synced, { count: 0 })).toMatchObject(invalid);
  });

  test('N107 the options are the same for everybody, whoever is named', async () => {
    const person = await newPerson(world);
    await registerPasskey(world, person);
    const shape = async (fields: Readonly<Record<string, unknown>>) => {
      world.resetMetrics();
      const { status, body } = await startLogin(world, fields);
      const { challenge, ...options } = body.credential_request_options;
      const calls = Object.values(world.metrics()).flatMap(({ last }) => last.calls);
      return { status, options, length: challenge.length, calls: calls.length };
    };
    const known = await shape({ username: person.email });
    expect(known.options.allowCredentials).toEqual([]);
    expect(await shape({ username: 'nobody@example.com' })).toEqual(known);
    expect(await shape({})).toEqual(known);
  });

  test('whoever is named must be who logs in', async () => {
    const [ann, bob] = [await newPerson(world), await newPerson(world)];
    const passkey = await registerPasskey(world, ann);
    for (const username of [ann.email, ann.email.toUpperCase(), ann.user.user_id])
      expect((await login(world, passkey, { start: { username } })).status).toBe(200);
    for (const username of [bob.email, 'nobody@example.com'])
      expect(await login(world, passkey, { start: { username } })).toMatchObject(invalid);
  });

  test('a passkey is a second factor of a session that a code has begun', async () => {
    const person = await newPerson(world);
    const passkey = await registerPasskey(world, person);
    const answer = await login(world, passkey, { fields: { session_id: person.tokens.session_id } });
    expect(answer.body.session_id).toBe(person.tokens.session_id);
    expect(decodeJwt(answer.body.id_token)).toMatchObject({ acr: 'mfa', amr: ['otp', 'webauthn', 'mfa'] });
  });

  test('the tokens are for the organization and the resource that are asked for', async () => {
    const person = await newPerson(world);
    const passkey = await registerPasskey(world, person);
    const { organizationId: org_id } = await storeMember(world, { userId: person.user.user_id });
    const client = await world.clientToken();
    const { uri } = await made<{ uri: string }>(world, '/v1/resources', resourceFields(), client);
    const { body } = await login(world, passkey, { fields: { org_id, resource: uri } });
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: uri, org_id });
  });

  test('what is wrong besides is told only to whoever has signed, and burns nothing', async () => {
    const passkey = await registerPasskey(world, await newPerson(world));
    const { body } = await startLogin(world);
    const result = usePasskey(passkey, body, originOf(world));
    expect(await authenticate(world, result, { session_id: 'x.y' })).toMatchObject({
      status: 400,
      body: { message: 'Session not found' },
    });
    expect(await authenticate(world, result, { org_id: 'none' })).toMatchObject({ status: 400 });
    expect((await authenticate(world, result)).status).toBe(200);
  });

  test('a disabled user cannot log in', async () => {
    const person = await newPerson(world);
    const passkey = await registerPasskey(world, person);
    const token = await world.clientToken();
    await world.put(`/v1/users/${person.user.user_id}`, { status: 'Disabled' }, { token });
    expect(await login(world, passkey)).toMatchObject({
      status: 403,
      body: { message: 'User is not active' },
    });
  });

  test('an unknown client is told so', async () => {
    expect(await startLogin(world, { client_id: 'nobody' })).toMatchObject({
      status: 400,
      body: { message: 'client_id: is unknown' },
    });
  });
});

describe('origins', () => {
  const shop = 'https://shop.example';
  const android = `android:apk-key-hash:${randomBytes(32).toString('base64url')}`;

  test("pages of the application's origins may read the options, others may not", async () => {
    await withApplication(world, { origins: [shop, android] }, async () => {
      const read = async (origin: string) => {
        const { headers } = await startLogin(world, {}, { origin });
        return { allowed: headers.get('access-control-allow-origin'), vary: headers.get('vary') };
      };
      for (const origin of [shop, originOf(world)])
        expect(await read(origin)).toEqual({ allowed: origin, vary: 'Origin' });
      for (const origin of ['https://evil.example', 'null', `${shop}:8443`])
        expect(await read(origin)).toEqual({ allowed: null, vary: 'Origin' });
    });
  });

  test('passkeys are used at each of them, an Android application included', async () => {
    const passkey = await registerPasskey(world, await newPerson(world));
    expect(await login(world, passkey, { origin: android })).toMatchObject(invalid);
    await withApplication(world, { origins: [shop, android] }, async () => {
      for (const origin of [shop, android, originOf(world)])
        expect((await login(world, passkey, { origin })).status).toBe(200);
    });
  });

  test('the RP ID is fixed by the first passkey', async () => {
    await registerPasskey(world, await newPerson(world));
    const { applicationRecords } = await world.ports(['applicationRecords']);
    expect(await applicationRecords.find(world.environment.app_id)).toMatchObject({ fixedRpId: 'localhost' });
  });
});

describe('N108 the list of related origins', () => {
  const path = () => `${new URL(world.environment.base_url).origin}/.well-known/webauthn`;

  test('has what applications use our RP ID from elsewhere, as JSON that every page may read', async () => {
    const origins = [
      'https://shop.example',
      'https://a.localhost',
      'android:apk-key-hash:x',
      'https://shop.example:8443',
    ];
    await withApplication(world, { origins }, async () => {
      const answer = await world.get(path());
      expect(answer).toMatchObject({
        status: 200,
        body: { origins: ['https://shop.example', 'https://shop.example:8443'] },
      });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });
  });

  test('has as many hosts as browsers honour, and none of another RP ID', async () => {
    const origins = Array.from({ length: 7 }, (_, n) => `https://shop-${n}.example`);
    await withApplication(world, { origins }, async () => {
      expect((await world.get(path())).body).toEqual({ origins: origins.slice(0, 5) });
    });
    await withApplication(world, { origins, rpId: 'elsewhere.example' }, async () => {
      expect((await world.get(path())).body).toEqual({ origins: [] });
    });
    expect((await world.get(path())).body).toEqual({ origins: [] });
  });
});

describe('administration', () => {
  const credentials = (userId: string, id = '') =>
    `/v1/users/${userId}/webauthn-credentials${id && `/${id}`}`;

  test('a person lists, names and removes their passkeys, and nobody elses', async () => {
    const [ann, bob] = [await newPerson(world), await newPerson(world)];
    const passkey = await registerPasskey(world, ann);
    const id = passkey.id.toString('base64url');
    const token = ann.tokens.access_token;
    const { user_id: userId } = ann.user;

    const listed = await world.get<{ result: object[] }>(credentials(userId), { token });
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
    expect((await world.get(credentials(userId), stranger)).status).toBe(404);
    expect((await world.put(credentials(userId, id), { name: 'x' }, stranger)).status).toBe(404);
    expect((await world.delete(credentials(userId, id), stranger)).status).toBe(404);
    expect((await world.delete(credentials(bob.user.user_id, id), stranger)).status).toBe(404);

    const renamed = await world.put(credentials(userId, id), { name: 'Phone' }, { token });
    expect(renamed).toMatchObject({ status: 200, body: { result: { credential_id: id, name: 'Phone' } } });
    expect((await world.delete(credentials(userId, id), { token })).status).toBe(204);
    expect(await login(world, passkey)).toMatchObject(invalid);
    expect((await world.delete(credentials(userId, id), { token })).status).toBe(404);
    expect((await world.get(credentials(userId), { token })).body).toEqual({ result: [] });
  });

  test('clients and operators do the same for users of their tenant', async () => {
    const person = await newPerson(world);
    const { id } = await registerPasskey(world, person);
    const path = credentials(person.user.user_id, id.toString('base64url'));
    for (const token of [await world.clientToken(), await world.adminToken()]) {
      expect((await world.get(credentials(person.user.user_id), { token })).status).toBe(200);
      expect((await world.put(path, { name: 'Key' }, { token })).status).toBe(200);
    }
    expect((await world.delete(path, { token: await world.adminToken() })).status).toBe(204);
  });

  test('whoever erases a user erases their passkeys, and the credential ID is free again', async () => {
    const [ann, bob] = [await newPerson(world), await newPerson(world)];
    const passkey = await registerPasskey(world, ann);
    await world.delete(`/v1/users/${ann.user.user_id}`, { token: await world.clientToken() });
    expect(await login(world, passkey)).toMatchObject(invalid);
    expect((await registerPasskey(world, bob, { id: passkey.id })).id).toEqual(passkey.id);
  });
});
