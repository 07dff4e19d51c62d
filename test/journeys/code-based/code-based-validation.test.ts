import { describe, expect, test } from '@jest/globals';
import { codeAt } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { otherDigits } from '../../support/fixtures/hosted-login.ts';
import { newUser } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeClient } from '../../support/tools/authorized.ts';

const server = useTestServer();
const c = useCodeBased(server);

describe('validating', () => {
  const invalid = { status: 400, body: { error_code: 400, message: ['Invalid passcode'] } };
  const locked = { status: 403, body: { error_code: 403, message: expect.stringContaining('Too many') } };

  test('response_type is code or absent', async () => {
    const { email } = await newUser(server);
    await c.sendEmailOtp({ email });
    const passcode = await server.codeTo(email);
    for (const response_type of ['token', 'code id_token', '', null])
      expect(await c.validateEmailOtp({ email, passcode, response_type })).toMatchObject({
        status: 400,
        body: { message: [expect.stringMatching(/^response_type: /)] },
      });
    expect((await c.validateEmailOtp({ email, passcode, response_type: 'code' })).status).toBe(200);
  });

  test('N117 digits work only for the operations that sent them, and failures of all operations add up', async () => {
    const { email } = await newUser(server);
    const identifier = { identifier_type: 'email', identifier: email };
    const oneTime = (passcode: string) => c.post('/v1/auth/otp/authenticate', { ...identifier, passcode });

    await c.sendEmailOtp({ email });
    const ofC = await server.codeTo(email);
    expect(await oneTime(ofC)).toMatchObject({
      status: 400,
      body: { error_code: 'auth_invalid_credentials' },
    });
    // The try counted, and the digits still work where they belong.
    expect((await c.validateEmailOtp({ email, passcode: ofC })).status).toBe(200);

    await c.post('/v1/auth/otp/send', { ...identifier, channel: 'email' });
    const ofA = await server.codeTo(email);
    expect(await c.validateEmailOtp({ email, passcode: ofA })).toMatchObject(invalid);
    expect((await oneTime(otherDigits(ofA))).status).toBe(400);
    expect((await oneTime(otherDigits(ofA))).status).toBe(400);
    expect(await c.validateEmailOtp({ email, passcode: ofA })).toMatchObject(locked);
    expect(await oneTime(ofA)).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
  });

  test('another client of the application can neither validate the digits nor exchange the code', async () => {
    const other = await storeClient(server);
    const { email } = await newUser(server);
    await c.sendEmailOtp({ email });
    const passcode = await server.codeTo(email);
    const foreign = await c.post(
      '/v1/auth/otp/email/validation',
      { email, passcode },
      await server.clientToken(other),
    );
    expect(foreign).toMatchObject(invalid);
    const code = await codeAt((await c.validateEmailOtp({ email, passcode })).body.result);
    const { clientId: client_id, clientSecret: client_secret } = other;
    expect((await server.post('/v1/token', { code, client_id, client_secret })).status).toBe(400);
    expect((await c.exchange(code)).status).toBe(200);
  });
});
