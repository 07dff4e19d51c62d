import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SMS_PROBES_PER_HOUR, SMS_UNVERIFIED_PER_PREFIX } from '../../../shared/domain/basis/limits.ts';
import { countSmsPrefix } from '../../../shared/domain/rate-limits/sms-prefix-window.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { otlWith } from '../../support/server/otl.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { isFull } from '../../support/tools/full-run.ts';

/** Environment settings: SMS are sent only to the listed countries. */
const environment = { SMS_COUNTRIES: 'US,CA', SMS_ORIGINATION_NUMBER: '+12065550100', ENVIRONMENT: 'eu' };
const ELSEWHERE = [
  ['+491511234567', 'another continent'],
  ['+18765550123', 'another country of the same code'],
  ['+88216123456', 'no country at all'],
] as const;

let server: TestServer;
let token: string;
let sectionC: ReturnType<typeof codeBased>;
/** Log lines of all functions. */
const lines: Record<string, unknown>[] = [];
const listen = (line: unknown) => lines.push(JSON.parse(String(line)));
beforeAll(async () => {
  subscribe('otl:log', listen);
  server = await startTestServer({ environment });
  token = await server.clientToken();
  sectionC = codeBased(server, token);
});
afterAll(async () => {
  unsubscribe('otl:log', listen);
  await server.stop();
  server.expectNoViolations();
});

const sendOtp = (fields: object) =>
  server.post<Record<string, unknown>>('/v1/auth/otp/send', { channel: 'sms', ...fields }, { token });
const byNumber = (identifier: string) => sendOtp({ identifier_type: 'phone_number', identifier });
const texts = async () => (await server.messages({ channel: 'sms' })).length;

describe('countries to which SMS are sent', () => {
  test.each(ELSEWHERE)(
    'no operation sends an SMS to a country outside of the configured SMS countries: %s (%s)',
    async (number, _where) => {
      const email = newEmail();
      const { user_id: userId } = await createUser(server, { email, phone_number: number });
      const before = await texts();
      const refused = { error_code: 'external_provider_configuration_error' };
      for (const fields of [
        { identifier_type: 'phone_number', identifier: number },
        { identifier_type: 'user_id', identifier: userId },
        { identifier_type: 'email', identifier: email, custom_phone_number: number },
      ])
        expect(await sendOtp(fields)).toMatchObject({ status: 400, body: refused });
      expect(await sectionC.sendSmsOtp({ phone_number: number })).toMatchObject({
        status: 400,
        body: { message: ['SMS are not sent to the country of this phone number'] },
      });
      const login = hostedLogin(server);
      const page = await login.browser().open(login.address());
      const { html } = await page.submit({ identifier: number, method: 'sms' });
      expect(html).toMatch(/role="alert">.*?<p>[^<]*couldn’t be sent/s);
      expect(await texts()).toBe(before);
    },
  );

  test('rejecting an SMS because of its country causes no call to KMS or SNS', async () => {
    server.resetMetrics();
    await byNumber('+491511234567');
    const { aws_calls = {} } = server.metrics().sendOtp ?? {};
    expect(Object.keys(aws_calls).filter((call) => /^(?:kms|sns)\./.test(call))).toEqual([]);
  });

  test.each(['+14165550123', '+12025550123'])(
    'an SMS to %s is sent, because the country is one of the configured SMS countries',
    async (phone_number) => {
      await createUser(server, { phone_number });
      expect(await byNumber(phone_number)).toMatchObject({ status: 200 });
      expect(await server.messages({ to: phone_number })).toHaveLength(1);
    },
  );
});

