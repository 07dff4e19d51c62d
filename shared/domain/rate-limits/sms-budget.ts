// The budget limits the SMS of a tenant per day and per thirty days, over all of its applications, because the operator of the
// service pays for them. A message that is rejected for another reason is not counted. Otherwise, an attacker could use up the
// budget by repeating such a message. Sign-ups get only a part of the budget, so that SMS remain for users who need to log in.
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { isBilled } from '../../records/channels.ts';
import {
  DAY_SECONDS,
  HOUR_SECONDS,
  SMS_BUDGET_SHARE_OF_SIGN_UPS,
  SMS_PER_TENANT_PER_30_DAYS,
  SMS_PER_TENANT_PER_DAY,
  THIRTY_DAYS_SECONDS,
} from '../basis/limits.ts';

const PERCENT = 100;

/**
 * Message that is counted in the SMS budget of its tenant. All billed channels share one budget; other channels have no budget.
 */
export interface SmsSpender {
  readonly tenant: Tenant;
  readonly channel: string;
  /** True if no user has the phone number yet. */
  readonly toUnknownNumber: boolean;
  readonly settings: { readonly rateLimits: 'on' | 'off' };
  readonly audit: (context: AuditContext) => void;
  /** Time of the request in epoch seconds. It determines the rate-limit windows in which an SMS is counted and refunded. */
  readonly now: number;
}

type BudgetPorts = PortsWith<'windows.count' | 'windows.uncount'>;

const toBudgetKey = ({ tenantId }: Tenant) => `sms-tenant#${tenantId}`;
const chooseShare = ({ toUnknownNumber }: Pick<SmsSpender, 'toUnknownNumber'>) =>
  toUnknownNumber ? SMS_BUDGET_SHARE_OF_SIGN_UPS : 1;
/** Returns the rate-limit windows of a tenant's SMS budget. Sign-ups are counted in the same windows, with a lower maximum. */
function listWindows(spender: Pick<SmsSpender, 'tenant' | 'toUnknownNumber'>) {
  const { smsPerDay = SMS_PER_TENANT_PER_DAY, smsPer30Days = SMS_PER_TENANT_PER_30_DAYS } = spender.tenant;
  const part = chooseShare(spender);
  return [
    { seconds: DAY_SECONDS, max: Math.ceil(smsPerDay * part) },
    { seconds: THIRTY_DAYS_SECONDS, max: Math.ceil(smsPer30Days * part) },
  ];
}
const hasBudget = ({ channel, settings }: SmsSpender) => isBilled(channel) && settings.rateLimits === 'on';

/**
 * Charges an SMS to the budget of its tenant. Call it right before sending the message. Throws `rate_limited` with the wait in
 * seconds: at most an hour, because an operator may raise the budget at any time.
 */
export async function countSmsBudget(ports: PortsWith<'windows.count'>, spender: SmsSpender): Promise<void> {
  if (!hasBudget(spender)) return;
  const { tenant, audit } = spender;
  const outcome = await ports.windows.count(toBudgetKey(tenant), listWindows(spender), spender.now);
  const fill = outcome.admitted ? outcome.fill : 1;
  audit({ smsBudgetPercent: Math.floor(fill * chooseShare(spender) * PERCENT) });
  if (outcome.admitted) return;
  audit({ smsGuard: 'budget' });
  const { retryAfterSeconds } = outcome;
  throw new ServiceError('rate_limited', {
    retryAfterSeconds: Math.min(retryAfterSeconds, HOUR_SECONDS),
    audit: { refusal: 'sms_budget', retryAfterSeconds },
  });
}

/** Waits for the last steps before an SMS is sent. If one of the steps fails, tries to return the counted SMS to the budget. */
export async function refundSmsOnFailure<T>(
  ports: BudgetPorts,
  spender: SmsSpender,
  rest: Promise<T>,
): Promise<T> {
  try {
    return await rest;
  } catch (error) {
    if (hasBudget(spender))
      await ports.windows
        .uncount(toBudgetKey(spender.tenant), listWindows(spender), spender.now)
        .catch(() => {});
    throw error;
  }
}

/** Counts an SMS against its tenant's budget while `work` runs. Throws the errors of `work`, or else `rate_limited`. */
export async function withinSmsBudget<T>(
  ports: BudgetPorts,
  spender: SmsSpender,
  work: Promise<T>,
): Promise<T> {
  const [counted] = await Promise.allSettled([countSmsBudget(ports, spender), work]);
  if (counted.status === 'fulfilled') return refundSmsOnFailure(ports, spender, work);
  await work;
  throw counted.reason;
}

const LIMITS = ['sms_per_day', 'sms_per_30_days'] as const;
export type BudgetLimit = (typeof LIMITS)[number];

/** Returns how much of its SMS budget a tenant has used today and in the current thirty days. */
export async function readSmsBudget(
  { windowRecords }: PortsWith<'windowRecords.counted'>,
  tenant: Tenant,
  at: number,
): Promise<readonly { readonly limit: BudgetLimit; readonly used: number; readonly of: number }[]> {
  const windows = listWindows({ tenant, toUnknownNumber: false });
  const counted = await windowRecords.counted(toBudgetKey(tenant), windows, at);
  return LIMITS.map((limit, index) => ({
    ...{ limit, used: counted[index] ?? 0, of: windows[index]?.max ?? 0 },
  }));
}
