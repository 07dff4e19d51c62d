import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { forward } from '../../../functions/events/event-forwarder.ts';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { SecurityEvent } from '../../../shared/ports/events.ts';
import type { CredentialChange, User } from '../../../shared/ports/people.ts';
import { someClient, someSession, someUser, someWebhook, T } from '../../support/server/records.ts';

type Ports = Parameters<typeof forward>[0];

const DAY = 86_400;
const TIMELINE = 100;
const time = new Date(T * 1000 + 999).toISOString();

const event = (type: string, fields: Partial<SecurityEvent> = {}): SecurityEvent => ({
  ...{ id: `r/${type}`, type, time, operation: 'test', request_id: 'r' },
  ...{ tenant_id: 'tenant', user_id: 'ann' },
  ...fields,
});

/** Creates the ports of the forwarder with one user, and lists the calls that write or publish. */
function harness(change: Partial<User> = {}, own: object = {}) {
  const calls: [string, ...Record<string, unknown>[]][] = [];
  const noting =
    (name: string, answer?: unknown) =>
    async (...given: Record<string, unknown>[]) => {
      calls.push([name, ...given]);
      return answer;
    };
  const ports = {
    bus: { publish: noting('publish') },
    timeline: {
      add: noting('add'),
      addChange: noting('change'),
      addMessage: noting('message'),
      erase: noting('erase'),
    },
    seenDevices: { note: noting('device', 'new') },
    users: { find: async () => someUser({ userId: 'ann', tenantId: 'tenant', ...change }) },
    userRecords: { find: noting('user') },
    sessions: {
      review: noting('review', { active: [], unnotified: [] }),
      end: noting('end'),
      markClientsNotified: noting('notified'),
    },
    webhooks: { listOf: async () => [] },
    ...own,
  } as unknown as Ports;
  const run = async (...events: readonly SecurityEvent[]) => {
    await forward(ports, events, TIMELINE);
    const named = (name: string) => calls.filter(([each]) => each === name).map(([, ...given]) => given);
    return { named, published: named('publish').flat(2) };
  };
  return { run, calls, noting };
}

describe('events in timelines and on the event bus', () => {
  test('a login from a new device is stored and published with its own event', async () => {
    const login = event('login.succeeded', { user_agent: 'agent' });
    const { named, published } = await harness().run(login);
    const { id: eventId, type, user_id: userId, time: at, ...detail } = login;
    const device = createHash('sha256').update('agent').digest('base64url');
    expect(named('device')).toEqual([['ann', { device, eventId, at: T, purgeAt: T + 400 * DAY }]]);
    const newDevice = 'login.new_device';
    expect(named('add')).toEqual([
      [{ eventId, type, userId, time: at, detail }, T + TIMELINE],
      [{ eventId: `r/${newDevice}`, type: newDevice, userId, time: at, detail }, T + TIMELINE],
    ]);
    expect(published).toEqual([login, { ...login, id: `r/${newDevice}`, type: newDevice }]);
    expect(named('review')).toEqual([['ann', expect.any(Number)]]);
  });

  test('a device is identified by its ID, or else by its cookie or user agent', async () => {
    const names = { device_id: 'device', browser: 'cookie', user_agent: 'agent' };
    const { device_id: _, ...withoutId } = names;
    const { named } = await harness().run(
      ...[names, withoutId, {}].map((fields) => event('login.succeeded', fields)),
      event('login.failed', names),
    );
    const hashes = named('device').map(([, seen]) => seen?.device);
    expect(hashes).toEqual(
      ['device', 'cookie'].map((name) => createHash('sha256').update(name).digest('base64url')),
    );
  });

  test('an event about a message is only stored, for its user or for the address', async () => {
    const { id, ...sent } = event('message.sent', { sent: 'email', application_id: 'app' });
    const { user_id: _, ...unknown } = { ...sent, id, recipient_hash: 'hash' };
    const { named, published } = await harness().run({ ...sent, id }, unknown);
    const detail = { operation: 'test', request_id: 'r', sent: 'email', application_id: 'app' };
    const stored = { eventId: id, type: sent.type, time, detail };
    expect(named('message')).toEqual([
      ['ann', stored, T + 30 * DAY, undefined],
      ['hash', stored, T + 30 * DAY, undefined],
    ]);
    expect([named('add'), published]).toEqual([[], []]);
  });

  test('a change of a record is stored for its tenant and user, without the erasure of a user', async () => {
    const updated = event('user.updated', { record_kind: 'user', changes: 'name' });
    const { tenant_id: _, ...managed } = event('management.changed', { person_id: 'ben' });
    const erased = event('user.erased', { record_kind: 'user' });
    const { named } = await harness().run(updated, managed, erased, event('user.unlocked'));
    const common = { time, detail: { operation: 'test', request_id: 'r' } };
    expect(named('change')).toEqual([
      [
        {
          ...{ eventId: updated.id, type: updated.type, tenantId: 'tenant', userId: 'ann', time },
          detail: { ...common.detail, record_kind: 'user', changes: 'name' },
        },
        T + 400 * DAY,
      ],
      [
        { eventId: managed.id, type: managed.type, tenantId: OPERATORS_TENANT_ID, userId: 'ben', ...common },
        T + 400 * DAY,
      ],
    ]);
    expect(named('add').map(([added]) => added?.type)).toEqual([
      'user.updated',
      'management.changed',
      'user.unlocked',
    ]);
  });

  test('the timeline of an erased user is erased after each of their events', async () => {
    const users = { find: async () => undefined };
    const { named } = await harness({}, { users }).run(event('user.erased'));
    expect([named('erase'), named('add')]).toEqual([[['ann']], []]);
  });

  test('an event contains the number of the webhooks that subscribe to it', async () => {
    const listOf = async (id: string) =>
      id === 'tenant' ? [someWebhook(), someWebhook(), someWebhook({ events: ['login.*'] })] : [];
    const other = event('user.updated', { tenant_id: 'other' });
    const { published } = await harness({}, { webhooks: { listOf } }).run(event('user.updated'), other);
    expect(published).toEqual([{ ...event('user.updated'), webhooks: 2 }, other]);
  });
});

