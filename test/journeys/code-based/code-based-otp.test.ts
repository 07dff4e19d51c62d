import { describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_TRIES } from '../../../shared/domain/basis/limits.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt, codeBased, open, readRedirect } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { createUser, findUser, newEmail, newUser, useUpTries } from '../../support/fixtures/people.ts';
import { dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { storeMember, storeResource } from '../../support/fixtures/tenants.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const server = useTestServer();
const sectionC = useCodeBased(server);

describe('code-based login with a code sent by email or SMS', () => {
  test('a client can validate an email code and exchange the returned authorization code for tokens', async () => {
    const { email, user_id } = await newUser(server);
    const sent = await sectionC.sendEmailOtp({ email: ` ${email.toUpperCase()} ` });
    expect(sent).toMatchObject({ status: 200, body: { message: 'OTP email sent' } });
    expect(Object.keys(sent.body)).toEqual(['message']);

    const passcode = await server.codeTo(email);
    expect(passcode).toMatch(/^\d{6}$/);
    const validated = await sectionC.validateEmailOtp({ email, passcode });
    expect(validated).toMatchObject({ status: 200, body: { result: expect.any(String) } });
    const result = new URL(validated.body.result);
    expect(`${result.origin}${result.pathname}`).toBe(
      `${server.url.replace('127.0.0.1', 'localhost')}/v1/auth/resume`,
    );

    const followed = await open(result.href);
    expect(followed.status).toBe(302);
    expect(followed.headers.get('cache-control')).toBe('no-store');
    expect(followed.headers.get('referrer-policy')).toBe('no-referrer');
    expect(followed.headers.getSetCookie()).toEqual([]);
    const target = await readRedirect(followed);
    expect(`${target.origin}${target.pathname}`).toBe(sectionC.redirectUri());
    expect([...target.searchParams.keys()]).toEqual(['code']);

    const { status, body } = await sectionC.exchange(target.searchParams.get('code') ?? '');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      is_user_created: false,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      session_id: expect.stringMatching(new RegExp(`^${user_id}\\.`)),
    });
    const id = await sectionC.verifyIdToken(body);
    expect(id).toMatchObject({ sub: user_id, amr: ['eotp'], email, email_verified: true });
    expect(id).not.toHaveProperty('nonce');
    expect(id).not.toHaveProperty('acr');
    expect((await findUser(server, user_id)).email?.email_verified).toBe(true);
  });

  test('an SMS code is accepted regardless of how the phone number is formatted', async () => {
    const { phone_number, user_id } = await newUser(server);
    const sent = await sectionC.sendSmsOtp({
      phone_number: phone_number.replace(/^\+1(...)(...)/, '+1 ($1) $2-'),
    });
    expect(sent).toMatchObject({ status: 200, body: { message: 'SMS sent' } });
    const passcode = await server.codeTo(phone_number);
    const { body } = await sectionC.validateSmsOtp({ phone_number, passcode });
    const tokens = await sectionC.exchange(await codeAt(body.result));
    expect(tokens.body.is_user_created).toBe(false);
    expect(await sectionC.verifyIdToken(tokens.body)).toMatchObject({ sub: user_id, amr: ['sms'] });
    expect((await findUser(server, user_id)).phone_number?.phone_number_verified).toBe(true);
  });

  test('N057 a client that requires DPoP nonces gets no tokens without a nonce from the server', async () => {
    const client = await storeClient(server, { dpopNonce: true });
    const backend = codeBased(server, await server.clientToken(client));
    const email = newEmail();
    await createUser(server, { email });
    const code = await codeAt(await backend.resultByEmail(email));
    const key = newKey();
    const htu = `${server.environment.base_url}/v1/token`;
    const fields = { code, client_id: client.clientId, client_secret: client.clientSecret };
    const retrieve = (nonce?: string) => {
      const dpop = dpopProof(key, { htm: 'POST', htu, iat: Math.floor(Date.now() / 1000), nonce });
      return server.post('/v1/token', fields, { headers: { dpop } });
    };
    const refused = await retrieve();
    expect(refused.status).toBe(400);
    const nonce = refused.headers.get('dpop-nonce') ?? '';
    expect(await retrieve(nonce)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });
});

