import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { createUser } from '../../support/fixtures/people.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../../support/server/test-server.ts';

/**
 * N127: every authentication event has one line with who, what, when, where and the result (ASVS V16), no line holds a
 * secret or an address, and nothing that a caller sends can begin a line of its own. Everything that this process prints
 * during the journeys is caught, with the most talkative log.
 */

type Fields = Record<string, unknown>;
type Body = Readonly<Record<string, string>>;

const printed: string[] = [];
/** Whatever must never be printed, in any spelling. */
const secrets = new Set<string>();
const keep = <Value extends string>(value: Value): Value => {
  secrets.add(value);
  return value;
};

let server: TestServer;
let token: string;

const email = keep('canary.person@mail.example');
const customEmail = keep('canary.elsewhere@mail.example');
const phone = keep('+12015550147');
const customPhone = keep('+12015550148');
const username = keep('canary-username');
const loyaltyCard = keep('canary-loyalty-card');
const mailText = keep('canary text of a mail');
const smsText = keep('canary text of an SMS');
const payee = keep('canary payee');
const state = keep('canary-state');
const firstName = keep('Canaria');

let userId: string;

beforeAll(async () => {
  const catchAll = (chunk: unknown) => {
    printed.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString());
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(catchAll);
  jest.spyOn(process.stderr, 'write').mockImplementation(catchAll);
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((...parts) => void printed.push(`${parts.join(' ')}\n`));
  server = await startTestServer({ environment: { LOG_LEVEL: 'debug' } });
  token = keep(await server.clientToken());
  keep(server.environment.client_secret);
  const user = await createUser(server, {
    email,
    phone_number: phone,
    username,
    custom_identifiers: [{ type: 'loyalty_card', value: loyaltyCard }],
    name: { first_name: firstName },
  });
  userId = user.user_id;
});
afterAll(async () => {
  await server.stop();
  jest.restoreAllMocks();
});

const printedLines = () => printed.join('').split('\n').filter(Boolean);

/** Throws when something was printed that is no line of the log. */
const linesOf = (): Fields[] =>
  printedLines().map((line) => {
    if (!line.startsWith('{"level":')) throw new Error(`printed: ${line}`);
    return JSON.parse(line) as Fields;
  });

/** The only line of an answer. */
function lineOf(answer: TestAnswer<unknown>): Fields {
  const id = answer.headers.get('x-request-id');
  const [line, ...more] = linesOf().filter(({ request_id }) => request_id === id);
  expect(more).toEqual([]);
  if (!line) throw new Error(`no line tells of request ${id}`);
  return line;
}

const post = (path: string, fields: object, bearer = token) =>
  server.post<Body>(path, fields, { token: bearer });

async function sendOtp(fields: object = {}): Promise<TestAnswer<Body>> {
  const given = { channel: 'direct', identifier_type: 'email', identifier: email, ...fields };
  const answer = await post('/v1/auth/otp/send', given);
  for (const secret of [answer.body.code, answer.body.request_id]) if (secret) keep(secret);
  return answer;
}

async function authenticateOtp(fields: object): Promise<TestAnswer<Body>> {
  return keepTokens(
    await post('/v1/auth/otp/authenticate', { identifier_type: 'email', identifier: email, ...fields }),
  );
}

async function sendLink(fields: object = {}): Promise<TestAnswer<Body>> {
  const [redirect_uri] = server.environment.redirect_uris;
  const given = { channel: 'direct', identifier_type: 'email', identifier: email, redirect_uri, state };
  const answer = await post('/v1/auth/link/email/send', { ...given, ...fields });
  for (const secret of [answer.body.code, answer.body.request_id]) if (secret) keep(secret);
  return answer;
}

async function authenticateLink(fields: object): Promise<TestAnswer<Body>> {
  return keepTokens(await post('/v1/auth/link/email/authenticate', fields));
}

function keepTokens(answer: TestAnswer<Body>): TestAnswer<Body> {
  const { access_token, id_token, refresh_token } = answer.body;
  for (const secret of [access_token, id_token, refresh_token]) if (secret) keep(secret);
  // Of a refresh token the last part is the secret, of a JWT the signature makes it one.
  for (const secret of [access_token, id_token, refresh_token])
    if (secret) keep(secret.split('.').at(-1) ?? '');
  return answer;
}

