// The attacker has a client of a second application of the tenant (`side`), or reads a user's mailbox. Credentials added at the
// second application give no access to the main application and are not second factors there (NIST SP 800-63B-4 §4.1.2.1).
// Nor can the client change credentials of other applications.
import { describe, expect, test } from '@jest/globals';
import { useTenant } from '../stories/people.ts';
import { decodeClaims, hostedLogin, leftTo, readPageError } from '../support/fixtures/hosted-login.ts';
import { givePasskey } from '../support/fixtures/hosted-passkeys.ts';
import { made } from '../support/fixtures/managed.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { SoftwarePasskey } from '../support/tools/software-authenticator.ts';

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
const { main, side } = useTenant(server);
/** Creates a user with the role `finance-admin`. */
async function financeAdmin() {
  const [email, phone] = [newEmail('finance'), newPhoneNumber()];
  const fields = { email, phone_number: phone, roles: ['finance-admin'] };
  const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', fields);
  return { email, phone, userId };
}

const REFUSED = { status: 400, body: { error_code: 400, message: 'Invalid passkey' } };

describe('credential added at another application', () => {
  type Person = Awaited<ReturnType<typeof financeAdmin>>;
  type Attack = (person: Person) => ReturnType<typeof side.registerFor>;

  const attacks: readonly (readonly [string, Attack])[] = [
    [
      'a passkey added with a token of a `direct` login',
      async ({ userId }) => side.register(await side.direct(userId)),
    ],
    [
      'a passkey added after a code to an address chosen by the client',
      async ({ userId }) => {
        const [to, who] = [newEmail('attacker'), { identifier_type: 'user_id', identifier: userId }];
        await side.post('/v1/auth/otp/send', { channel: 'email', custom_email: to, ...who });
        const passcode = await server.codeTo(to);
        const { body } = await side.post('/v1/auth/otp/authenticate', { passcode, ...who });
        return side.register(body as never);
      },
    ],
    [
      'a second passkey added after a login with the first passkey',
      async ({ userId }) => {
        const first = await side.registerFor(userId);
        return side.register((await side.byPasskey(first.passkey)).body);
      },
    ],
    [
      'a passkey added after a login with a device key',
      async ({ userId }) => {
        const key = await side.deviceKey(await side.direct(userId));
        return side.register((await side.approve(userId, key)).body);
      },
    ],
  ];

  test.each(attacks)(
    'a credential that a second application added cannot be used to log in to the main application: %s',
    async (_title, attack) => {
      const person = await financeAdmin();
      const { status, passkey } = await attack(person);
      expect(status).toBe(200);
      expect(await main.byPasskey(passkey)).toMatchObject(REFUSED);
      expect(readPageError(await main.byPasskeyOnPage(login, passkey))).toBeDefined();

      expect((await side.byPasskey(passkey)).status).toBe(200);
      const own = await main.byCode(person.email);
      expect(decodeClaims(own.body.access_token)).toMatchObject({
        sub: person.userId,
        roles: ['finance-admin'],
      });
    },
  );

  test("the main application rejects a browser session that began with another application's passkey", async () => {
    const { userId, email } = await financeAdmin();
    // Verifies the email address, because a direct passkey login would otherwise ask the user to verify the address.
    await main.byCode(email);
    const { passkey } = await side.registerFor(userId);
    const jar = login.browser();
    leftTo(await side.byPasskeyOnPage(login, passkey, jar));
    expect((await jar.open(login.address())).left).toBeUndefined();
    const quiet = leftTo(await jar.open(login.address({ prompt: 'none' })));
    expect(quiet.searchParams.get('error')).toBe('login_required');

    const own = login.browser();
    await login.logIn(own, email, { client_id: side.clientId });
    expect(leftTo(await own.open(login.address({ prompt: 'none' }))).searchParams.has('code')).toBe(true);
  });

  test.each([
    ['a `direct` login', ({ userId }: Person) => side.direct(userId)],
    ['a login with an email code', async ({ email }: Person) => (await side.byCode(email)).body],
  ])(
    'a device key added at a second application after %s is rejected at the main application',
    async (_, tokensOf) => {
      const person = await financeAdmin();
      const { userId } = person;
      const key = await side.deviceKey(await tokensOf(person));
      const { status, body } = await main.approve(userId, key);
      expect([status, body]).toMatchObject([400, { message: 'Invalid approval' }]);
      const named = { user_id: userId, approval_data: { amount: '5' }, key_id: key.key_id };
      expect((await main.post('/v1/auth/approvals/start', named)).status).toBe(404);

      expect((await side.approve(userId, key)).status).toBe(200);
      const own = await main.deviceKey((await main.byCode((await financeAdmin()).email)).body);
      expect(own.key_id).toBeDefined();
    },
  );

  /** Logs in on the hosted pages of the second application with an email code and then the passkey. */
  async function byMailAndPasskey(email: string, passkey: SoftwarePasskey): Promise<void> {
    const jar = login.browser();
    const asked = await login.afterCode(jar, email, { client_id: side.clientId, acr_values: 'mfa' });
    leftTo(await givePasskey(server, jar, asked, passkey));
  }

  test('an email login to another application does not make its passkey tenant-wide for a user with a phone number', async () => {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number: phone });
    const { passkey } = await side.register((await side.byBoth(email, phone)).body);
    await byMailAndPasskey(email, passkey);
    expect(await main.byPasskey(passkey)).toMatchObject(REFUSED);
    expect((await side.byPasskey(passkey)).status).toBe(200);
  });
});

