// N127: neither error messages nor caller input can put a secret or a forged line into the log.
import { describe, expect, test } from '@jest/globals';
import {
  email,
  event,
  findLogLine,
  keep,
  leaked,
  phone,
  printed,
  readLogLines,
  secrets,
  useCaughtLog,
  username,
} from '../../support/fixtures/caught-log.ts';
import { createUser } from '../../support/fixtures/people.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';

const { server, setup, post, sendOtp, sendLink, authenticateLink, nextMinute } = useCaughtLog();

describe('N127: log lines that report failures', () => {
  const secretMessage = `${email} ${phone}: not \n    at ${keep('canary-of-aws')}\n    at f (/canary-of-aws:1:1)\n`;
  const sender = { service: 'ses', effect: 'error', message: secretMessage } as const;

  test('the log line of an SES or SNS error contains the name of the error but not its message', async () => {
    await nextMinute();
    await server.faults.inject({ ...sender, code: 'MessageRejected', times: 1 });
    const refused = await sendOtp({ channel: 'email' });
    expect(findLogLine(refused)).toMatchObject(
      event({
        status: 400,
        result: 'external_provider_configuration_error',
        refusal: 'provider_refused',
        provider_error: 'MessageRejected',
        error: { name: 'MessageRejected', at: expect.any(Array), aws: { status: 400 } },
      }),
    );
    await server.faults.inject({ ...sender, service: 'sns', code: 'InvalidParameter', times: 1 });
    expect((await sendOtp({ channel: 'sms' })).status).toBe(400);
    await server.faults.inject({ ...sender, code: 'Throttling', times: 3 });
    const busy = await sendOtp({ channel: 'email' });
    expect(findLogLine(busy)).toMatchObject({ status: 503, result: 'service_unavailable', level: 'error' });
  });

  const buyToken = () => {
    const { client_id, client_secret } = server.environment;
    return server.form<object>('/oidc/token', { grant_type: 'client_credentials', client_id, client_secret });
  };

  test.each([
    ['dynamodb', sendOtp],
    ['kms', buyToken],
  ] as const)(
    'the log line of an error of %s contains the name of the error but not its message',
    async (service, call) => {
      await nextMinute();
      for (const [code, status, result] of [
        ['Throttling', 503, 'service_unavailable'],
        ['ValidationException', 500, 'internal_error'],
        ['AccessDeniedException', 500, 'internal_error'],
      ] as const) {
        await server.faults.inject({ service, effect: 'error', code, message: secretMessage });
        const failed = await call();
        await server.faults.clear();
        expect(failed.status).toBe(status);
        expect(JSON.stringify(failed.body)).not.toContain('canary');
        const { error, ...line } = findLogLine(failed);
        expect(line).toMatchObject({ level: 'error', result });
        expect(
          Object.keys(error as object).filter((key) => !['name', 'at', 'cause', 'aws'].includes(key)),
        ).toEqual([]);
      }
    },
  );

  const DISABLED = 'KMS key disabled error: kms.model.DisabledException: arn is disabled.';
  const DELETED = 'KMS validation error: kms.model.KMSInvalidStateException: arn is pending deletion.';

  test.each([
    ['disabled', 'dynamodb', sendOtp, { code: 'ValidationException', message: DISABLED }],
    ['pending deletion', 'dynamodb', sendOtp, { code: 'ValidationException', message: DELETED }],
    ['disabled', 'kms', buyToken, { code: 'DisabledException' }],
    ['pending deletion', 'kms', buyToken, { code: 'KMSInvalidStateException' }],
  ] as const)(
    'if a KMS key is %s and a call to %s fails, the response is 503 and the log line contains unusable_key',
    async (_state, service, call, fault) => {
      await nextMinute();
      await server.faults.inject({ service, effect: 'error', ...fault });
      const failed = await call();
      await server.faults.clear();
      expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '60']);
      expect(findLogLine(failed)).toMatchObject({ result: 'service_unavailable', unusable_key: true });
    },
  );
});

describe('N127: caller input in log lines', () => {
  const asAdmin = async () => ({ token: await server.adminToken() });

  test('log lines contain no malformed paths, queries or bodies of requests', async () => {
    const secret = keep('canary-in-a-path');
    await server.get(`/v1/nowhere/${secret}?code=${secret}`);
    await server.post(`/oidc/${secret}`, {});
    await server.request(`/v1/auth/otp/send?token=${secret}`, { method: 'DELETE' });
    for (const body of [`{"passcode": "${secret}"`, `"${secret}"`, `{"passcode": {"${secret}": 1}}`, secret])
      for (const type of ['application/json', 'text/plain'])
        await server.request('/v1/auth/otp/authenticate', {
          method: 'POST',
          body,
          token: setup.token,
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

  test('log lines contain no addresses of users who are searched, changed or erased', async () => {
    for (const path of [
      `email/${email}`,
      `phone-number/${encodeURIComponent(phone)}`,
      `username/${username}`,
    ])
      expect((await server.get(`/v1/users/${path}`, { token: setup.token })).status).toBe(200);
    await server.put(
      `/v1/users/${setup.userId}`,
      { email: keep('canary.new@mail.example') },
      { token: setup.token },
    );
    await server.post('/v1/users', { email: 'canary.new@mail.example' }, { token: setup.token });
    const erased = await server.delete<object>(`/v1/users/${setup.userId}`, { token: setup.token });
    expect(findLogLine(erased)).toMatchObject({
      event: 'users/delete-user',
      result: 'ok',
      user_id: setup.userId,
    });
  });

  test.each<readonly [event: string, call: (id: string) => Promise<TestAnswer<object>>]>([
    ['users/update-user', (id) => server.put(`/v1/users/${id}`, {}, setup)],
    ['users/delete-user', (id) => server.delete(`/v1/users/${id}`, setup)],
    ['sessions/list-sessions', (id) => server.get(`/v1/auth/users/${id}/sessions`, setup)],
    ['sessions/end-sessions', (id) => server.delete(`/v1/auth/users/${id}/sessions`, setup)],
    ['resources/get-resource', (id) => server.get(`/v1/resources/${id}`, setup)],
    ['management/get-application', async (id) => server.get(`/v1/applications/${id}`, await asAdmin())],
    ['management/get-client', async (id) => server.get(`/v1/applications/x/clients/${id}`, await asAdmin())],
    [
      'sessions/authenticate-session',
      (id) => post('/v1/auth/session/authenticate', { session_id: `${id}.x` }),
    ],
  ])(
    'an email address or phone number that is sent to the operation %s instead of an ID is not logged',
    async (event, call) => {
      for (const address of [keep('canary.person@mail.example'), keep('+12015550147')])
        expect(findLogLine(await call(address))).toMatchObject({
          event,
          result: expect.not.stringMatching(/^ok$/),
        });
    },
  );

  test('caller input cannot forge a log line', async () => {
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
      expect(findLogLine(answer)).toMatchObject({ user_agent: `a${line}${forged}`, device_id });
    }
    const written = printed.slice(before).join('');
    // Line breaks and control characters are escaped, so each request writes exactly one line of printable ASCII.
    expect(written).toMatch(/^[\x20-\x7e\n]*$/);
    expect(written.split('\n').filter(Boolean)).toHaveLength(breaks.length);
    expect(readLogLines().filter(({ user_id }) => user_id === 'root')).toEqual([]);
  });
});

test('N127: no printed log line contains a secret, an address or the text of a message', () => {
  expect(secrets.size).toBeGreaterThan(15);
  expect(readLogLines().length).toBeGreaterThan(25);
  expect(leaked()).toEqual([]);
});