describe('limits against SMS pumping', () => {
  const NUMBERS = 15;
  const PER_HOUR = 6;
  const rateLimits = { smsPerPrefixPerHour: PER_HOUR, smsPerPrefixPerDay: 10 };
  /** Returns a function that appends an index to the start of a phone number. Fraudsters often own consecutive numbers. */
  const inRow = (start: string) => (index: number) => `${start}${String(index).padStart(4, '0')}`;

  test('even concurrent requests cannot exceed the SMS limit of a range of phone numbers', () =>
    withApplication(server, { rateLimits }, async () => {
      token = await server.clientToken();
      const number = inRow('+1212867');
      const sends = await atOnce(NUMBERS, (index) =>
        codeBased(server, token).sendSmsOtp({ phone_number: number(index), create_new_user: true }),
      );
      const sent = sends.filter(({ status }) => status === 200);
      expect(sent).toHaveLength(PER_HOUR);
      for (const { status, headers } of sends.filter((each) => !sent.includes(each))) {
        expect(status).toBe(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      // Another range of numbers has its own limit.
      const other = { phone_number: '+12128680000', create_new_user: true };
      expect(await codeBased(server, token).sendSmsOtp(other)).toMatchObject({ status: 200 });
    }));

  test('the SMS limit of a range of phone numbers applies to all operations together', () =>
    withApplication(server, { rateLimits: { ...rateLimits, smsPerPrefixPerHour: 3 } }, async () => {
      // Starts at a full hour, when the counter of the range starts again.
      await server.advanceClock(3600 - ((Date.now() / 1000) % 3600));
      token = await server.clientToken();
      const number = inRow('+1312867');
      const email = newEmail();
      const { user_id: userId } = await createUser(server, { email, phone_number: number(1) });
      const login = hostedLogin(server);
      const page = await login.browser().open(login.address());
      await page.submit({ identifier: number(1), method: 'sms' });
      const byUser = { identifier_type: 'user_id', identifier: userId };
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
      const disguised = { identifier_type: 'email', identifier: email, custom_phone_number: number(2) };
      expect(await sendOtp(disguised)).toMatchObject({ status: 200 });
      const refused = { status: 429, body: { error_code: 'rate_limited' } };
      // This SMS exceeds the limit and is still sent. The number is known only from the user's record, so the SMS is counted
      // while it is sent.
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
      expect(await sendOtp(byUser)).toMatchObject(refused);
      expect(await sendOtp(disguised)).toMatchObject(refused);
      // After a minute, the container no longer remembers the exhausted limit, and checks the counter before it sends an SMS.
      await server.advanceClock(61);
      const before = await texts();
      expect(await sendOtp(byUser)).toMatchObject(refused);
      expect(await texts()).toBe(before);
      await server.advanceClock(3600);
      token = await server.clientToken();
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
    }));
});

describe('SMS codes that no user enters', () => {
  const UNVERIFIED = 5;
  const rateLimits = { smsUnverifiedPerPrefix: UNVERIFIED };
  const numberIn = (range: string) => (index: number) => `${range}${String(index).padStart(4, '0')}`;
  const signUp = (phone_number: string) => sectionC.sendSmsOtp({ phone_number, create_new_user: true });
  const collectStatuses = async (numbers: readonly string[]) => {
    const statuses: number[] = [];
    for (const number of numbers) statuses.push((await signUp(number)).status);
    return statuses;
  };
  const startOver = async () => {
    token = await server.clientToken();
    sectionC = codeBased(server, token);
  };
  const numbers = (range: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) => numberIn(range)(from + index));

  test('a range of phone numbers is blocked when its number of unused codes reaches the limit', () =>
    withApplication(server, { rateLimits }, async () => {
      await startOver();
      const sends = await atOnce(15, (index) => signUp(numberIn('+1415867')(index)));
      expect(sends.filter(({ status }) => status === 200)).toHaveLength(UNVERIFIED);
      expect(new Set(sends.map(({ status }) => status))).toEqual(new Set([200, 429]));
      expect(await collectStatuses(['+14158680001'])).toEqual([200]);
      expect(await server.messages({ to: '+14158680001' })).toHaveLength(1);
    }));

  test('a blocked range of phone numbers still gets up to two SMS an hour', () =>
    withApplication(server, { rateLimits }, async () => {
      // Starts at midnight UTC, so that both hours belong to the same day.
      await server.advanceClock(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
      await startOver();
      expect(await collectStatuses(numbers('+1510867', 0, 6))).toEqual([200, 200, 200, 200, 200, 429]);
      await server.advanceClock(3600);
      await startOver();
      expect(await collectStatuses(numbers('+1510867', 10, 3))).toEqual([200, 200, 429]);
      await sectionC.validateSmsOtp({
        phone_number: numberIn('+1510867')(11),
        passcode: await server.codeTo(numberIn('+1510867')(11)),
      });
      await server.advanceClock(61);
      // The used code offsets four of the seven unused codes, so two more SMS are sent before the limit.
      expect(await collectStatuses(numbers('+1510867', 20, 3))).toEqual([200, 200, 429]);
    }));

  test.each<readonly [string, string, (number: string) => Promise<unknown>]>([
    [
      'the one-time code API',
      '+1619867',
      async (number) => {
        await createUser(server, { phone_number: number });
        await byNumber(number);
        const who = { identifier_type: 'phone_number', identifier: number };
        const passcode = await server.codeTo(number);
        return server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token });
      },
    ],
    [
      'the one-time code API with an alternative number',
      '+1626867',
      async (number) => {
        const identifier = newEmail();
        await createUser(server, { email: identifier });
        const who = { identifier_type: 'email', identifier };
        await sendOtp({ ...who, custom_phone_number: number });
        const passcode = await server.codeTo(number);
        return server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token });
      },
    ],
    [
      'the code-based login API',
      '+1650867',
      (number) => sectionC.resultBySms(number, { create_new_user: true }),
    ],
    [
      'the hosted pages',
      '+1661867',
      async (number) => {
        await createUser(server, { phone_number: number });
        const login = hostedLogin(server);
        return login.logIn(login.browser(), number, {}, 'sms');
      },
    ],
  ])('a correct code entered at %s counts as a used code of the number range', (_door, range, logIn) =>
    withApplication(server, { rateLimits }, async () => {
      await startOver();
      // The fifth code is used, which offsets the four unused codes. The limit then allows four more unused codes.
      expect(await collectStatuses(numbers(range, 0, UNVERIFIED - 1))).toEqual([200, 200, 200, 200]);
      await logIn(numberIn(range)(99));
      expect(await collectStatuses(numbers(range, 100, 5))).toEqual([200, 200, 200, 200, 429]);
    }),
  );

  test('an operator can unblock a range of phone numbers', () =>
    withApplication(server, { rateLimits }, async () => {
      await startOver();
      expect(await collectStatuses(numbers('+1707867', 0, 6))).toEqual([200, 200, 200, 200, 200, 429]);
      const otl = (number: string) =>
        otlWith({ OTL_ENDPOINT: server.url }, [
          ...['application', 'unblock-sms', server.environment.app_id, '--number', number],
        ]);
      expect(await otl('+17078671234')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('can send SMS to +1707867… again'),
      });
      await server.advanceClock(61);
      expect(await collectStatuses(numbers('+1707867', 10, 1))).toEqual([200]);
      expect(await otl('12')).toMatchObject({ code: 1 });
    }));

  test('in a dry run, SMS above the limit on unused codes are sent and logged', () =>
    withApplication(server, { rateLimits: { ...rateLimits, smsDryRun: true } }, async () => {
      await startOver();
      const before = lines.length;
      expect(await collectStatuses(numbers('+1714867', 0, 7))).toEqual([200, 200, 200, 200, 200, 200, 200]);
      const noted = lines.slice(before).filter(({ sms_guard: guard }) => guard !== undefined);
      expect(noted).toMatchObject([
        { sms_guard: 'unverified', SmsRefusals: 1, sent: 'sms' },
        { sms_guard: 'unverified', SmsRefusals: 1, sent: 'sms' },
      ]);
    }));
});

