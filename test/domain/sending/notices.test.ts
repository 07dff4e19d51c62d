import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { notifyAll } from '../../../functions/events/notices.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant({ tenantId: 'tenant', name: 'Shop' });
const DAY = 86_400;
const settings = {
  ...{ areas: [], mailFrom: 'login@example.com', browserOrigin: 'https://login.example.com' },
  ...{ smsCountries: 'any', rateLimits: 'on' },
} as unknown as Parameters<typeof notifyAll>[1];

beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(T * 1000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Creates the ports of the function with one user, and lists its calls that write or send. */
function harness(change: Partial<User>, answers: Readonly<Record<string, unknown>> = {}) {
  const user = someUser({ userId: 'ann', tenantId: 'tenant', ...change });
  const calls: unknown[][] = [];
  const noting =
    (name: string, usual?: unknown) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      const { [name]: answer = usual } = answers;
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const ports = {
    users: { find: async (id: string) => (id === 'ann' ? user : undefined) },
    tenants: { find: async (id: string) => (id === 'tenant' ? tenant : undefined) },
    applications: { find: async () => undefined },
    replays: { spend: noting('spend', true) },
    windows: { count: noting('count', { admitted: true, exhausted: false, fill: 0.5 }) },
    mailer: { send: noting('mail', { messageId: 'm' }) },
    smsSender: { send: noting('text', {}) },
    timeline: { addMessage: noting('event'), rememberText: noting('remember') },
  } as unknown as Parameters<typeof notifyAll>[0];
  const notify = (fields: object, attempt = 1) => {
    const time = new Date(T * 1000).toISOString();
    const detail = { id: 'event', time, tenant_id: 'tenant', user_id: 'ann', ...fields };
    const message = { messageId: 'message', body: JSON.stringify({ detail }) };
    return notifyAll(ports, settings, [
      { ...message, attributes: { ApproximateReceiveCount: String(attempt) } },
    ]);
  };
  const named = (name: string) => calls.filter(([each]) => each === name).map(([, ...given]) => given);
  return { calls, notify, named };
}
const email = someAddress('ann@example.com');
const phoneNumber = someAddress('+12015550123');
const spends = (name: string, until = T + 3 * DAY) => [
  ['notice', name, T + 60, T],
  ['notice', name, until, T + 60],
];

describe('notices to users', () => {
  test('a notice is reserved, sent, remembered for three days and stored in the timeline', async () => {
    const { notify, named } = harness({ email });
    expect(await notify({ type: 'login.new_device', request_id: 'request' })).toEqual([]);
    expect(named('spend')).toEqual(spends('event'));
    expect(named('mail')).toEqual([
      [
        expect.objectContaining({
          to: email.value,
          tenantId: 'tenant',
          subject: { userId: 'ann', applicationId: undefined, tenantId: 'tenant' },
          facts: { purpose: 'notice', link: undefined, language: 'en', applicationName: 'Shop' },
          requestId: 'request',
        }),
      ],
    ]);
    expect(named('event')).toEqual([
      [
        'ann',
        {
          ...{ eventId: 'event/message.sent', type: 'message.sent', time: expect.any(String) },
          detail: {
            ...{ operation: 'notices', sent: 'email', notice: 'new_device', message_id: 'm' },
            recipient: 'a•••@e•••.com',
          },
        },
        expect.any(Number),
        undefined,
      ],
    ]);
  });

  test('a text message is charged to the SMS budget and stored without an unknown message ID', async () => {
    const { notify, named } = harness({ phoneNumber });
    expect(await notify({ type: 'passkey.added' })).toEqual([]);
    expect(named('spend')).toEqual(spends('event/sms'));
    const [, budget] = named('count');
    expect(budget).toEqual([
      'sms-tenant#tenant',
      [
        { seconds: DAY, max: 2000 },
        { seconds: 30 * DAY, max: 20_000 },
      ],
      T,
    ]);
    expect(named('text')).toMatchObject([[{ to: phoneNumber.value, text: expect.stringContaining('Shop') }]]);
    const [[, event] = []] = named('event');
    expect(event).toMatchObject({
      eventId: 'event/sms/message.sent',
      detail: expect.not.objectContaining({ message_id: expect.anything() }),
    });
  });

  test('a notice about a pending recovery is sent once for the recovery, to each address', async () => {
    const recovery = {
      cause: 'risk',
      kinds: ['phone'],
      since: T - 5,
      effectiveAt: T + 9,
      endsAt: T + 99,
    } as const;
    const { notify, named } = harness({ email, phoneNumber, recovery });
    for (const type of ['user.recovery_requested', 'user.phone_risk_set'])
      expect(await notify({ type })).toEqual([]);
    const keys = ['email', 'sms'].map((channel) => `ann/${T - 5}/${channel}`);
    expect(new Set(named('spend').map(([, name]) => name))).toEqual(new Set(keys));
    const without = harness({ email });
    expect(await without.notify({ type: 'user.phone_risk_set' })).toEqual([]);
    expect(without.calls).toEqual([]);
  });

  test('the notice to a previous address is sent once for the change and remembered until its link expires', async () => {
    const former = someAddress('old@example.com');
    const change = { changeId: 'change', changedAt: T, until: T + 77, linkFrom: T, validBefore: [1] };
    const { notify, named } = harness({
      email,
      changes: [{ ...change, undoCondition: 'link', what: { attribute: 'email', former } }],
    });
    expect(await notify({ type: 'user.email_changed' })).toEqual([]);
    expect(named('mail')).toMatchObject([[{ to: former.value }]]);
    expect(named('spend')).toEqual(spends('ann/change', T + 77));
    expect(named('count')).toEqual([]);
  });

  test('only the first attempt of a notice counts towards the daily limit', async () => {
    const full = { count: { admitted: false, retryAfterSeconds: 60 } };
    const { notify, named } = harness({ email }, full);
    expect(await notify({ type: 'login.locked' })).toEqual([]);
    expect([named('count').length, named('mail').length]).toEqual([1, 0]);
    expect(await notify({ type: 'login.locked' }, 2)).toEqual([]);
    expect([named('count').length, named('mail').length]).toEqual([1, 1]);
  });

  test('a notice that another copy of the event has reserved is not sent', async () => {
    const { notify, named } = harness({ email }, { spend: false });
    expect(await notify({ type: 'login.locked' })).toEqual([]);
    expect([named('spend').length, named('count'), named('mail')]).toEqual([1, [], []]);
  });

  test.each([
    ['has no notice', {}, { type: 'user.created' }],
    ['has no user', {}, { type: 'login.locked', user_id: undefined }],
    ['is about an unknown user', {}, { type: 'login.locked', user_id: 'other' }],
    ['is about a test user', { isTest: true }, { type: 'login.locked' }],
    ['is about a user of another tenant', { tenantId: 'other' }, { type: 'login.locked' }],
    ['comes from an unknown tenant', { tenantId: 'gone' }, { type: 'login.locked', tenant_id: 'gone' }],
  ])('an event that %s causes no notice', async (_, change, fields) => {
    const { notify, calls } = harness({ email, ...change }, {});
    expect(await notify(fields)).toEqual([]);
    expect(calls).toEqual([]);
  });

  test.each([
    ['remembered', { mayArrive: true, audit: { messageId: 'late' } }, [], 'late'],
    ['sent again', { mayArrive: true }, ['message'], undefined],
    ['sent again', { audit: { messageId: 'late' } }, ['message'], undefined],
  ])('a notice is %s after a failure with %j', async (_, detail, failed, message_id) => {
    const { notify, named } = harness({ email }, { mail: new ServiceError('service_unavailable', detail) });
    expect(await notify({ type: 'login.locked' })).toEqual(failed);
    const [[, event] = []] = named('event');
    expect((event as { readonly detail: object } | undefined)?.detail).toEqual(
      message_id && expect.objectContaining({ message_id }),
    );
  });

  test('a notice that could not be sent is not remembered, and the queue delivers its event again', async () => {
    const { notify, named } = harness({ email }, { mail: new Error('SES') });
    expect(await notify({ type: 'login.locked' })).toEqual(['message']);
    expect([named('spend').length, named('event')]).toEqual([1, []]);
  });
});
