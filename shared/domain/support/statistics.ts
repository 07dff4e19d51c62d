// Statistics of a tenant: logins, failures and messages by the hour, and limits that are nearly reached.
import { createHash } from 'node:crypto';
import type { Tenant } from '../../ports/directory.ts';
import type { SecurityEvent } from '../../ports/events.ts';
import type { ApplicationCounts, Counts } from '../../ports/statistics.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { isChannel, toChannel } from '../../records/channels.ts';
import { COUNTED, COUNTED_BY_APPLICATION, STATISTICS_APPLICATIONS_MAX } from '../../records/statistics.ts';
import { awaitAll, inBatches } from '../basis/await-all.ts';
import {
  APPLICATIONS_DEFAULT,
  HOUR_SECONDS,
  PARALLEL_WRITES,
  STATISTICS_INTERVAL_SECONDS,
} from '../basis/limits.ts';
import { toWireDate } from '../basis/time.ts';
import { type BudgetLimit, readSmsBudget } from '../rate-limits/sms-budget.ts';

const COUNTER: Readonly<Record<string, keyof Counts>> = {
  'login.succeeded': 'logins',
  'login.failed': 'failures',
  'message.sent': 'sends',
  'message.refused': 'refusals',
};

/**
 * Length of a batch's hash in bytes: long enough to distinguish the batches of one 15-minute interval, and short because the
 * counter item stores every hash.
 */
const BATCH_BYTES = 6;
const MILLISECONDS = 1000;

const hashBatch = (events: readonly SecurityEvent[]): string =>
  createHash('sha256')
    .update(events.map(({ id }) => id).join('\n'))
    .digest()
    .subarray(0, BATCH_BYTES)
    .toString('base64url');

type ByApplication = Map<string, Partial<ApplicationCounts>>;

function add<Name extends string>(counts: Partial<Record<Name, number>>, name: Name, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

/**
 * Returns true for a login with a code or link, even if another factor completed the login. The event names the method that
 * completed the login, and the channel of the code or link.
 */
const hasUsedMessage = ({ method, channel }: SecurityEvent): boolean =>
  [method, channel].some(
    (name) => name === 'otp' || isChannel(name) || toChannel(String(name)) !== undefined,
  );

function countEvents(events: readonly SecurityEvent[]) {
  const counts: Partial<Counts> = {};
  const applications: ByApplication = new Map();
  for (const event of events) {
    const { type, sms_parts: parts, application_id: id } = event;
    const ofApplication = applications.get(String(id)) ?? {};
    const name = COUNTER[type];
    if (name) add(counts, name, 1);
    if (type === 'login.succeeded' && hasUsedMessage(event)) add(ofApplication, 'logins', 1);
    if (type === 'message.sent') add(ofApplication, 'sends', 1);
    if (type === 'message.sent' && typeof parts === 'number') {
      add(counts, 'texts', parts);
      add(ofApplication, 'texts', parts);
    }
    if (typeof id === 'string' && Object.keys(ofApplication).length > 0) applications.set(id, ofApplication);
  }
  return { counts, applications };
}

/** Counts a batch of events exactly once. A batch that is delivered again has the same events and therefore the same hash. */
export async function countBatch(
  { statistics }: PortsWith<'statistics.count'>,
  events: readonly SecurityEvent[],
): Promise<void> {
  const counted = events.filter(
    ({ type, tenant_id }) => tenant_id !== undefined && Object.hasOwn(COUNTER, type),
  );
  const groups = Map.groupBy(counted, ({ tenant_id, time }) => {
    const quarter =
      Math.floor(Date.parse(time) / MILLISECONDS / STATISTICS_INTERVAL_SECONDS) * STATISTICS_INTERVAL_SECONDS;
    return `${quarter} ${tenant_id}`;
  });
  await inBatches([...groups], PARALLEL_WRITES, async ([group, each]) => {
    const [quarter = '', tenantId = ''] = group.split(' ');
    const { counts, applications } = countEvents(each);
    await statistics.count(
      { tenantId, quarter: Number(quarter), batch: hashBatch(each) },
      counts,
      applications,
    );
  });
}

/** Fraction of a limit from which the limit is reported as nearly reached. */
const NEAR = 0.8;

interface LimitRecord {
  readonly limit: BudgetLimit | 'applications';
  readonly of: number;
  /** Current usage. Absent if the usage is not counted and only `near` is known. */
  readonly used?: number;
  readonly near: boolean;
}

async function readLimits(
  ports: PortsWith<'windowRecords.counted' | 'applicationRecords.areAtLeast'>,
  tenant: Tenant,
  at: number,
): Promise<LimitRecord[]> {
  const { maxApplications = APPLICATIONS_DEFAULT } = tenant;
  const [budget, areMany] = await awaitAll(
    readSmsBudget(ports, tenant, at),
    ports.applicationRecords.areAtLeast(tenant.tenantId, Math.ceil(maxApplications * NEAR)),
  );
  return [
    ...budget.map((each) => ({ ...each, near: each.used >= each.of * NEAR })),
    { limit: 'applications', of: maxApplications, near: areMany },
  ];
}

/** Returns the applications with the most messages, with their names. A deleted application has no name. */
async function readApplications(
  { applications }: PortsWith<'applications'>,
  counted: readonly ReadonlyMap<string, ApplicationCounts>[],
) {
  const sums = new Map<string, ApplicationCounts>();
  for (const [id, counts] of counted.flatMap((each) => [...each])) {
    const sum = sums.get(id) ?? { sends: 0, logins: 0, texts: 0 };
    for (const name of COUNTED_BY_APPLICATION) sum[name] += counts[name];
    sums.set(id, sum);
  }
  const most = [...sums]
    .map(([id, sum]) => ({ app_id: id, ...sum }))
    .toSorted((one, other) => other.sends - one.sends || other.logins - one.logins)
    .slice(0, STATISTICS_APPLICATIONS_MAX);
  const found = await awaitAll(...most.map(({ app_id }) => applications.find(app_id)));
  return most.map((each, n) => ({ ...each, ...(found[n] && { name: found[n].name }) }));
}

/** Returns the statistics of the last hours, oldest first. The current hour is included. */
export async function statisticsRecord(
  ports: PortsWith<
    'statistics.list' | 'windowRecords.counted' | 'applicationRecords.areAtLeast' | 'applications'
  >,
  tenant: Tenant,
  hours: number,
  at: number,
) {
  const since = (Math.floor(at / HOUR_SECONDS) - hours + 1) * HOUR_SECONDS;
  const quarters = (hours * HOUR_SECONDS) / STATISTICS_INTERVAL_SECONDS;
  const [counted, limits] = await awaitAll(
    ports.statistics.list(tenant.tenantId, since, quarters),
    readLimits(ports, tenant, at),
  );
  const sums = Array.from(
    { length: hours },
    () => Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts,
  );
  const applications = await readApplications(
    ports,
    counted.map((each) => each.applications),
  );
  for (const { at: quarter, ...counts } of counted) {
    const sum = sums[Math.floor((quarter - since) / HOUR_SECONDS)];
    if (sum) for (const name of COUNTED) sum[name] += counts[name];
  }
  return {
    hours: sums.map((sum, n) => ({
      hour: toWireDate(since + n * HOUR_SECONDS),
      ...sum,
    })),
    applications,
    limits,
  };
}
