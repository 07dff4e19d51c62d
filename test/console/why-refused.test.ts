import { describe, expect, test } from '@jest/globals';
import { demo } from '../../lib/local/demo.ts';
import type { SendRefusal } from '../../shared/ports/audit.ts';
import { failTimes, hostedLogin } from '../support/fixtures/hosted-login.ts';
import { grantTo } from '../support/fixtures/operators.ts';
import { changeUser, newEmail } from '../support/fixtures/people.ts';
import { storeApplication, storeTenant } from '../support/fixtures/tenants.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { useSupportDesk } from './support-desk.ts';

// "Why did no code arrive?" For each reason for which the service sends no message, the console shows an explanation and
// advice. The tests cause each reason by real API calls.

const server = useTestServer({
  ...{ rateLimits: 'on', events: true },
  environment: { SMS_COUNTRIES: 'US,CA' },
});
const login = hostedLogin(server);
const { somePerson, ask, shownAt, afterFault } = useSupportDesk(server);

/** Requests a code on the hosted page and makes the fourth DynamoDB update fail, which the hosted page does not reveal. */
const afterStoreFailed = (code: string) =>
  afterFault(
    { service: 'dynamodb', action: 'UpdateItem', operation: 'loginAct', skip: 3, effect: 'error', code },
    ({ sms }) => login.toCode(login.browser(), sms, {}, 'sms'),
  );

/** Sends an email to a mailbox of the SES simulator that bounces or complains, so that the next email is not sent. */
async function afterMail(mailbox: string, sentence: string): Promise<string> {
  const person = await somePerson({ email: `${mailbox}+${crypto.randomUUID()}@simulator.amazonses.com` });
  expect(await ask(person, 'email')).toBe(200);
  // Waits until SES has reported the outcome.
  while (!(await shownAt(person.path)).includes(sentence));
  expect(await ask(person, 'email')).toBe(400);
  return person.path;
}

/** Reason for a rejection: a function that causes it and returns a console page, and the explanation and advice on the page. */
type Reason = readonly [happen: () => Promise<string>, says: string, advises: string];

const refusals = {
  recipient_limit: [
    async () => {
      const person = await somePerson();
      while ((await ask(person, 'email')) === 200);
      return person.path;
    },
    'too many messages to this recipient; wait and try again, until ',
    'Look for the last code in the spam folder',
  ],
  network_limit: [
    async () => {
      const person = await somePerson();
      const { clientId } = await storeApplication(server, { rateLimits: { anonymousPerMinute: 1 } });
      await server.nextMinute();
      for (const _ of [1, 2]) await login.toCode(login.browser(), person.email, { client_id: clientId });
      return person.path;
    },
    'too many requests from this network; wait and try again, until ',
    'Wait a minute, or try from another network',
  ],
  sms_range: [
    async () => {
      const rateLimits = { smsPerPrefixPerHour: 1, smsPerPrefixPerDay: 1 };
      const narrow = await server.clientToken(await storeApplication(server, { rateLimits }));
      const [first, second] = [await somePerson(), await somePerson()];
      expect([await ask(first, 'sms', narrow), await ask(second, 'sms', narrow)]).toEqual([200, 429]);
      return second.path;
    },
    'too many texts to this range of numbers, until ',
    'Many numbers of one range look like fraud',
  ],
  sms_budget: [
    async () => {
      const other = await storeTenant(server);
      const { tenantId } = other.application;
      const { tenantRecords } = await server.ports(['tenantRecords']);
      const tenant = await tenantRecords.find(tenantId);
      if (!tenant) throw new Error('there is no tenant');
      await tenantRecords.replace(tenant, { ...tenant, smsPerDay: 0 });
      await grantTo(server, demo.operator, { tenantId, role: 'support' });
      const poor = await server.clientToken(other);
      const person = await somePerson({}, poor, tenantId);
      expect(await ask(person, 'sms', poor)).toBe(429);
      return person.path;
    },
    'the SMS budget of the tenant is used up, until ',
    'Use mail until the month ends, or have the budget raised',
  ],
  mail_bounced: [
    () => afterMail('bounce', 'Came back for good: General 5.1.1'),
    'mail to this address came back',
    'Ask for another address, and set it',
  ],
  mail_complaint: [
    () => afterMail('complaint', 'called the mail spam'),
    'its owner has called our mail spam',
    'Make sure that the person wants our mail',
  ],
  number_at_risk: [
    async () => {
      const person = await somePerson();
      await server.put(
        `/v1/users/${person.userId}/phone-risk`,
        { signal: 'sim_swap' },
        {
          token: await server.clientToken(),
        },
      );
      expect(await ask(person, 'sms')).toBe(400);
      return person.path;
    },
    'the number is reported at risk',
    'clear the risk of the number',
  ],
  country: [
    async () => {
      const person = await somePerson({ phone_number: '+4915112345678' });
      expect(await ask(person, 'sms')).toBe(400);
      return person.path;
    },
    'texts do not go to the country of this number',
    'have the country allowed for this environment',
  ],
  provider_refused: [
    () => afterFault({ service: 'ses', effect: 'error', code: 'MessageRejected' }, 'email'),
    'the provider has refused it, MessageRejected',
    'Check the number or address for a mistake',
  ],
  provider_unreachable: [
    () => afterFault({ service: 'sns', effect: 'lost-request' }, 'sms'),
    'the provider did not answer, TimeoutError',
    'Try again in a minute',
  ],
  wrong_codes: [
    async () => {
      const person = await somePerson();
      const page = await failTimes(await login.toCode(login.browser(), person.email));
      await page.submit({}, '/resend');
      return person.path;
    },
    'codes are locked after wrong ones, until ',
    'unlock the user if you are sure of the person',
  ],
  user_disabled: [
    async () => {
      const person = await somePerson();
      await changeUser(server, person.userId, { status: 'Disabled' });
      await login.toCode(login.browser(), person.email);
      return person.path;
    },
    'the user is disabled, or has deleted their account',
    'Find out why the user was disabled',
  ],
  no_user: [
    async () => {
      const unknown = newEmail('unknown');
      expect(await ask({ email: unknown, sms: '' }, 'email')).toBe(404);
      return `/${demo.tenantId}/deliveries?${new URLSearchParams({ to: unknown })}`;
    },
    'no user has this address, and sign-up is off or was not requested',
    'Ask for the address that the account was made with',
  ],
  test_user: [
    async () => {
      const client = await storeApplication(
        server,
        { testIdentities: true },
        { permissions: ['auth:execute', 'users:create', 'users:read', 'users:test'] },
      );
      const tester = await server.clientToken(client);
      const person = await somePerson({ email: 'ann+1@example.com', test: true }, tester);
      expect(await ask(person, 'email', tester)).toBe(200);
      return person.path;
    },
    'a test user gets no messages',
    'Read the code of the test user by API',
  ],
  failed: [
    () => afterStoreFailed('AccessDeniedException'),
    'an error of ours',
    'Give the time and the user ID to the person who reads the logs',
  ],
} as const satisfies Readonly<Record<SendRefusal, Reason>>;

describe('messages that the service did not send', () => {
  test.each(Object.entries<Reason>(refusals))(
    'the console explains why a message was rejected: %s',
    async (_refusal, [happen, says, advises]) => {
      const shown = await shownAt(await happen());
      expect(shown).toContain('Not sent');
      expect(shown).toContain(says);
      expect(shown).toContain(advises);
    },
  );

  test('the console explains that a message was not sent because the database was overloaded', async () => {
    expect(await shownAt(await afterStoreFailed('ThrottlingException'))).toContain(refusals.failed[1]);
  });
});