describe('SMS budget that a tenant cannot exceed', () => {
  const BUDGET = 8;
  /** Number of SMS in the budget that can be sent to phone numbers of unknown users. */
  const FOR_STRANGERS = 7;
  const MANY = 14;
  const signUp = (phone_number: string) => sectionC.sendSmsOtp({ phone_number, create_new_user: true });
  const someNumber = (index: number) => `+1212${300 + index}0123`;

  /** Requests an SMS on the hosted page. Returns the number of SMS that were sent, which the page does not reveal. */
  async function textedOnPage(number: string): Promise<number> {
    const before = (await server.messages({ to: number })).length;
    const login = hostedLogin(server);
    const page = await login.toCode(login.browser(), number, {}, 'sms');
    expect(page.html).not.toContain('role="alert"');
    return (await server.messages({ to: number })).length - before;
  }

  /** Sets a small daily SMS budget for the tenant, moves the clock to a new day, and runs the test. */
  async function withBudget(run: () => Promise<void>): Promise<void> {
    const { tenantRecords } = await server.ports(['tenantRecords']);
    const before = await tenantRecords.find(server.environment.tenant_id);
    if (!before) throw new Error('the demo tenant is missing');
    const change = async (from: typeof before, to: typeof before) => {
      expect(await tenantRecords.replace(from, to)).toBe(true);
      await server.advanceClock(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
      token = await server.clientToken();
      sectionC = codeBased(server, token);
    };
    const few = { ...before, smsPerDay: BUDGET };
    await change(before, few);
    try {
      await run();
    } finally {
      await change(few, before);
    }
  }

  test('SMS to all number ranges and by all operations count toward the SMS budget of a tenant', () =>
    withBudget(async () => {
      const before = lines.length;
      const sends = await atOnce(MANY, (index) => signUp(someNumber(index)));
      expect(sends.filter(({ status }) => status === 200)).toHaveLength(FOR_STRANGERS);
      const refused = sends.find(({ status }) => status !== 200);
      expect(refused?.status).toBe(429);
      expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
      const noted = lines.slice(before).filter(({ sms_guard: guard }) => guard === 'budget');
      expect(noted).toHaveLength(MANY - FOR_STRANGERS);
      expect(noted[0]).toMatchObject({ SmsRefusals: 1, SmsBudgetUsed: 80, tenant_id: expect.anything() });

      // The rest of the budget is reserved for users, so that sign-ups by an attacker cannot use all of it.
      expect(await textedOnPage('+12135550123')).toBe(0);
      const person = { email: newEmail(), phone_number: '+17605550123' };
      await createUser(server, person);
      expect(await byNumber(person.phone_number)).toMatchObject({ status: 200 });
      expect(lines.at(-1)).toMatchObject({ SmsBudgetUsed: 100 });
      expect(await byNumber(person.phone_number)).toMatchObject({ status: 429 });
      expect(await textedOnPage(person.phone_number)).toBe(0);
      const byMail = { channel: 'email', identifier_type: 'email', identifier: person.email };
      expect(await sendOtp(byMail)).toMatchObject({ status: 200 });
    }));

  test("requests for a single phone number cannot exhaust a tenant's SMS budget", () =>
    withBudget(async () => {
      const statuses = new Set<number>();
      for (let tries = 0; tries < 3 * BUDGET; tries += 1) statuses.add((await signUp('+12145550123')).status);
      expect(statuses).toEqual(new Set([200, 429]));
      // Requests for a number in a country that is not listed do not use the budget either.
      const { user_id: identifier } = await createUser(server, { phone_number: '+491511234599' });
      for (let tries = 0; tries < 2 * BUDGET; tries += 1)
        expect(await sendOtp({ identifier_type: 'user_id', identifier })).not.toMatchObject({ status: 200 });
      expect(await signUp('+12155550123')).toMatchObject({ status: 200 });
    }));
});

const HOURS = 24;
/** Returns the number of requests in an hour. Short runs make fewer, because all but the first few are rejected alike. */
const pumpedIn = (hour: number) => (isFull ? 400 : hour === 0 ? 50 : 5);

test('SMS pumping to one number range causes at most 86 SMS a day', async () => {
  await server.advanceClock(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
  const { windows, applicationRecords } = await server.ports(['windows', 'applicationRecords']);
  const application = await applicationRecords.find(server.environment.app_id);
  if (!application) throw new Error('the demo application is missing');
  let sent = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const now = Math.floor(Date.now() / 1000);
    const sender = { application, settings: { rateLimits: 'on' as const }, audit: () => {}, now };
    for (let index = 0; index < pumpedIn(hour); index += 1)
      await countSmsPrefix(
        { windows },
        sender,
        `+1808867${String(hour * 400 + index).padStart(4, '0')}`,
      ).then(
        () => {
          sent += 1;
        },
        (error: unknown) => expect(error).toMatchObject({ key: 'rate_limited' }),
      );
    await server.advanceClock(3600);
  }
  expect(sent).toBe(SMS_UNVERIFIED_PER_PREFIX + (HOURS - 1) * SMS_PROBES_PER_HOUR);
  expect(sent).toBe(86);

  token = await server.clientToken();
  const phone_number = '+18088680001';
  await createUser(server, { phone_number });
  expect(await byNumber(phone_number)).toMatchObject({ status: 200 });
  expect(await server.messages({ to: phone_number })).toHaveLength(1);
});
