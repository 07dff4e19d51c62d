import { describe, expect, test } from '@jest/globals';
import {
  createProvenUser,
  createUser,
  findUser,
  newEmail,
  newPhoneNumber,
} from '../../support/fixtures/people.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

const server = useTestServer();
const { sendOtp: send, authenticateOtp: authenticate, sentTo } = useBackend(server);

describe('SPEC A3 and A4: codes that the API returns to the backend', () => {
  test('a backend can log a user in with a code that the API returned to it', async () => {
    const email = newEmail();
    const user = await createUser(server, { email });
    const sent = await send({ identifier: email });
    expect(sent.status).toBe(200);
    expect(sent.body).toEqual({ message: 'OTP sent', code: expect.stringMatching(/^\d{6}$/) });

    const { status, body } = await authenticate({ identifier: email, passcode: sent.body.code });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(body.session_id.startsWith(user.user_id)).toBe(true);

    const { issuer, client_id, app_id, tenant_id } = server.environment;
    const access = await verifyToken(server, body.access_token, issuer);
    expect(access.header).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(access.payload).toMatchObject({
      sub: user.user_id,
      client_id,
      app_id,
      tid: tenant_id,
      sid: body.session_id,
      roles: [],
      amr: ['otp'],
    });
    const id = await verifyToken(server, body.id_token, client_id);
    expect(id.header.typ).toBe('JWT');
    expect(id.payload).toMatchObject({
      sub: user.user_id,
      email,
      email_verified: false,
      new_user: true,
      groups: [],
      amr: ['otp'],
    });
    expect((id.payload.exp ?? 0) - (id.payload.iat ?? 0)).toBe(3600);
    expect(id.payload).not.toHaveProperty('acr');
  });

  test("a user's second login is not reported as a login by a new user", async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    expect((await findUser(server, user_id)).status).toBe('Pending');
    for (const newUser of [true, false]) {
      const { body } = await send({ identifier: email });
      const login = await authenticate({ identifier: email, passcode: body.code });
      const { payload } = await verifyToken(server, login.body.id_token, server.environment.client_id);
      expect(payload.new_user).toBe(newUser);
    }
    const user = await findUser(server, user_id);
    expect(user).toMatchObject({ status: 'Active', last_auth: expect.any(String) });
    expect(user.email?.email_verified).toBe(false);
  });

  test.each([
    ['username', 'Some.Body', 'some.BODY'],
    ['phone_number', '+4915112345678', '+49 151 12345678'],
  ])('a code can be requested by %s regardless of letter case and spaces', async (type, stored, spelled) => {
    const field = type === 'username' ? { username: stored } : { phone_number: stored };
    await createUser(server, { email: newEmail(), ...field });
    const { body } = await send({ identifier_type: type, identifier: spelled });
    const login = await authenticate({ identifier_type: type, identifier: stored, passcode: body.code });
    expect(login.status).toBe(200);
  });

  test('a code can be requested by user ID or custom identifier', async () => {
    const { user_id } = await createUser(server, {
      email: newEmail(),
      custom_identifiers: [{ type: 'loyalty_card', value: 'AB-1' }],
    });
    const byId = await send({ identifier_type: 'user_id', identifier: user_id });
    expect(byId.status).toBe(200);
    expect((await send({ identifier_type: 'loyalty_card', identifier: 'AB-1' })).status).toBe(200);
    const other = await send({ identifier_type: 'loyalty_card', identifier: 'ab-1' });
    expect(other).toMatchObject({ status: 404, body: { error_code: 'user_not_found' } });
    const unknownType = await send({ identifier_type: 'badge', identifier: 'AB-1' });
    expect(unknownType).toMatchObject({ status: 404, body: { error_code: 'user_not_found' } });
  });

  test('the response and the ID token contain the data that the user approved with a code', async () => {
    const approval_data = { payee: 'ACME', amount: '200$' };
    const email = newEmail();
    await createUser(server, { email });
    const sent = await send({ identifier: email, approval_data });
    expect(sent.body.approval_data).toEqual(approval_data);
    const { body } = await authenticate({ identifier: email, passcode: sent.body.code });
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload.approval_data).toEqual(approval_data);
  });

  test('N117: a code with a generated request ID is accepted only with that request ID', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const sent = await send({ identifier: email, generate_request_id: true });
    const passcode = sent.body.code;
    const missing = await authenticate({ identifier: email, passcode });
    expect(missing).toMatchObject({ status: 400, body: { error_code: 'auth_invalid_credentials' } });
    const other = await authenticate({ identifier: email, passcode, request_id: 'another' });
    expect(other).toMatchObject({ status: 400, body: { error_code: 'auth_invalid_credentials' } });
    const right = await authenticate({ identifier: email, passcode, request_id: sent.body.request_id });
    expect(right.status).toBe(200);

    const plain = await send({ identifier: email });
    expect(plain.body).not.toHaveProperty('request_id');
    const ignored = await authenticate({ identifier: email, passcode: plain.body.code, request_id: 'any' });
    expect(ignored.status).toBe(200);
  });

  test('N117: wrong codes for one request ID do not lock out codes without a request ID', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const { request_id } = (await send({ identifier: email, generate_request_id: true })).body;
    const own = (await send({ identifier: email })).body.code;
    for (const passcode of ['one', 'two', 'three'])
      expect((await authenticate({ identifier: email, passcode, request_id })).status).toBe(400);
    expect((await authenticate({ identifier: email, passcode: own, request_id })).status).toBe(403);
    expect((await authenticate({ identifier: email, passcode: own })).status).toBe(200);
  });

  test('a code must be sent as a JSON string, which may contain a space, and not as a number', async () => {
    const email = newEmail();
    const passcode = await sentTo(email);
    const spaced = `${passcode.slice(0, 3)} ${passcode.slice(3)}`;
    expect((await authenticate({ identifier: email, passcode: Number(passcode) })).status).toBe(400);
    expect((await authenticate({ identifier: email, passcode: spaced })).status).toBe(200);
  });

  test('a code requested by one identifier type is rejected for another identifier type', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const { body } = await send({ identifier: email });
    const other = await authenticate({
      identifier_type: 'user_id',
      identifier: user_id,
      passcode: body.code,
    });
    expect(other.body.error_code).toBe('auth_invalid_credentials');
  });
});