/** Past the send window of the minute before. */
const nextMinute = () => server.advanceClock(60);
const wrong = (code = '') => code.replace(/./, (digit) => String((Number(digit) + 1) % 10));

const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** The line of an authentication event, whoever it was. */
const event = (fields: Fields) => ({
  time: when,
  request_id: expect.any(String),
  source_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  duration_ms: expect.any(Number),
  ...fields,
});
const byClient = () => ({
  client_id: server.environment.client_id,
  tenant_id: server.environment.tenant_id,
  application_id: server.environment.app_id,
});

describe('N127: one line for each authentication event, with who, what, when, where and the result', () => {
  test('a client token, granted and refused', async () => {
    const { client_id, client_secret } = server.environment;
    const grant = { grant_type: 'client_credentials', client_id };
    const granted = await server.form<Body>('/oidc/token', { ...grant, client_secret });
    keep(granted.body.access_token ?? '');
    expect(lineOf(granted)).toMatchObject(
      event({ event: 'tokens/token', section: 'D', status: 200, result: 'ok', level: 'info', ...byClient() }),
    );
    const guess = keep('canary-wrong-secret');
    const refused = await server.form('/oidc/token', { ...grant, client_secret: guess });
    expect(lineOf(refused)).toMatchObject(event({ status: 401, result: 'invalid_client', client_id }));
    const basic = keep(btoa(`${client_id}:${guess}`));
    const byHeader = await server.form(
      '/oidc/token',
      { grant_type: 'client_credentials' },
      {
        headers: { authorization: `Basic ${basic}` },
      },
    );
    expect(lineOf(byHeader)).toMatchObject(event({ status: 401, result: 'invalid_client' }));
  });

  test('a code sent by each channel', async () => {
    const approval_data = { payee };
    const direct = await sendOtp({ generate_request_id: true, approval_data, device_id: 'device-1' });
    expect(lineOf(direct)).toMatchObject(
      event({
        event: 'one-time/send-otp',
        section: 'A3',
        status: 200,
        result: 'ok',
        channel: 'direct',
        user_id: userId,
        device_id: 'device-1',
        ...byClient(),
      }),
    );
    const email_content = { subject: mailText, bodyText: mailText };
    const mailed = await sendOtp({ channel: 'email', custom_email: customEmail, email_content });
    expect(lineOf(mailed)).toMatchObject(event({ status: 200, channel: 'email', user_id: userId }));
    const custom_sms_input = { custom_message: `${smsText} {otp} {app}`, sender_id: 'Canary' };
    const texted = await sendOtp({ channel: 'sms', custom_phone_number: customPhone, custom_sms_input });
    expect(lineOf(texted)).toMatchObject(event({ status: 200, channel: 'sms', user_id: userId }));
    for (const message of await server.messages()) for (const code of message.codes) keep(code);
  });

  test('N132: an SMS, with how many messages the network makes of it', async () => {
    await nextMinute();
    const partsOf = async (custom_message: string) =>
      lineOf(await sendOtp({ channel: 'sms', custom_sms_input: { custom_message } })).sms_parts;
    expect(await partsOf('{otp} {app}')).toBe(1);
    expect(await partsOf(`{otp} {app} ${'ê'.repeat(60)}`)).toBe(2);
    expect(await partsOf(`{otp} {app} ${'🔑'.repeat(100)}`)).toBe(4);
    for (const message of await server.messages()) for (const code of message.codes) keep(code);
  });

  test('a code that is wrong, right, used, expired, locked', async () => {
    await nextMinute();
    const { code = '', request_id } = (await sendOtp({ generate_request_id: true })).body;
    const failed = await authenticateOtp({ passcode: keep(wrong(code)), request_id });
    expect(lineOf(failed)).toMatchObject(
      event({
        event: 'one-time/authenticate-otp',
        section: 'A4',
        status: 400,
        result: 'auth_invalid_credentials',
        user_id: userId,
        ...byClient(),
      }),
    );
    const right = await authenticateOtp({ passcode: code, request_id });
    expect(lineOf(right)).toMatchObject(
      event({
        status: 200,
        result: 'ok',
        user_id: userId,
        method: 'otp',
        session_id: right.body.session_id,
        ...byClient(),
      }),
    );
    const used = await authenticateOtp({ passcode: code, request_id });
    expect(lineOf(used)).toMatchObject(event({ status: 400, result: 'auth_invalid_credentials' }));

    const { code: late } = (await sendOtp({ expires_in: 0.5 })).body;
    await server.advanceClock(31);
    const expired = await authenticateOtp({ passcode: late });
    expect(lineOf(expired)).toMatchObject(
      event({ status: 400, result: 'auth_otp_passcode_expired', user_id: userId }),
    );

    const { code: guarded } = (await sendOtp()).body;
    for (let tries = 0; tries < 3; tries += 1) await authenticateOtp({ passcode: keep(wrong(guarded)) });
    const locked = await authenticateOtp({ passcode: guarded });
    expect(lineOf(locked)).toMatchObject(event({ status: 403, result: 'auth_locked', ...byClient() }));
  });

  test('a link sent, opened, authenticated, used', async () => {
    await sendLink({ channel: 'email', email_content: { subject: mailText } });
    const [mail] = await server.messages({ to: email });
    const mailed = keep(new URL(mail?.links[0] ?? '').searchParams.get('code') ?? '');
    const { link = '', code = '', request_id } = (await sendLink({ generate_request_id: true })).body;
    for (const url of [link, mail?.links[0] ?? '']) {
      const opened = await server.request(url);
      expect(opened.status).toBe(302);
      expect(lineOf(opened)).toMatchObject(
        event({ event: 'one-time/open-magic-link', section: 'A1', status: 302, user_id: userId }),
      );
    }
    await server.request(link, { method: 'HEAD' });
    const unknown = await server.request(link.replace(code, keep('canary-unknown-code')));
    expect(lineOf(unknown)).toMatchObject(event({ status: 404 }));

    const right = await authenticateLink({ code, request_id });
    expect(lineOf(right)).toMatchObject(
      event({ event: 'one-time/authenticate-magic-link', section: 'A2', status: 200, user_id: userId }),
    );
    const used = await authenticateLink({ code, request_id });
    expect(lineOf(used)).toMatchObject(
      event({ status: 400, result: 'magic_link_code_invalid', user_id: userId, ...byClient() }),
    );
    await server.request(link);
    expect((await authenticateLink({ code: mailed })).status).toBe(200);
  });

  test('two factors by section C: sent, validated, resumed, exchanged, used', async () => {
    // Past the lock of the test before.
    await server.advanceClock(15 * 60);
    const c = codeBased(server, token);
    const mfa = { require_mfa: true, approval_data: { payee } };
    const digitsTo = async (to: string) => keep(await c.lastDigits(to));
    const codeOf = (address: string) => keep(new URL(address).searchParams.get('code') ?? '');

    const sent = await c.sendEmailOtp({ email, ...mfa, email_content: { subject: mailText } });
    expect(lineOf(sent)).toMatchObject(
      event({
        event: 'code-based/send-email-otp',
        section: 'C',
        status: 200,
        user_id: userId,
        channel: 'email',
        ...byClient(),
      }),
    );
    const passcode = await digitsTo(email);
    const failed = await c.validateEmailOtp({ email, passcode: keep(wrong(passcode)) });
    expect(lineOf(failed)).toMatchObject(
      event({ status: 400, result: 'auth_invalid_credentials', user_id: userId, ...byClient() }),
    );
    const nonce = keep('canary-nonce');
    const validated = await c.validateEmailOtp({ email, passcode, nonce });
    expect(lineOf(validated)).toMatchObject(
      event({ event: 'code-based/validate-email-otp', status: 200, user_id: userId, method: 'eotp' }),
    );

    const { result } = validated.body;
    codeOf(result);
    const first = await server.request(result);
    const whose = { user_id: userId, session_id: expect.stringMatching(`^${userId}\\.`), ...byClient() };
    expect(lineOf(first)).toMatchObject(event({ event: 'code-based/resume', status: 302, ...whose }));
    const cookies = first.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    for (const cookie of cookies) keep(cookie.slice(-43));
    expect(lineOf(await server.request(result))).toMatchObject(event({ status: 400, user_id: userId }));

    const texted = await c.sendSmsOtp({ phone_number: phone, require_mfa: true });
    expect(lineOf(texted)).toMatchObject(
      event({ status: 200, user_id: userId, channel: 'sms', sms_parts: 1 }),
    );
    await digitsTo(phone);
    await c.sendLink({ email, require_mfa: true });
    const link = await c.lastLink(email);
    const code = codeOf(link);
    expect(lineOf(await server.request(link))).toMatchObject(
      event({ event: 'code-based/open-link', status: 200, user_id: userId, ...byClient() }),
    );
    const forged = await server.request(link, { method: 'POST', body: new URLSearchParams({ csrf: nonce }) });
    expect(lineOf(forged)).toMatchObject(event({ event: 'code-based/continue-login', status: 400 }));

    const { result: second } = (
      await c.validateSmsOtp({ phone_number: phone, passcode: await digitsTo(phone) })
    ).body;
    const led = await server.request(second, { headers: { cookie: cookies.join('; ') } });
    expect(lineOf(led)).toMatchObject(event({ status: 302, ...whose }));
    const exchanged = await c.exchange(codeOf(second));
    keepTokens(exchanged as unknown as TestAnswer<Body>);
    expect(lineOf(exchanged)).toMatchObject(event({ status: 200, ...whose }));
    expect(lineOf(await c.exchange(code))).toMatchObject(event({ status: 400, result: 'invalid_grant' }));
  });

  test('a token that is none, and one that may not do this', async () => {
    const none = await server.post('/v1/auth/otp/send', {}, { token: keep('canary.not-a.token') });
    expect(lineOf(none)).toMatchObject(
      event({ event: 'one-time/send-otp', status: 401, result: 'invalid_token' }),
    );
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    expect(lineOf(await post('/v1/auth/otp/send', {}, keep(forged)))).toMatchObject(
      event({ status: 401, result: 'invalid_token' }),
    );
    await nextMinute();
    const { code } = (await sendLink()).body;
    const { access_token = '' } = (await authenticateLink({ code })).body;
    expect(lineOf(await post('/v1/auth/otp/send', {}, access_token))).toMatchObject(
      event({ status: 403, result: 'insufficient_permission', user_id: userId, ...byClient() }),
    );
  });
});

