import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Using } from '../../ports/uses.ts';
import { isBilled } from '../../records/channels.ts';
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
import type { Sender } from './send-window.ts';

/*
 * SMS pumping: a fraudster requests codes for a range of numbers and earns a share of what each SMS costs. The window limits
 * the SMS to numbers with one prefix, and more tightly where the codes do not come back. A fraudster who types codes in keeps
 * the range open, but only up to the first limits.
 */

type WindowPorts = Using<'windows.count'>;
/** The application that sends an SMS, and the log of a refusal. */
export interface SmsOrigin extends Sender {
  readonly audit: (context: AuditContext) => void;
}

/** Returns the number whose range limits a message; undefined on channels that are not billed. */
export const limitedNumber = (channel: string, to: string | undefined): string | undefined =>
  isBilled(channel) ? to : undefined;

/** The prefix that the numbers of a range share. */
export const smsPrefixOf = (number: string): string => number.slice(0, 1 + SMS_PREFIX_DIGITS);

const prefixKey = (applicationId: string, prefix: string) => `sms-prefix#${applicationId}#${prefix}`;

function count(ports: WindowPorts, { application, now }: SmsOrigin, prefix: string) {
  const { applicationId, rateLimits = {} } = application;
  const windows = [
    { seconds: HOUR_SECONDS, max: rateLimits.smsPerPrefixPerHour ?? SMS_PER_PREFIX_PER_HOUR },
    { seconds: DAY_SECONDS, max: rateLimits.smsPerPrefixPerDay ?? SMS_PER_PREFIX_PER_DAY },
  ];
  const max = rateLimits.smsUnverifiedPerPrefix ?? SMS_UNVERIFIED_PER_PREFIX;
  return ports.windows.count(prefixKey(applicationId, prefix), windows, now, {
    max,
    probes: SMS_PROBES_PER_HOUR,
  });
}

interface Closed {
  readonly why: NonNullable<AuditContext['smsGuard']>;
  readonly until: number;
  /** A paid code may have opened the range meanwhile. */
  readonly askAgainAt: number;
}

const REMEMBERED_MAX = 10_000;

/** Ranges that this container refused: a pump that goes on costs no call. */
const closed = new Map<string, Closed>();

function refuseWhileClosed({ audit, now }: SmsOrigin, { why, until }: Closed): never {
  audit({ smsGuard: why });
  throw new ServiceError('rate_limited', { retryAfterSeconds: until - now, audit: { refusal: 'sms_range' } });
}

/** Counts, and remembers a refusal. Errors: `rate_limited`, unless the limits are a dry run. */
async function admit(ports: WindowPorts, sender: SmsOrigin, prefix: string): Promise<void> {
  const { application, audit, now } = sender;
  const outcome = await count(ports, sender, prefix);
  if (outcome.admitted) return;
  const until = now + outcome.retryAfterSeconds;
  const why = outcome.unpaid ? 'unverified' : 'range';
  if (application.rateLimits?.smsDryRun) return audit({ smsGuard: why });
  const found = { why, until, askAgainAt: Math.min(until, now + DIRECTORY_CACHE_SECONDS) } as const;
  if (closed.size >= REMEMBERED_MAX) closed.clear();
  closed.set(prefixKey(application.applicationId, prefix), found);
  refuseWhileClosed(sender, found);
}

/** The remembered refusal of the range. Errors: `rate_limited`, thrown at once. */
function recall(sender: SmsOrigin, prefix: string): Closed | undefined {
  const found = closed.get(prefixKey(sender.application.applicationId, prefix));
  if (sender.application.rateLimits?.smsDryRun || !found) return undefined;
  if (sender.now < found.askAgainAt) refuseWhileClosed(sender, found);
  return sender.now < found.until ? found : undefined;
}

/** For a number that the request names; undefined counts nothing. Errors: `rate_limited` with the seconds to wait. */
export async function countSmsPrefix(
  ports: WindowPorts,
  sender: SmsOrigin,
  number: string | undefined,
): Promise<void> {
  if (number === undefined || sender.settings.rateLimits === 'off') return;
  recall(sender, smsPrefixOf(number));
  await admit(ports, sender, smsPrefixOf(number));
}

/**
 * For a number that only the user's record names: to count it before the message would take another round trip. So the returned
 * count runs beside the message. A send that finds the range closed is the last one in this container, which counts the next
 * ones first. Errors: `rate_limited`; the count beside never rejects.
 */
export async function countSmsPrefixBeside(
  ports: WindowPorts,
  sender: SmsOrigin,
  prefix: string | undefined,
): Promise<{ readonly beside: Promise<void> }> {
  const counted = { beside: Promise.resolve() };
  if (prefix === undefined || sender.settings.rateLimits === 'off') return counted;
  if (recall(sender, prefix)) {
    await admit(ports, sender, prefix);
    return counted;
  }
  // The message has gone out: a failed count must not fail the request.
  return { beside: admit(ports, sender, prefix).catch(() => {}) };
}

/** A right code by SMS pays for further SMS to its range. Never rejects, because the login is done. */
export async function payForSms(
  ports: Using<'windows.pay'>,
  { application, settings, now }: Sender,
  { smsPrefix }: { readonly smsPrefix?: string },
): Promise<void> {
  if (smsPrefix === undefined || settings.rateLimits === 'off') return;
  const key = prefixKey(application.applicationId, smsPrefix);
  await ports.windows.pay(key, DAY_SECONDS, SMS_VERIFIED_PAYS_FOR, now).catch(() => {});
}

/** Clears the window of a number's range, for an operator. */
export async function forgetSmsPrefix(
  ports: Using<'windowRecords.forget'>,
  applicationId: string,
  number: string,
  now: number,
): Promise<void> {
  const key = prefixKey(applicationId, smsPrefixOf(number));
  await ports.windowRecords.forget([key], DAY_SECONDS, now);
}