describe('URL that returns the result of a code-based login', () => {
  test('opening an expired or used result URL of a code-based login shows an error page that cannot be framed', async () => {
    const { email } = await newUser(server);
    const used = await sectionC.resultByEmail(email);
    await sectionC.exchange(await codeAt(used));
    const expired = await sectionC.resultByEmail(email);
    await server.advanceClock(61);
    for (const [address, status] of [
      [`${server.environment.base_url}/v1/auth/resume?code=unknown`, 404],
      [expired, 400],
      [used, 400],
    ] as const) {
      const page = await open(address, { headers: { accept: 'text/html', 'accept-language': 'de' } });
      expect([page.status, page.headers.get('location')]).toEqual([status, null]);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(await page.text()).toContain('lang="de"');
    }
  });

  test('N010 the authorization code in the result URL of a code-based login expires after 60 seconds', async () => {
    const { email } = await newUser(server);
    const code = await codeAt(await sectionC.resultByEmail(email));
    await server.advanceClock(60);
    expect((await sectionC.exchange(code)).status).toBe(400);
  });
});

describe('optional fields of a request for a login code', () => {
  test('a request for a login code with an invalid redirect URI or another invalid field sends no message', async () => {
    const { email, phone_number } = await newUser(server);
    await server.nextMinute();
    const faults = [
      [{ redirect_uri: `${sectionC.redirectUri()}/` }, 'redirect_uri'],
      [{ redirect_uri: undefined }, 'redirect_uri: is required'],
      [{ resource: 'https://unknown.example' }, 'Resource not found'],
      [{ org_id: 'nowhere' }, 'User is not a member of the organization'],
      [{ claims: { id_token: { email: { value: { deep: { er: 1 } } } } } }, 'claims: '],
      [{ create_new_user: 'yes' }, 'create_new_user: '],
      [{ require_mfa: 'yes' }, 'require_mfa: '],
    ] as const;
    const ofCodes = [
      [{ approval_data: { 'no spaces': '1' } }, 'approval_data: '],
      [{ approval_data: { nested: {} } }, 'approval_data: '],
    ] as const;
    const ofMail = [
      [{ email: 'unknown' }, 'email: is not a valid email address'],
      [
        { email_content: { subject: 'x', base64logo: 'data:image/png;base64,AAAA' } },
        'email_content.base64logo: ',
      ],
      [{ email_content: {} }, 'email_content.subject: is required'],
      [{ email_content: { subject: 'x', primaryColor: 'red' } }, 'email_content.primaryColor: '],
    ] as const;
    const ofSms = [
      [{ phone_number: '0151 1234567' }, 'phone_number: is not a valid phone number in international form'],
      [{ custom_message: 'no placeholder' }, 'custom_message: '],
      [{ custom_message: `{otp} {app} ${'x'.repeat(140)}` }, 'custom_message: must have at most 140'],
      [{ sender_id: 'My\u0000Shop' }, 'sender_id: '],
      [{ sender_id: 'TwelveLetter' }, 'sender_id: must have at most 11'],
    ] as const;
    const refused = (message: string) => ({
      status: 400,
      body: { error_code: 400, message: [expect.stringMatching(new RegExp(message))] },
    });
    const sends = [
      [[...faults, ...ofCodes, ...ofMail], (fields: object) => sectionC.sendEmailOtp({ email, ...fields })],
      [
        [...faults, ...ofCodes, ...ofSms],
        (fields: object) => sectionC.sendSmsOtp({ phone_number, ...fields }),
      ],
      [[...faults, ...ofMail], (fields: object) => sectionC.sendLink({ email, ...fields })],
    ] as const;
    for (const [all, send] of sends)
      for (const [fields, message] of all)
        expect([message, await send(fields)]).toMatchObject([message, refused(message)]);
    for (const to of [email, phone_number]) expect(await server.messages({ to })).toEqual([]);
  });

  test('N130 an SMS code is bound to the host on which the user must enter it', async () => {
    const { phone_number } = await newUser(server);
    const lastLine = async (fields: object) => {
      await sectionC.sendSmsOtp({ phone_number, ...fields });
      return (await sectionC.lastMessage(phone_number)).text.split('\n').at(-1);
    };
    expect(await lastLine({})).not.toContain('@');
    await withApplication(server, { codeHost: 'shop.example' }, async () => {
      expect(await lastLine({})).toMatch(/^@shop\.example #\d{6}$/);
      expect(await lastLine({ custom_message: '{otp} is for {app}' })).toMatch(/^\d{6} is for /);
    });
  });

  test('email_content sets the texts of the email that contains a code', async () => {
    const { email } = await newUser(server);
    const email_content = { subject: 'Welcome back', senderName: 'ACME shop', bodyText: 'Type this:' };
    await sectionC.sendEmailOtp({ email, email_content });
    const mail = await sectionC.lastMessage(email);
    expect(mail).toMatchObject({ subject: 'Welcome back', from: expect.stringContaining('ACME shop') });
    expect(mail.text).toContain('Type this:');
    const { body } = await sectionC.validateEmailOtp({ email, passcode: mail.codes[0] });
    expect(body.result).toContain('/v1/auth/resume?code=');
  });

  test('custom_message and sender_id set the text and sender of an SMS', async () => {
    const { phone_number } = await newUser(server);
    await sectionC.sendSmsOtp({ phone_number, custom_message: 'Use {otp} at {app}!', sender_id: 'ACME' });
    const text = await sectionC.lastMessage(phone_number);
    expect(text.from).toBe('ACME');
    expect(text.text).toMatch(/^Use \d{6} at Demo!/);
  });

  test('the tokens of a code-based login contain the requested resource and claims', async () => {
    const { email, phone_number, user_id } = await newUser(server);
    const { uri } = await storeResource(server, { accessTokenSeconds: 120 });
    const { sessions } = await server.ports(['sessions']);
    await storeMember(server, { organizationId: 'acme', userId: user_id, roles: ['buyer'] });
    const fields = {
      resource: uri,
      org_id: 'acme',
      claims: { id_token: { phone_number: null }, access_token: { username: null, org_roles: null } },
      client_attributes: { user_agent: 'Browser/1', ip_address: '192.0.2.7' },
    };
    for (const result of [
      () => sectionC.resultByEmail(email, fields),
      () => sectionC.resultBySms(phone_number, fields),
    ]) {
      const { body } = await sectionC.exchange(await codeAt(await result()));
      expect(body.expires_in).toBe(120);
      expect(await sectionC.verifyIdToken(body)).toMatchObject({ org_id: 'acme', phone_number });
      const access = await verifyToken(server, body.access_token, uri);
      expect(access.payload).toMatchObject({ org_id: 'acme', org_roles: ['buyer'] });
      const session = await sessions.find(body.session_id, Math.floor(Date.now() / 1000));
      expect(session).toMatchObject({ userAgent: 'Browser/1', ipAddress: '192.0.2.7' });
    }
  });

  test('a code is not sent through a channel that the application has not enabled', async () => {
    const { email, phone_number } = await newUser(server);
    await withApplication(server, { loginPreferences: { link: {} } }, async () => {
      expect(await sectionC.sendEmailOtp({ email })).toMatchObject({
        status: 403,
        body: { error_code: 403 },
      });
      expect(await sectionC.sendSmsOtp({ phone_number })).toMatchObject({
        status: 403,
        body: { error_code: 403 },
      });
    });
    await withApplication(server, { loginPreferences: {} }, async () => {
      expect(await sectionC.sendEmailOtp({ email })).toMatchObject({
        status: 404,
        body: { error_code: 404 },
      });
    });
  });

  test('a code has the length and lifetime that its application configures for the channel', async () => {
    const { email } = await newUser(server);
    const loginPreferences = { email: { digits: 8, expiresMinutes: 1, maxTries: 1 } };
    await withApplication(server, { loginPreferences }, async () => {
      await sectionC.sendEmailOtp({ email });
      const passcode = await server.codeTo(email);
      expect(passcode).toMatch(/^\d{8}$/);
      await server.advanceClock(61);
      const { status, body } = await sectionC.validateEmailOtp({ email, passcode });
      expect([status, body.message]).toEqual([400, ['The passcode has expired']]);
    });
  });
});

describe('validating a code in a code-based login', () => {
  const invalid = { status: 400, body: { error_code: 400, message: ['Invalid passcode'] } };
  const locked = { status: 403, body: { error_code: 403, message: expect.stringContaining('Too many') } };

  test('validating a code requires the response_type `code`', async () => {
    const { email } = await newUser(server);
    await sectionC.sendEmailOtp({ email });
    const passcode = await server.codeTo(email);
    for (const response_type of ['token', 'code id_token', '', null])
      expect(await sectionC.validateEmailOtp({ email, passcode, response_type })).toMatchObject({
        status: 400,
        body: { message: [expect.stringMatching(/^response_type: /)] },
      });
    expect((await sectionC.validateEmailOtp({ email, passcode, response_type: 'code' })).status).toBe(200);
  });

  test("N117 the code-based login API and the one-time code API reject each other's codes", async () => {
    const { email } = await newUser(server);
    const identifier = { identifier_type: 'email', identifier: email };
    const oneTime = (passcode: string) =>
      sectionC.post('/v1/auth/otp/authenticate', { ...identifier, passcode });

    await sectionC.sendEmailOtp({ email });
    const ofC = await server.codeTo(email);
    expect(await oneTime(ofC)).toMatchObject({
      status: 400,
      body: { error_code: 'auth_invalid_credentials' },
    });
    // The rejected attempt did not consume the code, which section C still accepts.
    expect((await sectionC.validateEmailOtp({ email, passcode: ofC })).status).toBe(200);

    await sectionC.post('/v1/auth/otp/send', { ...identifier, channel: 'email' });
    const ofA = await server.codeTo(email);
    expect(await sectionC.validateEmailOtp({ email, passcode: ofA })).toMatchObject(invalid);
    for (const { status } of await useUpTries(oneTime, PASSCODE_MAX_TRIES - 1)) expect(status).toBe(400);
    expect(await sectionC.validateEmailOtp({ email, passcode: ofA })).toMatchObject(locked);
    expect(await oneTime(ofA)).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
  });

  test('another client of the application can neither validate a code nor exchange its authorization code', async () => {
    const other = await storeClient(server);
    const { email } = await newUser(server);
    await sectionC.sendEmailOtp({ email });
    const passcode = await server.codeTo(email);
    const foreign = await sectionC.post(
      '/v1/auth/otp/email/validation',
      { email, passcode },
      await server.clientToken(other),
    );
    expect(foreign).toMatchObject(invalid);
    const code = await codeAt((await sectionC.validateEmailOtp({ email, passcode })).body.result);
    const { clientId: client_id, clientSecret: client_secret } = other;
    expect((await server.post('/v1/token', { code, client_id, client_secret })).status).toBe(400);
    expect((await sectionC.exchange(code)).status).toBe(200);
  });
});

test('the message and the ID token of a code-based login contain the data that the user approves', async () => {
  const { email, phone_number } = await newUser(server);
  const approval_data = { payee: 'ACME', amount: '200$' };
  const nonce = 'n-0S6_WzA2Mj';
  const sent = await sectionC.sendSmsOtp({ phone_number, approval_data });
  expect(sent.body).toEqual({ message: 'SMS sent', approval_data });
  for (const result of [
    () => sectionC.resultByEmail(email, { approval_data }, { nonce }),
    () => sectionC.resultBySms(phone_number, { approval_data }, { nonce }),
  ]) {
    const { body } = await sectionC.exchange(await codeAt(await result()));
    expect(await sectionC.verifyIdToken(body)).toMatchObject({ approval_data, nonce });
  }
  expect((await sectionC.lastMessage(email)).text).toContain('ACME');
  const empty = await sectionC.sendEmailOtp({ email, approval_data: {} });
  expect(empty.body).toEqual({ message: 'OTP email sent', approval_data: {} });
});

test('the claims parameter can contain approval data as a plain value or as a type with data', async () => {
  const { email, phone_number } = await newUser(server);
  const data = { payee: 'Bo', amount: '7' };
  const asking = (approval_data: unknown) => ({ claims: { id_token: { approval_data } } });
  for (const approval of [{ value: data }, { type: 'money_transfer', data }]) {
    expect((await sectionC.sendSmsOtp({ phone_number, ...asking(approval) })).body.approval_data).toEqual(
      data,
    );
    const { body } = await sectionC.exchange(
      await codeAt(await sectionC.resultByEmail(email, asking(approval))),
    );
    expect((await sectionC.verifyIdToken(body)).approval_data).toEqual(approval.value ?? approval);
    expect((await sectionC.lastMessage(email)).text).toContain(approval.type ?? 'Bo');
  }
  for (const wrong of [null, { essential: true }, { type: 'pay' }, 'pay'])
    expect(await sectionC.sendEmailOtp({ email, ...asking(wrong) })).toMatchObject({
      status: 400,
      body: { message: [expect.stringMatching(/^claims: approval_data/)] },
    });
  const both = { ...asking({ value: data }), approval_data: data };
  expect((await sectionC.sendEmailOtp({ email, ...both })).status).toBe(400);
});

test('a user can approve the data in the claims parameter by opening an emailed link', async () => {
  const { email } = await newUser(server);
  const approval_data = { type: 'money_transfer', data: { payee: 'Bo' } };
  await sectionC.sendLink({ email, claims: { id_token: { approval_data } } });
  const mail = await sectionC.lastMessage(email);
  expect(mail.text).toContain('money_transfer');
  const { body } = await sectionC.exchange(await codeAt(mail.links[0] ?? ''));
  expect((await sectionC.verifyIdToken(body)).approval_data).toEqual(approval_data);
});