describe('N127: what goes wrong tells its name and place, never its message', () => {
  const secretMessage = `${email} ${phone}: not \n    at ${keep('canary-of-aws')}\n    at f (/canary-of-aws:1:1)\n`;
  const sender = { service: 'ses', effect: 'error', message: secretMessage } as const;

  test('refusals and throttling of a provider', async () => {
    await nextMinute();
    await server.faults.inject({ ...sender, code: 'MessageRejected', times: 1 });
    const refused = await sendOtp({ channel: 'email' });
    expect(lineOf(refused)).toMatchObject(
      event({
        status: 400,
        result: 'external_provider_configuration_error',
        error: { name: 'MessageRejected', at: expect.any(Array) },
      }),
    );
    await server.faults.inject({ ...sender, service: 'sns', code: 'InvalidParameter', times: 1 });
    expect((await sendOtp({ channel: 'sms' })).status).toBe(400);
    await server.faults.inject({ ...sender, code: 'Throttling', times: 3 });
    const busy = await sendOtp({ channel: 'email' });
    expect(lineOf(busy)).toMatchObject({ status: 503, result: 'service_unavailable', level: 'error' });
  });

  test.each(['dynamodb', 'kms'] as const)('throttling and failures of %s', async (service) => {
    await nextMinute();
    for (const [code, status, result] of [
      ['Throttling', 503, 'service_unavailable'],
      ['ValidationException', 500, 'internal_error'],
      ['AccessDeniedException', 500, 'internal_error'],
    ] as const) {
      await server.faults.inject({ service, effect: 'error', code, message: secretMessage });
      const failed = await sendOtp();
      await server.faults.clear();
      expect(failed.status).toBe(status);
      expect(JSON.stringify(failed.body)).not.toContain('canary');
      const { error, ...line } = lineOf(failed);
      expect(line).toMatchObject({ level: 'error', result });
      expect(Object.keys(error as object).filter((key) => !['name', 'at', 'cause'].includes(key))).toEqual(
        [],
      );
    }
  });
});

