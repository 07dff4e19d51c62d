import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  decodeClaims,
  leftTo,
  readHeading,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { askForOptions, passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import { type CreationAnswer, toOrigin } from '../../support/fixtures/passkeys.ts';
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { createPasskey, FLAGS, usePasskey } from '../../support/tools/software-authenticator.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

type Fields = Readonly<Record<string, string | undefined>>;

const { address, begin } = passkeyLogin(server, login);

describe('passkey created during a sign-up on the hosted page', () => {
  /** Runs a login up to the offer of a passkey. */
  async function toOffer(email: string, change: Fields = {}) {
    const jar = login.browser();
    const sent = await (await jar.open(address(change))).submit({ identifier: email, method: 'email' });
    const page = await sent.submit({ passcode: await server.codeTo(email) });
    const options = (await askForOptions<CreationAnswer>(jar, page)).body;
    return { jar, page, options };
  }

  test('a passkey created during a sign-up is stored with the user when the authorization code is exchanged', async () => {
    const email = newEmail();
    const { page, options } = await toOffer(email);
    const { passkey, result } = createPasskey(options, toOrigin(server));
    const target = leftTo(await page.submit({ credential: result }));
    expect(await dumpTable('people')).not.toContain(passkey.id.toString('base64url'));
    const { body } = await login.exchange(target, { code_verifier: undefined });
    const { sub } = decodeClaims(body.id_token);
    expect(await dumpTable('people')).toContain(passkey.id.toString('base64url'));

    const { page: next, options: login2 } = await begin();
    const again = leftTo(await next.submit({ credential: usePasskey(passkey, login2, toOrigin(server)) }));
    const second = await login.exchange(again, { code_verifier: undefined });
    expect(decodeClaims(second.body.id_token)).toMatchObject({ sub, email, amr: ['webauthn'] });
  });

  test('N101 during a sign-up, a passkey response with a wrong origin or challenge is rejected', async () => {
    const email = newEmail();
    const { page, options } = await toOffer(email);
    for (const deviation of [
      { origin: 'https://evil.example' },
      { flags: FLAGS.USER_PRESENT },
      { challenge: randomBytes(32).toString('base64url') },
    ]) {
      const { result } = createPasskey(options, toOrigin(server), deviation);
      const refused = await page.submit({ credential: result });
      expect(readPageError(refused)).toBe(
        'The passkey couldn’t be saved. Try again, or continue without one.',
      );
    }
    const target = leftTo(await page.submit({}, '/later'));
    const { body } = await login.exchange(target, { code_verifier: undefined });
    expect(decodeClaims(body.id_token)).toMatchObject({ email, new_user: true });
  });

  test('a direct passkey login page shows unknown users the same text whether or not sign-up is allowed', async () => {
    const email = newEmail();
    const ask = async (change: Fields) => {
      const page = await login.browser().open(address(change));
      return (await page.submit({ identifier: email, method: 'email' })).html.includes(
        'a code is on its way',
      );
    };
    expect(await ask({ create_new_user: 'false' })).toBe(true);
    await withApplication(server, { publicSignup: false }, async () => {
      expect(await ask({ create_new_user: 'true' })).toBe(true);
    });
    expect(await server.messages({ to: email })).toEqual([]);
  });
});

test('no passkey is offered to a user whose second factor the application does not accept', async () => {
  const [email, phone_number] = [newEmail(), newPhoneNumber()];
  await createProvenUser(server, { email, phone_number });
  const logIn = async () => {
    const sent = await (await login.browser().open(address())).submit({ identifier: email, method: 'email' });
    return sent.submit({ passcode: await server.codeTo(email) });
  };
  expect((await logIn()).html).toContain('value="sms"');
  const { applicationRecords } = await server.ports(['applicationRecords']);
  const application = await applicationRecords.find(server.environment.app_id);
  const { sms: _, ...loginPreferences } = application?.loginPreferences ?? {};
  await withApplication(server, { loginPreferences }, async () => {
    leftTo(await logIn());
  });
});

describe('when the RP ID of an application becomes permanent', () => {
  const newApplication = () =>
    storeApplication(server, { publicSignup: true, loginPreferences: { email: {}, passkey: {} } });
  const fixRpId = async (applicationId: string) => {
    const { applicationRecords } = await server.ports(['applicationRecords.find']);
    return (await applicationRecords.find(applicationId))?.fixedRpId;
  };
  /** Logs in with an email code and creates the offered passkey. Returns the redirect to the client, which has the code. */
  async function withPasskey(email: string, client_id: string): Promise<URL> {
    const jar = login.browser();
    const page = await jar.open(address({ client_id }));
    const sent = await page.submit({ identifier: email, method: 'email' });
    const offer = await sent.submit({ passcode: await server.codeTo(email) });
    const { body: options } = await askForOptions<CreationAnswer>(jar, offer);
    return leftTo(await offer.submit({ credential: createPasskey(options, toOrigin(server)).result }));
  }

  test('creating the first passkey during a login makes the RP ID of the application permanent', async () => {
    const { application, clientId } = await newApplication();
    const email = newEmail();
    await createUser(server, { email });
    await withPasskey(email, clientId);
    expect(await fixRpId(application.applicationId)).toBe('localhost');
  });

  test('exchanging the code of a sign-up with a passkey makes the RP ID of the application permanent', async () => {
    const { application, clientId, clientSecret } = await newApplication();
    const target = await withPasskey(newEmail(), clientId);
    expect(await fixRpId(application.applicationId)).toBeUndefined();
    const code = target.searchParams.get('code');
    const fields = { code, client_id: clientId, client_secret: clientSecret };
    const { status, body } = await server.post<Record<string, string>>('/v1/token', fields);
    expect({ status, body }).toMatchObject({ status: 200, body: { is_user_created: true } });
    expect(await fixRpId(application.applicationId)).toBe('localhost');
    const { passkeyRecords } = await server.ports(['passkeyRecords.listOf']);
    expect(await passkeyRecords.listOf(String(decodeClaims(body.id_token ?? '').sub))).toHaveLength(1);
  });

  test('the first passkey that a backend registers makes the RP ID of the application permanent', async () => {
    const { application, ...client } = await newApplication();
    const { user_id } = await createUser(server, { email: newEmail() });
    const options = { token: await server.clientToken(client) };
    const path = '/v1/auth/webauthn/register/start';
    const { body } = await server.post<CreationAnswer>(path, { user_id, username: 'ann' }, options);
    const fields = { webauthn_encoded_result: createPasskey(body, toOrigin(server)).result };
    expect((await server.post('/v1/auth/webauthn/external/register', fields, options)).status).toBe(200);
    expect(await fixRpId(application.applicationId)).toBe('localhost');
  });
});

describe('hosted page for registering a passkey', () => {
  const hint = async (fields: Fields) =>
    server.post<{ register_webauthn_cred_token: string }>(
      '/v1/auth/webauthn/external/register/hosted/hint',
      { redirect_uri: login.redirectUri, ...fields },
      { token: await server.clientToken() },
    );
  const toPageUrl = (token: string) =>
    `${server.environment.base_url}/hosted/passkey/passkey-registration?register_webauthn_cred_token=${token}`;

  test('a hosted passkey registration redirects to the client with the user and the credential ID', async () => {
    const email = newEmail();
    const { user_id: userId } = await createProvenUser(server, { email, external_user_id: 'ext-1' });
    const { status, body } = await hint({ webauthn_identifier: email });
    expect([status, Object.keys(body)]).toEqual([200, ['register_webauthn_cred_token']]);
    const jar = login.browser();
    await jar.open(toPageUrl(body.register_webauthn_cred_token));
    const page = await jar.open(toPageUrl(body.register_webauthn_cred_token));
    const options = (await askForOptions<CreationAnswer>(jar, page)).body;
    expect(options.credential_creation_options.user.name).toBe(email);
    const { passkey, result } = createPasskey(options, toOrigin(server));
    const target = leftTo(await page.submit({ credential: result }));
    expect(Object.fromEntries(target.searchParams)).toEqual({
      user_identifier: email,
      external_user_id: 'ext-1',
      credential_id: passkey.id.toString('base64url'),
    });
    const next = await begin();
    const taken = await next.page.submit({ credential: usePasskey(passkey, next.options, toOrigin(server)) });
    const { body: tokens } = await login.exchange(leftTo(taken), { code_verifier: undefined });
    expect(decodeClaims(tokens.id_token).sub).toBe(userId);
  });

  test('the token of a hosted passkey registration is valid for 5 minutes and in only one browser', async () => {
    const { user_id: userId } = await createUser(server, { email: newEmail() });
    const token = (await hint({ webauthn_identifier: userId })).body.register_webauthn_cred_token;
    const jar = login.browser();
    const page = await jar.open(toPageUrl(token));
    expect((await login.browser().open(toPageUrl(token))).status).toBe(404);
    expect((await page.submit({}, '/later')).left?.search).toContain('error=access_denied');
    expect([...jar.cookies.keys()]).toEqual(['__Host-browser']);
    const second = (await hint({ webauthn_identifier: userId })).body.register_webauthn_cred_token;
    await server.advanceClock(301);
    for (const bad of [second, 'unknown', '']) expect((await jar.open(toPageUrl(bad))).status).toBe(404);
    // A registration token is not accepted as a request_uri.
    const third = (await hint({ webauthn_identifier: userId })).body.register_webauthn_cred_token;
    const requestUri = `urn:ietf:params:oauth:request_uri:${third}`;
    const { client_id } = server.environment;
    const query = new URLSearchParams({ client_id, request_uri: requestUri });
    expect((await jar.open(`${server.environment.issuer}/auth?${query}`)).status).toBe(400);
  });

  test('a hosted passkey registration for an unknown user creates the user together with the passkey', async () => {
    const [email, external_user_id] = [newEmail(), `crm-${newEmail()}`];
    const fields = { webauthn_identifier: 'ann', webauthn_display_name: 'Ann Lee', external_user_id };
    const { status, body } = await hint({ ...fields, user_email: email });
    expect(status).toBe(200);
    const jar = login.browser();
    const page = await jar.open(toPageUrl(body.register_webauthn_cred_token));
    const options = (await askForOptions<CreationAnswer>(jar, page)).body;
    expect(options.credential_creation_options.user).toMatchObject({ name: 'ann', displayName: 'Ann Lee' });
    expect(await dumpTable('people')).not.toContain(external_user_id);
    const { passkey, result } = createPasskey(options, toOrigin(server));
    const target = leftTo(await page.submit({ credential: result }));
    expect(Object.fromEntries(target.searchParams)).toEqual({
      user_identifier: 'ann',
      external_user_id,
      credential_id: passkey.id.toString('base64url'),
      is_user_created: 'true',
    });
    const next = await begin();
    const taken = await next.page.submit({ credential: usePasskey(passkey, next.options, toOrigin(server)) });
    // The backend has set the address, which is not yet verified.
    expect(readHeading(taken)).toBe('Verify your email');
    const sent = await taken.submit({ method: 'email' });
    const end = leftTo(await sent.submit({ passcode: await server.codeTo(email) }));
    const { body: tokens } = await login.exchange(end, { code_verifier: undefined });
    expect(decodeClaims(tokens.id_token)).toMatchObject({ email, email_verified: true });

    // A second registration with the same external ID finds this user.
    const again = await hint(fields);
    const second = await jar.open(toPageUrl(again.body.register_webauthn_cred_token));
    const more = (await askForOptions<CreationAnswer>(jar, second)).body;
    const left = leftTo(await second.submit({ credential: createPasskey(more, toOrigin(server)).result }));
    expect(left.searchParams.get('is_user_created')).toBeNull();
  });

  test('a hosted passkey registration adds the passkey to a user whom the backend created in the meantime', async () => {
    const external_user_id = `crm-${newEmail()}`;
    const { body } = await hint({ webauthn_identifier: 'ann', external_user_id });
    const { user_id: userId } = await createProvenUser(server, { email: newEmail(), external_user_id });
    const jar = login.browser();
    const page = await jar.open(toPageUrl(body.register_webauthn_cred_token));
    const options = (await askForOptions<CreationAnswer>(jar, page)).body;
    const { passkey, result } = createPasskey(options, toOrigin(server));
    expect(leftTo(await page.submit({ credential: result })).searchParams.get('is_user_created')).toBeNull();
    const next = await begin();
    const taken = await next.page.submit({ credential: usePasskey(passkey, next.options, toOrigin(server)) });
    const { body: tokens } = await login.exchange(leftTo(taken), { code_verifier: undefined });
    expect(decodeClaims(tokens.id_token).sub).toBe(userId);
  });

  test('a hosted passkey registration creates no user if the application does not allow sign-up', async () => {
    const fields = { webauthn_identifier: 'ann', external_user_id: `crm-${newEmail()}` };
    expect((await hint({ webauthn_identifier: 'ann' })).status).toBe(404);
    const token = (await hint(fields)).body.register_webauthn_cred_token;
    await withApplication(server, { publicSignup: false }, async () => {
      expect((await hint(fields)).status).toBe(404);
      const jar = login.browser();
      const page = await jar.open(toPageUrl(token));
      const options = (await askForOptions<CreationAnswer>(jar, page)).body;
      const refused = await page.submit({ credential: createPasskey(options, toOrigin(server)).result });
      expect(readPageError(refused)).toBe(
        'The passkey couldn’t be saved. Try again, or continue without one.',
      );
    });
    expect(await dumpTable('people')).not.toContain(fields.external_user_id);
  });

  test.each<[string, Fields, number]>([
    ['an unknown user', { webauthn_identifier: 'unknown@example.com' }, 404],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/' }, 400],
    ['an external ID that differs from that of the user', { external_user_id: 'ext-3' }, 400],
  ])('a hosted passkey registration rejects %s', async (_title, change, status) => {
    const email = newEmail();
    await createUser(server, { email, external_user_id: 'ext-2' });
    const answer = await hint({ webauthn_identifier: email, ...change });
    expect([answer.status, answer.body]).toEqual([
      status,
      { error_code: status, message: expect.any(String) },
    ]);
  });
});
