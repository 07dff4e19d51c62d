import { expect, test } from '@jest/globals';
import { listDeliveries, userTimeline } from '../../../functions/users/timeline.ts';
import type { AdminCaller, ClientCaller } from '../../../shared/operation.ts';
import type { TimelineEvent } from '../../../shared/ports/events.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';

const tenant = someTenant();
const application = someApplication({ applicationId: 'shop' });
const client: ClientCaller = { kind: 'client', client: someClient(), tenant, application, permissions: [] };
const admin: AdminCaller = { kind: 'admin', client: someClient(), tenant };
const viewer = { userId: 'viewer', role: 'viewer', authTime: T, guard: () => {} } as const;
const operator: AdminCaller = { kind: 'admin', tenant, operator: viewer };
const user = someUser({
  ...{ tenantId: tenant.tenantId, applications: ['shop'], email: someAddress('ann@example.com') },
});

const event = (type: string, detail: TimelineEvent['detail'], second = 0): TimelineEvent => ({
  ...{ eventId: 'e', type, detail, time: `2026-11-28T03:04:0${second}.000Z` },
});
const events = [
  event('login.failed', { application_id: 'shop' }),
  event('login.failed', { application_id: 'side' }),
  event('user.updated', { operator: 'olga', reason: 'call' }),
  event('message.refused', { refusal: 'no_user' }, 5),
  event('message.refused', { application_id: 'shop', refusal: 'wrong_codes' }, 5),
  event('message.refused', { application_id: 'shop', refusal: 'country' }, 4),
  event('message.sent', { application_id: 'shop' }, 5),
];
const plain = events.map(({ time, type, detail: { operator: _, reason: __, ...rest } }) => ({
  time,
  type,
  ...rest,
}));
const whole = events.map(({ time, type, detail }) => ({ time, type, ...detail }));

const list = async (...call: unknown[]) => {
  const keep = call.at(-1) as ((each: TimelineEvent) => boolean) | undefined;
  return { items: keep ? events.filter(keep) : events };
};
const ports = {
  timeline: { listWithMessages: list, listMessages: list },
  users: { find: async () => user },
  identifiers: { find: async () => user.userId },
  otps: { locksOf: async () => [] },
} as never;

test.each<[string, ClientCaller | AdminCaller, readonly object[]]>([
  [
    'a client only those of its application and those that are no messages',
    client,
    [0, 2, 4, 5, 6].map((n) => plain[n] ?? {}),
  ],
  ['an admin token all, without who made a change and why', admin, plain],
  ['an operator all', operator, whole],
])('of the events of a user, %s can be read', async (_, caller, result) => {
  const audited: unknown[] = [];
  const asked = { path: { userId: user.userId }, query: {}, request: { now: T }, caller };
  const input = { ...asked, audit: (facts: unknown) => audited.push(facts) } as never;
  expect(await userTimeline(input, ports)).toEqual({ json: { result, holds: [] } });
  expect(audited).toEqual([{ userId: user.userId }]);
});

test.each<[ClientCaller | AdminCaller, object, readonly object[]]>([
  [client, {}, [0, 2, 4, 5, 6].map((n) => plain[n] ?? {})],
  [client, { status: 'failed' }, plain.slice(4, 6)],
  [admin, { status: 'failed' }, plain.slice(3, 6)],
  [admin, { status: 'failed', since: '2026-11-28T04:04:05+01:00' }, plain.slice(3, 5)],
  [admin, { since: '2026-11-28T03:04:05.001Z' }, []],
])(
  'the list of messages to an address contains what %j may read and %j selects',
  async (caller, query, result) => {
    const input = { query: { to: 'ann@example.com', ...query }, caller } as never;
    expect(await listDeliveries(input, ports)).toEqual({ json: { result, user_id: user.userId } });
    const withoutUser = { ...(ports as object), users: { find: async () => undefined } } as never;
    expect(await listDeliveries(input, withoutUser)).toEqual({ json: { result } });
  },
);