describe('channels through which codes are sent', () => {
  test('a code sent by email logs the user in and verifies the email address', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email: email.toUpperCase() });
    const sent = await send({ identifier: email, channel: 'email' });
    expect(sent.body).toEqual({ message: 'OTP sent' });
    const [mail] = await server.messages({ to: email.toUpperCase() });
    const [passcode] = mail?.codes ?? [];
    const { body } = await authenticate({ identifier: email, passcode });
    const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
    expect(payload).toMatchObject({ amr: ['eotp'], email_verified: true });
    expect((await findUser(server, user_id)).email?.email_verified).toBe(true);
  });

  test.each([
    ['user with verified addresses', createProvenUser],
    ['user with unverified addresses', createUser],
  ])(
    'an SMS code in the session of an email code verifies the number and is a second factor (%s)',
    async (_title, create) => {
      const email = newEmail();
      const phone_number = newPhoneNumber();
      const { user_id } = await create(server, { email, phone_number });
      await send({ identifier: email, channel: 'email' });
      const first = await authenticate({ identifier: email, passcode: await server.codeTo(email) });
      await send({ identifier_type: 'phone_number', identifier: phone_number, channel: 'sms' });
      const [sms] = await server.messages({ to: phone_number });
      const second = await authenticate({
        identifier_type: 'phone_number',
        identifier: phone_number,
        passcode: sms?.codes[0],
        session_id: first.body.session_id,
      });
      expect(second.body.session_id).toBe(first.body.session_id);
      const { payload } = await verifyToken(server, second.body.id_token, server.environment.client_id);
      expect(payload).toMatchObject({ amr: ['eotp', 'sms', 'mfa'], acr: 'mfa' });
      expect((await findUser(server, user_id)).phone_number?.phone_number_verified).toBe(true);
    },
  );

  test('a code sent to the address in custom_email does not verify this address', async () => {
    const email = newEmail();
    const custom_email = newEmail('elsewhere');
    const { user_id } = await createUser(server, { email });
    await send({ identifier: email, channel: 'email', custom_email });
    expect(await server.messages({ to: email })).toHaveLength(0);
    const passcode = await server.codeTo(custom_email);
    expect((await authenticate({ identifier: email, passcode })).status).toBe(200);
    expect((await findUser(server, user_id)).email?.email_verified).toBe(false);
  });

  test('no code can be sent to a user without an email address or phone number', async () => {
    const email = newEmail();
    const phone_number = newPhoneNumber();
    await createUser(server, { email });
    await createUser(server, { phone_number });
    expect(await send({ identifier: email, channel: 'sms' })).toMatchObject({
      status: 404,
      body: { error_code: 'user_phone_number_missing' },
    });
    const noMail = await send({
      identifier_type: 'phone_number',
      identifier: phone_number,
      channel: 'email',
    });
    expect(noMail).toMatchObject({ status: 404, body: { error_code: 'user_email_address_missing' } });
  });

  test('a malformed field of a code request causes an error only if the chosen channel uses it', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const malformed = {
      custom_email: 'unknown',
      custom_phone_number: 'x',
      custom_sms_input: { sender_id: 'TwelveLetter' },
    };
    expect((await send({ identifier: email, ...malformed })).status).toBe(200);
    for (const [channel, field] of [
      ['email', 'custom_email'],
      ['sms', 'custom_sms_input'],
    ] as const) {
      const refused = await send({ identifier: email, channel, ...malformed });
      expect(refused).toMatchObject({ status: 400, body: { error_code: 'system_invalid_input' } });
      expect(refused.body.message).toContain(field);
    }
  });
});
