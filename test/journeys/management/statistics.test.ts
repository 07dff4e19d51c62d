// Statistics of a tenant: logins and messages per hour, and limits that are nearly reached.
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { background } from '../../../functions/background.ts';
import { create } from '../../../functions/events/event-forwarder.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Statistics {
  readonly hours: readonly Readonly<Record<string, number>>[];
  readonly applications: readonly { readonly app_id: string; readonly [field: string]: string | number }[];
  readonly limits: readonly { readonly limit: string; readonly used?: number; readonly near: boolean }[];
}

const server = useTestServer({ events: true });

async function statistics(query = ''): Promise<Statistics> {
  await server.settleEvents();
  const { token, headers } = await createOperator(server, 'viewer');
  const { status, body } = await server.get<{ readonly result: Statistics }>(`/v1/statistics${query}`, {
    token,
    headers: headers(),
  });
  expect(status).toBe(200);
  return body.result;
}

const NAMES = ['logins', 'failures', 'sends', 'refusals', 'texts'] as const;
const totals = ({ hours }: Statistics) =>
  NAMES.map((name) => hours.reduce((sum, each) => sum + (each[name] ?? 0), 0));

test('the statistics of a tenant count logins, wrong codes, messages and rejections per hour', async () => {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  await createProvenUser(server, { email, phone_number: phone });
  const before = await statistics();
  expect(before.hours).toHaveLength(168);
  await tokensBy(server, 'email', email);
  const token = await server.clientToken();
  const about = { identifier_type: 'phone_number', identifier: phone };
  const send = { channel: 'sms', ...about };
  expect((await server.post('/v1/auth/otp/send', send, { token })).status).toBe(200);
  await server.post('/v1/auth/otp/authenticate', { passcode: '000000', ...about }, { token });
  const unknownUser = { channel: 'email', identifier_type: 'email', identifier: newEmail() };
  await server.post('/v1/auth/otp/send', unknownUser, { token });
  const after = await statistics();
  const more = totals(after).map((sum, index) => sum - (totals(before)[index] ?? 0));
  expect(more).toEqual([1, 1, 2, 1, 1]);
  const used = (of: Statistics) => of.limits.find(({ limit }) => limit === 'sms_per_day')?.used ?? 0;
  expect(used(after) - used(before)).toBe(1);
  expect(after.limits.map(({ limit, near }) => [limit, near])).toEqual([
    ['sms_per_day', false],
    ['sms_per_30_days', false],
    ['applications', false],
  ]);
  expect((await statistics('?hours=2')).hours).toHaveLength(2);
});

test('the statistics count the codes of an application and the logins with a code or link', async () => {
  const { app_id } = server.environment;
  const email = newEmail();
  await createProvenUser(server, { email });
  const ofApplication = async () =>
    (await statistics()).applications.find((each) => each.app_id === app_id) ?? { sends: 0, logins: 0 };
  const before = await ofApplication();
  await tokensBy(server, 'email', email);
  // The request that ends this hosted login declines a passkey, so only an earlier request has verified the code.
  const login = hostedLogin(server);
  const jar = login.browser();
  jar.put(`__Host-passkey-${server.environment.tenant_id}`, 'can');
  leftTo(await (await login.afterCode(jar, email)).submit({}, '/later'));
  const after = await ofApplication();
  expect(after).toMatchObject({
    name: 'Demo',
    sends: Number(before.sends) + 2,
    logins: Number(before.logins) + 2,
  });
});

test('a batch of events that Lambda delivers twice is counted once in the statistics', async () => {
  const ports = await server.ports(background['event-forwarder'].uses);
  const { tenant_id } = server.environment;
  const time = new Date().toISOString();
  const logEvents = ['a', 'b', 'c'].map((request_id) => ({
    message: JSON.stringify({ event: 'test', time, request_id, audit: ['login.failed'], tenant_id }),
    timestamp: 0,
  }));
  const batch = { awslogs: { data: gzipSync(JSON.stringify({ logEvents })).toString('base64') } };
  const handler = create(ports, { EVENT_BUS: 'local', TIMELINE_DAYS: '1' });
  const down = { ...ports, webhooks: { listOf: () => Promise.reject(new Error('down')) } };
  const before = totals(await statistics());
  await expect(create(down, { EVENT_BUS: 'local', TIMELINE_DAYS: '1' })(batch)).rejects.toThrow('down');
  for (let times = 0; times < 2; times += 1) await handler(batch);
  const failed = { id: 'a/login.failed', type: 'login.failed', time, tenant_id };
  await handler({ detail: { failed: JSON.stringify(failed) } });
  expect(totals(await statistics()).map((sum, index) => sum - (before[index] ?? 0))).toEqual([0, 3, 0, 0, 0]);
});

test('the statistics report a limit as nearly reached at 80 percent', async () => {
  const { tenantRecords } = await server.ports(['tenantRecords']);
  const tenant = await tenantRecords.find(server.environment.tenant_id);
  if (!tenant) throw new Error('the demo tenant is missing');
  await tenantRecords.replace(tenant, { ...tenant, smsPerDay: 1, maxApplications: 1 });
  await server.advanceClock(120);
  expect((await statistics()).limits).toEqual([
    expect.objectContaining({ limit: 'sms_per_day', of: 1, used: 1, near: true }),
    expect.objectContaining({ limit: 'sms_per_30_days', near: false }),
    { limit: 'applications', of: 1, near: true },
  ]);
});

test.each(['0', '2161', '1.5', 'x'])('a request for statistics with hours=%s is rejected', async (hours) => {
  const token = await server.adminToken();
  expect((await server.get(`/v1/statistics?hours=${hours}`, { token })).status).toBe(400);
});
