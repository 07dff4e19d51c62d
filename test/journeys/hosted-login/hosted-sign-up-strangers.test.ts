// Account enumeration by sign-ups on hosted pages. Rate limits are on, because they make AWS calls of their own.
import { expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { otherDigits, readPageError, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';

const { server, login } = useHostedLogin({ environment: { ENVIRONMENT: 'test' } });

/** Counts the AWS calls of submitted forms, except the delivery of messages. */
function countWork(): Readonly<Record<string, number>> {
  const calls = Object.entries(server.metrics().loginAct?.aws_calls ?? {});
  return Object.fromEntries(calls.filter(([name]) => !/^(?:ses|sns)\./.test(name)));
}

const newAddress = (method: string) => (method === 'sms' ? newPhoneNumber() : newEmail());

test.each(['email', 'link', 'sms'] as const)(
  'N122 a sign-up by %s makes the same AWS calls for new and known addresses',
  async (method) => {
    const [known, unknown] = [newAddress(method), newAddress(method)];
    await createUser(server, { [method === 'sms' ? 'phone_number' : 'email']: known });
    const work = async (identifier: string) => {
      const jar = login.browser();
      // The first request sets a cookie. A browser with this cookie could be a known device, so the cookie is looked up.
      await jar.open(login.address());
      const page = await jar.open(login.address());
      server.resetMetrics();
      const began = performance.now();
      const sent = await page.submit({ identifier, method });
      const milliseconds = performance.now() - began;
      const [message] = await server.messages({ to: identifier });
      const wrong = otherDigits(message?.codes[0] ?? '');
      if (method !== 'link')
        expect(readPageError(await sent.submit({ passcode: wrong }))).toMatch(/isn’t right/);
      expect(milliseconds).toBeGreaterThanOrEqual(600);
      return countWork();
    };
    // The first sign-up is not compared, because it fills the caches of the functions.
    await work(newAddress(method));
    const expected = await work(known);
    expect(expected['dynamodb.UpdateItem']).toBeGreaterThan(3);
    expect(await work(unknown)).toEqual(expected);
  },
);

test("N122 exhausting an application's sign-up quota does not change the login page", async () => {
  const [known, first, second] = [newEmail(), newEmail(), newEmail()];
  await createUser(server, { email: known });
  await withApplication(server, { rateLimits: { anonymousSignUpsPerMinute: 1 } }, async () => {
    await server.nextMinute();
    const errors = [];
    for (const email of [first, known, known, second])
      errors.push(readPageError(await login.toCode(login.browser(), email)));
    expect(errors).toEqual([undefined, undefined, undefined, undefined]);
    const mails = await Promise.all([first, known, second].map((to) => server.messages({ to })));
    expect(mails.map(({ length }) => length)).toEqual([1, 2, 0]);
  });
});
