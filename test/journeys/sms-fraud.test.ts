import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withApplication } from '../support/application.ts';
import { atOnce } from '../support/at-once.ts';
import { codeBased } from '../support/code-based.ts';
import { hostedLogin } from '../support/hosted-login.ts';
import { createUser, newEmail } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

/** SMS to these countries alone, from this number. */
const environment = { SMS_COUNTRIES: 'US,CA', SMS_ORIGINATION_NUMBER: '+12065550100' };
const ELSEWHERE = [
  ['+491511234567', 'another continent'],
  ['+18765550123', 'another country of the same code'],
  ['+88216123456', 'no country at all'],
] as const;

let world: World;
let token: string;
let c: ReturnType<typeof codeBased>;
beforeAll(async () => {
  world = await startWorld({ environment });
  token = await world.clientToken();
  c = codeBased(world, token);
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

const sendOtp = (fields: object) =>
  world.post<Record<string, unknown>>('/v1/auth/otp/send', { channel: 'sms', ...fields }, { token });
const byNumber = (identifier: string) => sendOtp({ identifier_type: 'phone_number', identifier });
const texts = async () => (await world.messages({ channel: 'sms' })).length;

describe('SMS go to the countries of the environment', () => {
  test.each(ELSEWHERE)('%s (%s) gets none, by no way', async (number, _where) => {
    const email = newEmail();
    const { user_id: userId } = await createUser(world, { email, phone_number: number });
    const before = await texts();
    const refused = { error_code: 'external_provider_configuration_error' };
    for (const fields of [
      { identifier_type: 'phone_number', identifier: number },
      { identifier_type: 'user_id', identifier: userId },
      { identifier_type: 'email', identifier: email, custom_phone_number: number },
    ])
      expect(await sendOtp(fields)).toMatchObject({ status: 400, body: refused });
    expect(await c.sendSmsOtp({ phone_number: number })).toMatchObject({
      status: 400,
      body: { message: ['SMS are not sent to the country of this phone number'] },
    });
    const login = hostedLogin(world);
    const page = await login.browser().open(login.address());
    const { html } = await page.submit({ identifier: number, method: 'sms' });
    expect(html).toMatch(/role="alert">.*?<p>[^<]*couldn’t be sent/s);
    expect(await texts()).toBe(before);
  });

  test('a refusal makes no call', async () => {
    world.resetMetrics();
    await byNumber('+491511234567');
    const { aws_calls = {} } = world.metrics().sendOtp ?? {};
    expect(Object.keys(aws_calls).filter((call) => /^(?:kms|sns)\./.test(call))).toEqual([]);
  });

  test.each(['+14165550123', '+12025550123'])('%s gets them', async (phone_number) => {
    await createUser(world, { phone_number });
    expect(await byNumber(phone_number)).toMatchObject({ status: 200 });
    expect(await world.messages({ to: phone_number })).toHaveLength(1);
  });
});

describe('SMS pumping', () => {
  const NUMBERS = 40;
  const PER_HOUR = 6;
  const rateLimits = { smsPerPrefixPerHour: PER_HOUR, smsPerPrefixPerDay: 10 };
  /** Numbers in a row, as a fraudster has them. */
  const inRow = (start: string) => (index: number) => `${start}${String(index).padStart(4, '0')}`;

  test('of a range of numbers stops at the limit of the range, also of many at once', () =>
    withApplication(world, { rateLimits }, async () => {
      token = await world.clientToken();
      const number = inRow('+1212867');
      const sends = await atOnce(NUMBERS, (index) =>
        codeBased(world, token).sendSmsOtp({ phone_number: number(index), create_new_user: true }),
      );
      const sent = sends.filter(({ status }) => status === 200);
      expect(sent).toHaveLength(PER_HOUR);
      for (const { status, headers } of sends.filter((each) => !sent.includes(each))) {
        expect(status).toBe(429);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      // Another range is another count.
      const other = { phone_number: '+12128680000', create_new_user: true };
      expect(await codeBased(world, token).sendSmsOtp(other)).toMatchObject({ status: 200 });
    }));

  test('counts every way to a number, and goes on in the next hour', () =>
    withApplication(world, { rateLimits: { ...rateLimits, smsPerPrefixPerHour: 3 } }, async () => {
      token = await world.clientToken();
      const number = inRow('+1312867');
      const email = newEmail();
      const { user_id: userId } = await createUser(world, { email, phone_number: number(1) });
      const login = hostedLogin(world);
      const page = await login.browser().open(login.address());
      await page.submit({ identifier: number(1), method: 'sms' });
      const byUser = { identifier_type: 'user_id', identifier: userId };
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
      const disguised = { identifier_type: 'email', identifier: email, custom_phone_number: number(2) };
      expect(await sendOtp(disguised)).toMatchObject({ status: 200 });
      const refused = { status: 429, body: { error_code: 'rate_limited' } };
      expect(await sendOtp(disguised)).toMatchObject(refused);
      // Counted beside the message, since the number is on the user's record alone: the one that finds it full still goes.
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
      expect(await sendOtp(byUser)).toMatchObject(refused);
      await world.advanceClock(3600);
      token = await world.clientToken();
      expect(await sendOtp(byUser)).toMatchObject({ status: 200 });
    }));
});
