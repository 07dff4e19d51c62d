import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Application } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import {
  DAY_SECONDS,
  DIRECTORY_CACHE_SECONDS,
  HOUR_SECONDS,
  SMS_PER_PREFIX_PER_DAY,
  SMS_PER_PREFIX_PER_HOUR,
  SMS_PREFIX_DIGITS,
  SMS_PROBES_PER_HOUR,
  SMS_UNVERIFIED_PER_PREFIX,
  SMS_VERIFIED_PAYS_FOR,
} from '../basis/limits.ts';
import { nowSeconds } from '../basis/time.ts';

/*
 * SMS pumping: a fraudster has codes sent to a range of numbers that a carrier pays for. At most so many go to numbers that
 * begin alike, whoever asks and whoever they are of, and fewer where nobody types them in. Who has numbers in the range and
 * does type codes in keeps it open, no further than those limits.
 */

type WindowPorts = Using<'windows.count'>;
type LimitSettings = { readonly rateLimits: 'on' | 'off' };

/** For whom an SMS goes out, and where it is noted that it should not. */
export interface SmsRequester {
  readonly application: Application;
  readonly settings: LimitSettings;
  readonly audit: (note: AuditContext) => void;
}

/** What the numbers of a range begin with. */
export const smsPrefixOf = (number: string): string => number.slice(0, 1 + SMS_PREFIX_DIGITS);

const prefixKey = (applicationId: string, prefix: string) => `sms-prefix#${applicationId}#${prefix}`;

function count(ports: WindowPorts, { applicationId, rateLimits = {} }: Application, prefix: string) {
  const windows = [
    { seconds: HOUR_SECONDS, max: rateLimits.smsPerPrefixPerHour ?? SMS_PER_PREFIX_PER_HOUR },
    { seconds: DAY_SECONDS, max: rateLimits.smsPerPrefixPerDay ?? SMS_PER_PREFIX_PER_DAY },
  ];
  const max = rateLimits.smsUnverifiedPerPrefix ?? SMS_UNVERIFIED_PER_PREFIX;
  return ports.windows.count(prefixKey(applicationId, prefix), windows, nowSeconds(), {
    max,
    probes: SMS_PROBES_PER_HOUR,
  });
}

interface Closed {
  readonly why: NonNullable<AuditContext['smsGuard']>;
  readonly until: number;
  /** Somebody may have opened the range meanwhile. */
  readonly askAgainAt: number;
}

const REMEMBERED_MAX = 10_000;

/** Ranges that were refused in this container: a pump that goes on costs no call. */
const closed = new Map<string, Closed>();

function refuse({ audit }: SmsRequester, { why, until }: Closed, now: number): never {
  audit({ smsGuard: why });
  throw new ServiceError('rate_limited', { retryAfterSeconds: until - now });
}

/** Counts, and remembers what is refused. Errors: `rate_limited`, unless limits are only tried. */
async function admit(ports: WindowPorts, sender: SmsRequester, prefix: string): Promise<void> {
  const { application, audit } = sender;
  const outcome = await count(ports, application, prefix);
  if (outcome.admitted) return;
  const now = nowSeconds();
  const until = now + outcome.retryAfterSeconds;
  const why = outcome.unpaid ? 'unverified' : 'range';
  if (application.rateLimits?.smsDryRun) return audit({ smsGuard: why });
  const found = { why, until, askAgainAt: Math.min(until, now + DIRECTORY_CACHE_SECONDS) } as const;
  if (closed.size >= REMEMBERED_MAX) closed.clear();
  closed.set(prefixKey(application.applicationId, prefix), found);
  refuse(sender, found, now);
}

/** What is remembered of the range. Errors: `rate_limited`, thrown at once. */
function recall(sender: SmsRequester, prefix: string): Closed | undefined {
  const found = closed.get(prefixKey(sender.application.applicationId, prefix));
  if (sender.application.rateLimits?.smsDryRun || !found) return undefined;
  if (nowSeconds() < found.askAgainAt) refuse(sender, found, nowSeconds());
  return nowSeconds() < found.until ? found : undefined;
}

/** For a number that is known before its user is; undefined is none. Errors: `rate_limited` with the seconds to wait. */
export async function countSmsPrefix(
  ports: WindowPorts,
  sender: SmsRequester,
  number: string | undefined,
): Promise<void> {
  if (number === undefined || sender.settings.rateLimits === 'off') return;
  recall(sender, smsPrefixOf(number));
  await admit(ports, sender, smsPrefixOf(number));
}

/**
 * For a number that stands on the record of a user alone, by what it begins with: to count it before the message goes out
 * would take a round trip more. So the count that is returned runs beside the message, and the send that finds the range
 * closed is the last one in this container: there the next ones are counted first. Errors: `rate_limited`; the count beside
 * never rejects.
 */
export async function countSmsPrefixBeside(
  ports: WindowPorts,
  sender: SmsRequester,
  prefix: string | undefined,
): Promise<{ readonly beside: Promise<void> }> {
  const counted = { beside: Promise.resolve() };
  if (prefix === undefined || sender.settings.rateLimits === 'off') return counted;
  if (recall(sender, prefix)) {
    await admit(ports, sender, prefix);
    return counted;
  }
  // The message has gone: that it could not be counted is not the caller's matter.
  return { beside: admit(ports, sender, prefix).catch(() => {}) };
}

/** A code by SMS was right: that pays for others to numbers that begin alike. Never rejects, for the login is done. */
export async function payForSms(
  ports: Using<'windows.pay'>,
  applicationId: string,
  { smsPrefix }: { readonly smsPrefix?: string },
  settings: LimitSettings,
): Promise<void> {
  if (smsPrefix === undefined || settings.rateLimits === 'off') return;
  const key = prefixKey(applicationId, smsPrefix);
  await ports.windows.pay(key, DAY_SECONDS, SMS_VERIFIED_PAYS_FOR, nowSeconds()).catch(() => {});
}

/** An operator knows better: numbers that begin like this one begin anew. */
export async function forgetSmsPrefix(
  ports: Using<'windowRecords'>,
  applicationId: string,
  number: string,
): Promise<void> {
  const key = prefixKey(applicationId, smsPrefixOf(number));
  await ports.windowRecords.forget(key, DAY_SECONDS, nowSeconds());
}
