import { ServiceError } from '../errors/service-error.ts';
import type { Application } from '../ports/directory.ts';
import type { Using } from '../ports/uses.ts';
import {
  DAY_SECONDS,
  HOUR_SECONDS,
  SMS_PER_PREFIX_PER_DAY,
  SMS_PER_PREFIX_PER_HOUR,
  SMS_PREFIX_DIGITS,
} from './limits.ts';
import { nowSeconds } from './time.ts';

/*
 * SMS pumping: a fraudster has codes sent to a range of numbers that a carrier pays for. At most so many go to numbers that
 * begin alike, whoever asks and whoever they are of.
 */

type WindowPorts = Using<'windows'>;
type LimitSettings = { readonly rateLimits: 'on' | 'off' };

const prefixKey = (application: Application, number: string) =>
  `sms-prefix#${application.applicationId}#${number.slice(0, 1 + SMS_PREFIX_DIGITS)}`;

function count(ports: WindowPorts, application: Application, number: string, at: number) {
  const { smsPerPrefixPerHour = SMS_PER_PREFIX_PER_HOUR, smsPerPrefixPerDay = SMS_PER_PREFIX_PER_DAY } =
    application.rateLimits ?? {};
  const limits = [
    { seconds: HOUR_SECONDS, max: smsPerPrefixPerHour },
    { seconds: DAY_SECONDS, max: smsPerPrefixPerDay },
  ];
  return ports.windows.count(prefixKey(application, number), limits, at);
}

/** For a number that is known before its user is; undefined is none. Errors: `rate_limited` with the seconds to wait. */
export async function countSmsPrefix(
  ports: WindowPorts,
  application: Application,
  number: string | undefined,
  settings: LimitSettings,
): Promise<void> {
  if (number === undefined || settings.rateLimits === 'off') return;
  const outcome = await count(ports, application, number, nowSeconds());
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}

const REMEMBERED_MAX = 10_000;

/** Ranges that this container knows to be full, and until when. */
const full = new Map<string, number>();

/**
 * For a number that stands on the record of a user alone: to count it before the message goes out would take a round trip
 * more. So it is counted beside, and the send that finds the range full is the last one in this container.
 * Errors: `rate_limited`, thrown at once; the count itself never rejects.
 */
export function countSmsPrefixBeside(
  ports: WindowPorts,
  application: Application,
  number: string | undefined,
  settings: LimitSettings,
): Promise<void> {
  if (number === undefined || settings.rateLimits === 'off') return Promise.resolve();
  const now = nowSeconds();
  const key = prefixKey(application, number);
  const until = full.get(key) ?? 0;
  if (now < until) throw new ServiceError('rate_limited', { retryAfterSeconds: until - now });
  return count(ports, application, number, now).then(
    (outcome) => {
      if (outcome.admitted) return;
      if (full.size >= REMEMBERED_MAX) full.clear();
      full.set(key, now + outcome.retryAfterSeconds);
    },
    // The message has gone: that it could not be counted is not the caller's matter.
    () => {},
  );
}
