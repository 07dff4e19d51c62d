// SMS pumping: a fraudster requests codes for a range of numbers and earns a share of the price of each SMS. This window limits
// the SMS to numbers with one prefix, and more strictly if the codes are not entered. A fraudster who enters the codes avoids
// only the stricter limit.
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { isBilled } from '../../records/channels.ts';
import {
  DAY_SECONDS,
  DIRECTORY_CACHE_SECONDS,
  HOUR_SECONDS,
  SMS_ALLOWED_PER_USED_CODE,
  SMS_PER_PREFIX_PER_DAY,
  SMS_PER_PREFIX_PER_HOUR,
  SMS_PREFIX_DIGITS,
  SMS_PROBES_PER_HOUR,
  SMS_UNVERIFIED_PER_PREFIX,
} from '../basis/limits.ts';
import { REMEMBERED_MAX } from './call-window.ts';
import type { Sender } from './send-window.ts';

type WindowPorts = PortsWith<'windows.count'>;
/** Application that sends an SMS, with the audit log for rejected messages. */
export interface SmsOrigin extends Sender {
  readonly audit: (context: AuditContext) => void;
}

/**
 * Returns the phone number of a message if the SMS limit of its number range applies. Returns undefined on channels that are
 * not billed.
 */
export const limitedNumber = (channel: string, to: string | undefined): string | undefined =>
  isBilled(channel) ? to : undefined;

/** Returns the leading digits of a phone number, which define its range. */
export const toSmsPrefix = (number: string): string => number.slice(0, 1 + SMS_PREFIX_DIGITS);

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

interface ClosedRange {
  readonly why: NonNullable<AuditContext['smsGuard']>;
  readonly until: number;
  /**
   * Time (epoch seconds) from which the store is read again, because users may have entered codes and so reopened the range.
   */
  readonly askAgainAt: number;
}

/**
 * Ranges of phone numbers that are over their limit. During an attack, this container rejects SMS to these ranges without a
 * store call.
 */
const closed = new Map<string, ClosedRange>();

function refuseWhileClosed({ audit, now }: SmsOrigin, { why, until }: ClosedRange): never {
  audit({ smsGuard: why });
  throw new ServiceError('rate_limited', { retryAfterSeconds: until - now, audit: { refusal: 'sms_range' } });
}

/**
 * Counts an SMS towards the limit of its range of phone numbers. If the limit is exceeded, remembers this and throws
 * `rate_limited`, unless the application has set `smsDryRun`.
 */
async function admit(ports: WindowPorts, sender: SmsOrigin, prefix: string): Promise<void> {
  const { application, audit, now } = sender;
  const outcome = await count(ports, sender, prefix);
  if (outcome.admitted) return;
  const until = now + outcome.retryAfterSeconds;
  const why = outcome.unconfirmed ? 'unverified' : 'range';
  if (application.rateLimits?.smsDryRun) return audit({ smsGuard: why });
  const found = { why, until, askAgainAt: Math.min(until, now + DIRECTORY_CACHE_SECONDS) } as const;
  if (closed.size >= REMEMBERED_MAX) closed.clear();
  closed.set(prefixKey(application.applicationId, prefix), found);
  refuseWhileClosed(sender, found);
}

/**
 * Throws `rate_limited` if the store has recently reported that the range is over its limit. Returns an older report that must
 * be checked with the store again, or undefined if there is none.
 */
function recallRefusal(sender: SmsOrigin, prefix: string): ClosedRange | undefined {
  const found = closed.get(prefixKey(sender.application.applicationId, prefix));
  if (sender.application.rateLimits?.smsDryRun || !found) return undefined;
  if (sender.now < found.askAgainAt) refuseWhileClosed(sender, found);
  return sender.now < found.until ? found : undefined;
}

/** Counts an SMS to the phone number in a request, if there is one. Throws `rate_limited` with the seconds to wait. */
export async function countSmsPrefix(
  ports: WindowPorts,
  sender: SmsOrigin,
  number: string | undefined,
): Promise<void> {
  if (number === undefined || sender.settings.rateLimits === 'off') return;
  recallRefusal(sender, toSmsPrefix(number));
  await admit(ports, sender, toSmsPrefix(number));
}

/**
 * Counts an SMS to a phone number from the user's record. To save a round trip, counting runs in parallel with sending. If this
 * container already knows that the number's range is over its limit, counts before the SMS is sent and may throw
 * `rate_limited`.
 *
 * @returns Promise `counting`, which settles after counting and never rejects.
 */
export async function countSmsPrefixInParallel(
  ports: WindowPorts,
  sender: SmsOrigin,
  prefix: string | undefined,
): Promise<{ readonly counting: Promise<void> }> {
  const counted = { counting: Promise.resolve() };
  if (prefix === undefined || sender.settings.rateLimits === 'off') return counted;
  if (recallRefusal(sender, prefix)) {
    await admit(ports, sender, prefix);
    return counted;
  }
  // The message is on its way, so a failed count must not fail the request.
  return { counting: admit(ports, sender, prefix).catch(() => {}) };
}

/**
 * Raises the limit of a phone number range after a user has entered a code sent to that range. Never rejects, because the login
 * is already complete.
 */
export async function creditRange(
  ports: PortsWith<'windows.confirm'>,
  { application, settings, now }: Sender,
  { smsPrefix }: { readonly smsPrefix?: string },
): Promise<void> {
  if (smsPrefix === undefined || settings.rateLimits === 'off') return;
  const key = prefixKey(application.applicationId, smsPrefix);
  await ports.windows.confirm(key, DAY_SECONDS, SMS_ALLOWED_PER_USED_CODE, now).catch(() => {});
}

/** Clears the rate limit window of a phone number's range, when an operator requests it. */
export async function forgetSmsPrefix(
  ports: PortsWith<'windowRecords.forget'>,
  applicationId: string,
  number: string,
  now: number,
): Promise<void> {
  const key = prefixKey(applicationId, toSmsPrefix(number));
  await ports.windowRecords.forget([key], DAY_SECONDS, now);
}
