// N127: each authentication event writes one log line with the user, action, time, place and result (ASVS V16), and no secret.
import { describe, expect, test } from '@jest/globals';
import {
  type Body,
  email,
  event,
  findLogLine,
  keep,
  leaked,
  phone,
  readLogLines,
  secrets,
  useCaughtLog,
} from '../../support/fixtures/caught-log.ts';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { otherDigits } from '../../support/fixtures/hosted-login.ts';
import { useUpTries } from '../../support/fixtures/people.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';

const { server, setup, post, keepTokens, sendOtp, authenticateOtp, sendLink, authenticateLink, nextMinute } =
  useCaughtLog();

const customEmail = keep('canary.elsewhere@mail.example');
const customPhone = keep('+12015550148');
const mailText = keep('canary text of a mail');
const smsText = keep('canary text of an SMS');
const payee = keep('canary payee');

const byClient = () => ({
  client_id: server.environment.client_id,
  tenant_id: server.environment.tenant_id,
  application_id: server.environment.app_id,
});

describe('N127: log lines of authentication events', () => {
  test('each request for a client token, granted or rejected, is logged in one line', async () => {
    const { client_id, client_secret } = server.environment;
    const grant = { grant_type: 'client_credentials', client_id };
    const granted = await server.form<Body>('/oidc/token', { ...grant, client_secret });
    keep(granted.body.access_token ?? '');
    expect(findLogLine(granted)).toMatchObject(
      event({ event: 'tokens/token', section: 'D', status: 200, result: 'ok', level: 'info', ...byClient() }),
    );
    const guess = keep('canary-wrong-secret');
    const refused = await server.form('/oidc/token', { ...grant, client_secret: guess });
    expect(findLogLine(refused)).toMatchObject(event({ status: 401, result: 'invalid_client', client_id }));
    const basic = keep(btoa(`${client_id}:${guess}`));
    const byHeader = await server.form(
      '/oidc/token',
      { grant_type: 'client_credentials' },
      {
        headers: { authorization: `Basic ${basic}` },
      },
    );
    expect(findLogLine(byHeader)).toMatchObject(event({ status: 401, result: 'invalid_client' }));
  });

  test('each code that is sent through any channel is logged in one line', async () => {
    const approval_data = { payee };
    const direct = await sendOtp({ generate_request_id: true, approval_data, device_id: 'device-1' });
    expect(findLogLine(direct)).toMatchObject(
      event({
        event: 'one-time/send-otp',
        section: 'A3',
        status: 200,
        result: 'ok',
        channel: 'direct',
        user_id: setup.userId,
        device_id: 'device-1',
        ...byClient(),
      }),
    );
    const email_content = { subject: mailText, bodyText: mailText };
    const mailed = await sendOtp({ channel: 'email', custom_email: customEmail, email_content });
    expect(findLogLine(mailed)).toMatchObject(
      event({ status: 200, channel: 'email', user_id: setup.userId }),
    );
    const custom_sms_input = { custom_message: `${smsText} {otp} {app}`, sender_id: 'Canary' };
    const texted = await sendOtp({ channel: 'sms', custom_phone_number: customPhone, custom_sms_input });
    expect(findLogLine(texted)).toMatchObject(event({ status: 200, channel: 'sms', user_id: setup.userId }));
    for (const message of await server.messages()) for (const code of message.codes) keep(code);
  });

  test('N132: an SMS is logged with its number of billed segments', async () => {
    await nextMinute();
    const readParts = async (custom_message: string) =>
      findLogLine(await sendOtp({ channel: 'sms', custom_sms_input: { custom_message } })).sms_parts;
    expect(await readParts('{otp} {app}')).toBe(1);
    expect(await readParts(`{otp} {app} ${'ê'.repeat(60)}`)).toBe(2);
    expect(await readParts(`{otp} {app} ${'🔑'.repeat(100)}`)).toBe(4);
    for (const message of await server.messages()) for (const code of message.codes) keep(code);
  });

  test('each attempt to enter a code is logged in one line', async () => {
    await nextMinute();
    const { code = '', request_id } = (await sendOtp({ generate_request_id: true })).body;
    const failed = await authenticateOtp({ passcode: keep(otherDigits(code)), request_id });
    expect(findLogLine(failed)).toMatchObject(
      event({
        event: 'one-time/authenticate-otp',
        section: 'A4',
        status: 400,
        result: 'auth_invalid_credentials',
        user_id: setup.userId,
        ...byClient(),
      }),
    );
    const right = await authenticateOtp({ passcode: code, request_id });
    expect(findLogLine(right)).toMatchObject(
      event({
        status: 200,
        result: 'ok',
        user_id: setup.userId,
        method: 'otp',
        session_id: right.body.session_id,
        ...byClient(),
      }),
    );
    const used = await authenticateOtp({ passcode: code, request_id });
    expect(findLogLine(used)).toMatchObject(event({ status: 400, result: 'auth_invalid_credentials' }));

    const { code: late } = (await sendOtp({ expires_in: 0.5 })).body;
    await server.advanceClock(31);
    const expired = await authenticateOtp({ passcode: late });
    expect(findLogLine(expired)).toMatchObject(
      event({ status: 400, result: 'auth_otp_passcode_expired', user_id: setup.userId }),
    );

    const { code: guarded } = (await sendOtp()).body;
    await useUpTries(() => authenticateOtp({ passcode: keep(otherDigits(String(guarded))) }));
    const locked = await authenticateOtp({ passcode: guarded });
    expect(findLogLine(locked)).toMatchObject(event({ status: 403, result: 'auth_locked', ...byClient() }));
  });

  test('sending, opening and using a magic link are logged', async () => {
    await sendLink({ channel: 'email', email_content: { subject: mailText } });
    const [mail] = await server.messages({ to: email });
    const mailed = keep(new URL(mail?.links[0] ?? '').searchParams.get('code') ?? '');
    const { link = '', code = '', request_id } = (await sendLink({ generate_request_id: true })).body;
    for (const url of [link, mail?.links[0] ?? '']) {
      const opened = await server.request(url);
      expect(opened.status).toBe(302);
      expect(findLogLine(opened)).toMatchObject(
        event({ event: 'one-time/open-magic-link', section: 'A1', status: 302, user_id: setup.userId }),
      );
    }
    await server.request(link, { method: 'HEAD' });
    const unknown = await server.request(link.replace(code, keep('canary-unknown-code')));
    expect(findLogLine(unknown)).toMatchObject(event({ status: 404 }));

    const right = await authenticateLink({ code, request_id });
    expect(findLogLine(right)).toMatchObject(
      event({ event: 'one-time/authenticate-magic-link', section: 'A2', status: 200, user_id: setup.userId }),
    );
    const used = await authenticateLink({ code, request_id });
    expect(findLogLine(used)).toMatchObject(
      event({ status: 400, result: 'magic_link_code_invalid', user_id: setup.userId, ...byClient() }),
    );
    await server.request(link);
    expect((await authenticateLink({ code: mailed })).status).toBe(200);
  });

  test('each step of a code-based login with two factors is logged', async () => {
    // Waits until the lock of the previous test has ended.
    await server.advanceClock(15 * 60);
    const sectionC = codeBased(server, setup.token);
    const mfa = { require_mfa: true, approval_data: { payee } };
    const digitsTo = async (to: string) => keep(await server.codeTo(to));
    const keepCode = (address: string) => keep(new URL(address).searchParams.get('code') ?? '');

    const sent = await sectionC.sendEmailOtp({ email, ...mfa, email_content: { subject: mailText } });
    expect(findLogLine(sent)).toMatchObject(
      event({
        event: 'code-based/send-email-otp',
        section: 'C',
        status: 200,
        user_id: setup.userId,
        channel: 'email',
        ...byClient(),
      }),
    );
    const passcode = await digitsTo(email);
    const failed = await sectionC.validateEmailOtp({ email, passcode: keep(otherDigits(passcode)) });
    expect(findLogLine(failed)).toMatchObject(
      event({ status: 400, result: 'auth_invalid_credentials', user_id: setup.userId, ...byClient() }),
    );
    const nonce = keep('canary-nonce');
    const validated = await sectionC.validateEmailOtp({ email, passcode, nonce });
    expect(findLogLine(validated)).toMatchObject(
      event({ event: 'code-based/validate-email-otp', status: 200, user_id: setup.userId, method: 'eotp' }),
    );

    const { result } = validated.body;
    keepCode(result);
    const first = await server.request(result);
    const login = {
      user_id: setup.userId,
      session_id: expect.stringMatching(`^${setup.userId}\\.`),
      ...byClient(),
    };
    expect(findLogLine(first)).toMatchObject(event({ event: 'code-based/resume', status: 302, ...login }));
    const cookies = first.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    for (const cookie of cookies) keep(cookie.slice(-43));
    expect(findLogLine(await server.request(result))).toMatchObject(
      event({ status: 400, user_id: setup.userId }),
    );

    const texted = await sectionC.sendSmsOtp({ phone_number: phone, require_mfa: true });
    expect(findLogLine(texted)).toMatchObject(
      event({ status: 200, user_id: setup.userId, channel: 'sms', sms_parts: 1 }),
    );
    await digitsTo(phone);
    await sectionC.sendLink({ email, require_mfa: true });
    const link = await server.linkTo(email);
    const code = keepCode(link);
    expect(findLogLine(await server.request(link))).toMatchObject(
      event({ event: 'code-based/open-link', status: 200, user_id: setup.userId, ...byClient() }),
    );
    const forged = await server.request(link, { method: 'POST', body: new URLSearchParams({ csrf: nonce }) });
    expect(findLogLine(forged)).toMatchObject(event({ event: 'code-based/continue-login', status: 400 }));

    const { result: second } = (
      await sectionC.validateSmsOtp({ phone_number: phone, passcode: await digitsTo(phone) })
    ).body;
    const led = await server.request(second, { headers: { cookie: cookies.join('; ') } });
    expect(findLogLine(led)).toMatchObject(event({ status: 302, ...login }));
    const exchanged = await sectionC.exchange(keepCode(second));
    keepTokens(exchanged as unknown as TestAnswer<Body>);
    expect(findLogLine(exchanged)).toMatchObject(event({ status: 200, ...login }));
    expect(findLogLine(await sectionC.exchange(code))).toMatchObject(
      event({ status: 400, result: 'invalid_grant' }),
    );
  });

  test('a rejected access token is logged', async () => {
    const none = await server.post('/v1/auth/otp/send', {}, { token: keep('canary.not-a.token') });
    expect(findLogLine(none)).toMatchObject(
      event({ event: 'one-time/send-otp', status: 401, result: 'invalid_token' }),
    );
    const forged = `${setup.token.slice(0, -8)}AAAAAAAA`;
    expect(findLogLine(await post('/v1/auth/otp/send', {}, keep(forged)))).toMatchObject(
      event({ status: 401, result: 'invalid_token' }),
    );
    await nextMinute();
    const { code } = (await sendLink()).body;
    const { access_token = '' } = (await authenticateLink({ code })).body;
    expect(findLogLine(await post('/v1/auth/otp/send', {}, access_token))).toMatchObject(
      event({ status: 403, result: 'insufficient_permission', user_id: setup.userId, ...byClient() }),
    );
  });
});

test('N127: no printed log line contains a secret, an address or the text of a message', () => {
  expect(secrets.size).toBeGreaterThan(40);
  expect(readLogLines().length).toBeGreaterThan(35);
  expect(leaked()).toEqual([]);
});
