import { expect, test } from '@jest/globals';
import { toWireDate } from '../../../shared/domain/basis/time.ts';
import { countBatch, statisticsRecord } from '../../../shared/domain/support/statistics.ts';
import { someTenant, T } from '../../support/server/records.ts';

const HOUR = 3600;
const none = { logins: 0, failures: 0, sends: 0, refusals: 0, texts: 0 };

test('the statistics contain the counts of each hour, and list applications by sent messages, then by logins', async () => {
  const start = Math.floor(T / HOUR) * HOUR;
  const counts = {
    a: { sends: 1, logins: 9, texts: 0 },
    b: { sends: 3, logins: 1, texts: 4 },
    c: { sends: 2, logins: 0, texts: 0 },
    d: { sends: 3, logins: 2, texts: 0 },
  };
  const applications = new Map(Object.entries(counts));
  const calls: unknown[] = [];
  const ports = {
    statistics: {
      list: async (...call: unknown[]) => {
        calls.push(call);
        return [
          { at: start - HOUR, ...none, logins: 1, applications },
          {
            at: start - 1,
            ...none,
            logins: 2,
            texts: 3,
            applications: new Map([['c', { sends: 0, logins: 0, texts: 1 }]]),
          },
          { at: start, ...none, sends: 4, applications: new Map() },
        ];
      },
    },
    windowRecords: { counted: async () => [8, 8] },
    applicationRecords: { areAtLeast: async (_: string, count: number) => count === 4 },
    applications: { find: async (id: string) => (id === 'b' ? { name: 'Shop' } : undefined) },
  } as never;
  const tenant = someTenant({ smsPerDay: 10, smsPer30Days: 11, maxApplications: 5 });
  expect(await statisticsRecord(ports, tenant, 2, T)).toEqual({
    hours: [
      { hour: toWireDate(start - HOUR), ...none, logins: 3, texts: 3 },
      { hour: toWireDate(start), ...none, sends: 4 },
    ],
    applications: [
      { app_id: 'd', sends: 3, logins: 2, texts: 0 },
      { app_id: 'b', sends: 3, logins: 1, texts: 4, name: 'Shop' },
      { app_id: 'c', sends: 2, logins: 0, texts: 1 },
      { app_id: 'a', sends: 1, logins: 9, texts: 0 },
    ],
    limits: [
      { limit: 'sms_per_day', used: 8, of: 10, near: true },
      { limit: 'sms_per_30_days', used: 8, of: 11, near: false },
      { limit: 'applications', of: 5, near: true },
    ],
  });
  expect(calls).toEqual([[tenant.tenantId, start - HOUR, 8]]);
});

test('the statistics count the events of each 15 minutes by tenant and application', async () => {
  const quarter = Math.floor(T / 900) * 900;
  const time = toWireDate(quarter + 899);
  const of = (application_id: string) => ({ time, tenant_id: 'acme', application_id });
  const events = [
    { type: 'login.succeeded', ...of('shop'), method: 'otp' },
    { type: 'login.succeeded', ...of('shop'), method: 'webauthn', channel: 'sms' },
    { type: 'login.succeeded', ...of('shop'), method: 'eml' },
    { type: 'login.succeeded', ...of('side'), method: 'webauthn' },
    { type: 'login.failed', ...of('side'), method: 'otp' },
    { type: 'login.failed', ...of('third') },
    { type: 'message.sent', ...of('side'), sms_parts: 3 },
    { type: 'message.sent', ...of('shop') },
    { type: 'message.refused', ...of('shop'), sms_parts: 5 },
    { type: 'message.sent', tenant_id: 'acme', time, sms_parts: 2 },
    { type: 'message.sent', tenant_id: 'acme', time: toWireDate(quarter + 900) },
    { type: 'message.sent', time },
    { type: 'user.created', ...of('shop') },
  ].map((event, id) => ({ ...event, id: `event-${id}` }));
  const counted: unknown[] = [];
  const count = async (...call: unknown[]) => void counted.push(call);
  await countBatch({ statistics: { count } } as never, events as never);
  expect(counted).toEqual([
    [
      { tenantId: 'acme', quarter, batch: expect.stringMatching(/^[\w-]{8}$/) },
      { logins: 4, failures: 2, sends: 3, refusals: 1, texts: 5 },
      new Map([
        ['shop', { logins: 3, sends: 1 }],
        ['side', { sends: 1, texts: 3 }],
      ]),
    ],
    [
      { tenantId: 'acme', quarter: quarter + 900, batch: expect.stringMatching(/^[\w-]{8}$/) },
      { sends: 1 },
      new Map(),
    ],
  ]);
});