describe('events that follow from other events', () => {
  test('a login ends the surplus sessions of its user after the event was published', async () => {
    const active = Array.from({ length: 101 }, (_, n) =>
      someSession({ sessionId: `s${n}`, startedAt: T + n }),
    );
    const own = harness();
    const sessions = {
      review: async () => ({ active, unnotified: [] }),
      end: own.noting('end'),
    };
    const { published, named } = await harness({}, { sessions }).run(event('login.succeeded'));
    const [oldest] = active;
    const ended = {
      ...{ id: 's0/session.ended', type: 'session.ended', time, operation: 'event-forwarder' },
      ...{ tenant_id: 'tenant', user_id: 'ann', session_id: 's0' },
      ...{ application_id: oldest?.applicationId, client_id: oldest?.clientId },
    };
    expect(published).toEqual([event('login.succeeded'), ended]);
    expect(named('add').map(([added]) => added?.eventId)).toEqual(['r/login.succeeded', ended.id]);
    expect(own.calls).toEqual([['end', 's0', expect.any(Number)]]);
    const { published: others } = await harness({}, { sessions }).run(event('user.updated'));
    expect(others).toEqual([event('user.updated')]);
  });

  test('each client with a logout URI is notified of an ended session once', async () => {
    const withLogout = { tenantId: 'tenant', backchannelLogoutUri: 'https://shop.example.com/logout' };
    const clients = new Map([
      ['a', someClient({ ...withLogout, clientId: 'a' })],
      ['b', someClient({ tenantId: 'tenant', clientId: 'b' })],
      ['c', someClient({ ...withLogout, tenantId: 'other', clientId: 'c' })],
    ]);
    const unnotified = [{ sessionId: 's', clientIds: ['a', 'b', 'c', 'gone'] }];
    const own = harness();
    const { run } = harness(
      {},
      {
        clients: { find: async (id: string) => clients.get(id) },
        sessions: {
          review: async () => ({ active: [], unnotified }),
          markClientsNotified: own.noting('notified'),
        },
      },
    );
    const { published } = await run(event('session.ended'), event('user.updated'));
    expect(published).toEqual([
      ...[event('session.ended'), event('user.updated')],
      {
        ...{ id: 's/a/logout.due', type: 'logout.due', time: expect.any(String), webhooks: 1 },
        ...{ tenant_id: 'tenant', user_id: 'ann', session_id: 's', client_id: 'a' },
      },
    ]);
    expect(own.calls).toEqual([['notified', 's', expect.any(Number)]]);
    const { user_id: _, ...withoutUser } = event('user.updated');
    const { named } = await harness().run(event('login.failed'), event('user.created'), withoutUser);
    expect(named('review')).toEqual([]);
  });

  const recovery = {
    cause: 'lost',
    kinds: ['phone'],
    since: T,
    effectiveAt: T + 60,
    endsAt: T + 99,
  } as const;
  const cancelled = { type: 'user.recovery_cancelled', id: 'r/user.recovery_cancelled' };
  const undo: CredentialChange = {
    ...{ changeId: 'change', changedAt: T, until: T + 9, validBefore: [1], undoCondition: 'link' },
    ...{ linkFrom: T + 5, what: { attribute: 'phoneNumber' } },
  };

  test.each<[string, Partial<User>, string, number, boolean]>([
    ['a login with the lost factor', { recovery }, 'sms', 0, true],
    ['a login with another factor', { recovery }, 'eotp', 0, false],
    ['a login before the recovery', { recovery }, 'sms', -1, false],
    ['a login by phone during a delayed undo', { changes: [undo] }, 'sms', 0, true],
    ['a login by email during a delayed undo', { changes: [undo] }, 'eotp', 0, false],
    ['a login by a code of a client during a delayed undo', { changes: [undo] }, 'otp', 0, false],
    ['a login after an undo', { changes: [{ ...undo, linkFrom: T + 9 }] }, 'sms', 0, false],
  ])('%s ends what it disproves', async (_, change, method, delay, ends) => {
    const over = async () => {
      throw new ServiceError('notice_link_over');
    };
    const login = event('login.succeeded', { method, time: new Date((T + delay) * 1000).toISOString() });
    const { published } = await harness(change, { userRecords: { find: over } }).run(login);
    expect(published).toEqual(ends ? [login, { ...login, ...cancelled }] : [login]);
    const broken = async () => {
      throw new ServiceError('service_unavailable');
    };
    const failing = harness(change, { userRecords: { find: broken } }).run(login);
    if (ends) await expect(failing).rejects.toMatchObject({ key: 'service_unavailable' });
    else await failing;
  });
});
