import { expect, test } from '@jest/globals';
import {
  countSend,
  forgetSends,
  type MessageRequester,
  recipientHash,
} from '../../../shared/domain/rate-limits/send-window.ts';
import { someApplication, someTenant, T } from '../../support/server/records.ts';

const MINUTE = 60;
const DAY = 86_400;
const application = someApplication({ rateLimits: { sendsPerMinute: 10, sendsPerDay: 100 } });
const sender = { application, settings: { rateLimits: 'on' }, now: T } as const;
const asked = (requester: MessageRequester) => ({ channel: 'email', recipient: 'ann', requester }) as const;

test.each<[MessageRequester, unknown]>([
  [
    { kind: 'known' },
    [
      { seconds: MINUTE, max: 15 },
      { seconds: DAY, max: 150 },
    ],
  ],
  [
    { kind: 'stranger', network: 'net' },
    [
      { seconds: MINUTE, max: 10 },
      { seconds: MINUTE, max: 7, subKey: 'strangers' },
      { seconds: DAY, max: 67, subKey: 'strangers' },
      { seconds: DAY / 4, max: 17, subKey: 'net' },
      { seconds: DAY, max: 23, subKey: 'net' },
      { seconds: DAY, max: 100 },
    ],
  ],
  [
    { kind: 'backend' },
    [
      { seconds: MINUTE, max: 10 },
      { seconds: DAY, max: 100 },
    ],
  ],
  [
    { kind: 'backend', network: 'net' },
    [
      { seconds: MINUTE, max: 10 },
      { seconds: DAY, max: 34, subKey: 'net' },
      { seconds: DAY, max: 100 },
    ],
  ],
])('a message that is requested by %j is counted in its share of the limits', async (requester, windows) => {
  const counted: unknown[] = [];
  const count = async (...given: unknown[]) => {
    counted.push(given);
    return { admitted: true };
  };
  await countSend({ windows: { count } } as never, sender, asked(requester));
  expect(counted).toEqual([[`send#${application.applicationId}#email#ann`, windows, T]]);
  await countSend(
    { windows: { count } } as never,
    { ...sender, settings: { rateLimits: 'off' } },
    asked(requester),
  );
  expect(counted).toHaveLength(1);
});

test('a message above the limit of its recipient is rejected with the time to wait', async () => {
  const count = async () => ({ admitted: false, retryAfterSeconds: 30 });
  await expect(
    countSend({ windows: { count } } as never, sender, asked({ kind: 'known' })),
  ).rejects.toMatchObject({
    key: 'rate_limited',
    detail: { retryAfterSeconds: 30, audit: { refusal: 'recipient_limit' } },
  });
});

test('messages to a user are counted for the user, and other messages for the address', () => {
  const tenant = someTenant();
  const [email, number] = ['email', 'phone_number'].map((type) => ({ type, value: 'address' }));
  const hash = (holderId: string | undefined, address = email) =>
    recipientHash(tenant, holderId, address as NonNullable<typeof email>);
  expect(hash('user')).toBe(hash('user', number));
  expect(new Set([hash('user'), hash('other'), hash(undefined), hash(undefined, number)]).size).toBe(4);
});

test('the limits of many recipients are cleared on each channel, at most 50 limits per call', async () => {
  const calls: unknown[][] = [];
  const forget = async (keys: readonly string[], ...rest: unknown[]) => void calls.push([keys, ...rest]);
  const places = Array.from({ length: 13 }, (_, n) => ['app', `person-${n}`] as const);
  await forgetSends({ windowRecords: { forget } } as never, places, T);
  const keys = calls.map(([each]) => each as string[]);
  expect(keys.map(({ length }) => length)).toEqual([50, 2]);
  const channels = ['email', 'link', 'sms', 'direct'];
  expect(keys.flat().toSorted()).toEqual(
    places.flatMap(([id, person]) => channels.map((channel) => `send#${id}#${channel}#${person}`)).toSorted(),
  );
  for (const [, ...rest] of calls) expect(rest).toEqual([DAY, T]);
});
