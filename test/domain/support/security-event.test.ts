import { expect, test } from '@jest/globals';
import { readSecretUses, readSecurityEvents } from '../../../functions/events/security-event.ts';

const time = '2026-11-28T03:04:05.678Z';
const line = { audit: ['user.updated', 'session.ended'], time, request_id: 'r', event: 'updateUser' };
const lines = (...all: readonly object[]) => all.map((each) => ({ line: each, at: 0 })) as never;

test('each audit event of a log line becomes an event, and only the first contains the change', () => {
  const common = { time, operation: 'updateUser', request_id: 'r', tenant_id: 'tenant', status: 200 };
  const logged = { ...line, tenant_id: 'tenant', status: 200, reason: ['x'], recipient_hash: 'hash' };
  const change = { record_kind: 'user', person_id: 'ann', changes: '{}' };
  expect(readSecurityEvents(lines({ ...logged, audit: [...line.audit, 7], ...change }))).toEqual([
    { id: 'r/user.updated', type: 'user.updated', ...common, ...change },
    { id: 'r/session.ended', type: 'session.ended', ...common },
  ]);
  expect(readSecurityEvents(lines({ ...logged, retry_after_seconds: 9 }))[0]).not.toHaveProperty('until');
});

test.each([{ audit: 'user.updated' }, { time: 7 }, { request_id: undefined }])(
  'a log line with %j contains no events',
  (change) => {
    expect(readSecurityEvents(lines({ ...line, ...change }))).toEqual([]);
  },
);

test('only the last use of each client secret is stored', () => {
  const used = { client_id: 'shop', secret_used: 'one', time };
  const later = { ...used, time: '2026-11-28T03:04:06.000Z' };
  const incomplete = [{ client_id: 7 }, { secret_used: undefined }, { time: 7 }].map((change) => ({
    ...used,
    ...change,
    ...{ secret_used: 'secret_used' in change ? change.secret_used : 'other' },
  }));
  expect(readSecretUses(lines(used, ...incomplete, { ...used, secret_used: 'two' }, later))).toEqual([
    { clientId: 'shop', secretId: 'one', time: later.time },
    { clientId: 'shop', secretId: 'two', time },
  ]);
});