describe('passkey that an attacker who reads the mailbox adds at an application without MFA', () => {
  test.each([
    ['on the pages', (email: string) => side.registerOnPage(login, email)],
    [
      'through the API',
      async (email: string) => (await side.register((await side.byCode(email)).body)).passkey,
    ],
  ])(
    'the main application rejects a passkey that an attacker added %s of a second application after an email code',
    async (_, bind) => {
      const email = newEmail();
      await createProvenUser(server, { email });
      const { passkey: own } = await main.register((await main.byCode(email)).body);
      const passkey = await bind(email);
      expect((await side.byPasskey(passkey)).status).toBe(200);
      const { session_id } = (await main.byCode(email)).body;
      expect(await main.byPasskey(passkey, { session_id })).toMatchObject(REFUSED);
      const { status, body } = await main.byPasskey(own, { session_id });
      expect([status, decodeClaims(body.access_token).acr]).toEqual([200, 'mfa']);
    },
  );
});

describe('list and removal of credentials from another application', () => {
  const toCredentialPath = (userId: string, { id }: SoftwarePasskey) =>
    `/v1/users/${userId}/webauthn-credentials/${id.toString('base64url')}`;

  test('a client cannot list or remove credentials that another application has added', async () => {
    const email = newEmail();
    const { user_id: userId } = await createProvenUser(server, { email });
    const { body: owner } = await main.byCode(email);
    const key = await main.deviceKey(owner);
    const { passkey: ofMain } = await main.register(owner);
    const { access_token: own } = await side.direct(userId);
    const [client, name] = [await side.token(), { name: 'Mine now' }];
    const path = toCredentialPath(userId, ofMain);
    const ofUser = path.replace(userId, 'me');
    expect(await server.delete(path, { token: client })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('not limited to this application') },
    });
    expect((await server.put(path, name, { token: client })).status).toBe(403);
    for (const refused of [
      await server.delete(path, { token: own }),
      await server.delete(ofUser, { token: own }),
      await server.request(`${server.environment.base_url}${ofUser}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
        body: JSON.stringify(name),
      }),
      await server.delete(`/v1/auth/device-keys/${key.key_id}`, { token: own }),
    ])
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer error="insufficient_user_authentication", max_age=600',
      ]);
    expect((await main.byPasskey(ofMain)).status).toBe(200);
    expect((await main.approve(userId, key)).status).toBe(200);

    // A passkey can be removed by clients of the application that added it, by management clients and by the user.
    const { passkey: ofSide } = await side.registerFor(userId);
    expect((await server.put(toCredentialPath(userId, ofSide), name, { token: client })).status).toBe(200);
    expect((await server.delete(toCredentialPath(userId, ofSide), { token: client })).status).toBe(204);
    const { access_token: person } = (await side.byCode(email)).body;
    const keyPath = `/v1/auth/device-keys/${key.key_id}`;
    // A login with only an email code is not enough to remove credentials that were added at the main application.
    for (const refused of [ofUser, keyPath])
      expect((await server.delete(refused, { token: person })).status).toBe(401);
    const { session_id } = (await main.byCode(email)).body;
    const { access_token: both } = (await main.byPasskey(ofMain, { session_id })).body;
    expect((await server.delete(keyPath, { token: both })).status).toBe(204);
    expect((await server.put(path, name, { token: await server.adminToken() })).status).toBe(200);
    expect((await server.delete(path, { token: await main.token() })).status).toBe(204);
    const onPage = await side.registerOnPage(login, email);
    for (const token of [client, await main.token()])
      expect((await server.delete(toCredentialPath(userId, onPage), { token })).status).toBe(403);
    const admin = { token: await server.adminToken() };
    expect((await server.delete(toCredentialPath(userId, onPage), admin)).status).toBe(204);
  });
});