describe('N127: what a caller sends does not reach the log', () => {
  test('paths, queries and bodies that nobody understands', async () => {
    const secret = keep('canary-in-a-path');
    await server.get(`/v1/nowhere/${secret}?code=${secret}`);
    await server.post(`/oidc/${secret}`, {});
    await server.request(`/v1/auth/otp/send?token=${secret}`, { method: 'DELETE' });
    for (const body of [`{"passcode": "${secret}"`, `"${secret}"`, `{"passcode": {"${secret}": 1}}`, secret])
      for (const type of ['application/json', 'text/plain'])
        await server.request('/v1/auth/otp/authenticate', {
          method: 'POST',
          body,
          token,
          headers: { 'content-type': type },
        });
    await server.form('/oidc/token', { [secret]: secret, grant_type: secret });
    await post('/v1/auth/otp/send', { channel: secret, identifier_type: secret, identifier: secret });
    await sendOtp({ identifier: keep('canary.unknown@mail.example') });
    await sendOtp({ identifier: keep('canary.invalid@@mail.example') });
    await sendOtp({ identifier_type: 'username', identifier: username });
    await sendLink({ identifier: phone, identifier_type: 'phone_number', redirect_uri: secret });
    await authenticateLink({ code: secret, request_id: secret, session_id: secret, org_id: secret });
  });

  test('addresses of users that are looked up, changed or erased', async () => {
    for (const path of [
      `email/${email}`,
      `phone-number/${encodeURIComponent(phone)}`,
      `username/${username}`,
    ])
      expect((await server.get(`/v1/users/${path}`, { token })).status).toBe(200);
    await server.put(`/v1/users/${userId}`, { email: keep('canary.new@mail.example') }, { token });
    await server.post('/v1/users', { email: 'canary.new@mail.example' }, { token });
    expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
  });

  test('and cannot forge a line', async () => {
    await createUser(server, { email });
    const forged = '{"level":"info","event":"one-time/authenticate-otp","result":"ok","user_id":"root"}';
    const breaks = [
      '\n',
      '\r\n',
      '\r',
      '\u2028',
      '\u2029',
      '\u0085',
      '\u000b',
      '\f',
      '\0',
      '\u001b[2K\u001b[1A',
    ];
    const before = printed.length;
    for (const line of breaks) {
      await nextMinute();
      const device_id = `a${line}b`;
      const client_attributes = { user_agent: `a${line}${forged}`, ip_address: `::1${line}` };
      const answer = await sendOtp({ device_id, client_attributes });
      expect(answer.status).toBe(200);
      expect(lineOf(answer)).toMatchObject({ user_agent: `a${line}${forged}`, device_id });
    }
    const written = printed.slice(before).join('');
    // Whatever takes a line apart or moves a cursor is escaped: one line for each request, in plain ASCII.
    expect(written).toMatch(/^[\x20-\x7e\n]*$/);
    expect(written.split('\n').filter(Boolean)).toHaveLength(breaks.length);
    expect(linesOf().filter(({ user_id }) => user_id === 'root')).toEqual([]);
  });
});

test('N127: no line that was printed holds a secret, an address or a text of a message', () => {
  const all = printed.join('');
  expect(secrets.size).toBeGreaterThan(50);
  expect(linesOf().length).toBeGreaterThan(60);
  const found = [...secrets].filter((secret) =>
    spellings(secret).some((spelling) =>
      // Digits might be part of an ID; a code that stands alone is one.
      /^\d{4,8}$/.test(spelling)
        ? new RegExp(`(?<![\\w-])${spelling}(?![\\w-])`).test(all)
        : all.includes(spelling),
    ),
  );
  expect(found).toEqual([]);
});

/** As it is, in a URL, in base64 and without its sign. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    ...(secret.length > 8 ? [base64, base64.replaceAll('+', '-').replaceAll('/', '_')] : []),
    ...(secret.startsWith('+') ? [secret.slice(1)] : []),
  ];
}
