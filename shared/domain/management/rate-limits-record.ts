import type { RateLimits } from '../../ports/directory.ts';
import type { ApplicationFields, ApplicationRecord } from '../../schemas/applications.ts';
import { changed } from '../basis/change-record.ts';
import { allFields } from '../basis/omit-undefined.ts';

type RateLimitsRecord = NonNullable<ApplicationRecord['rate_limits']>;

export function rateLimitsRecord(limits: RateLimits): RateLimitsRecord {
  return allFields<RateLimitsRecord>({
    sends_per_minute: limits.sendsPerMinute,
    sends_per_day: limits.sendsPerDay,
    calls_per_minute: limits.callsPerMinute,
    anonymous_per_minute: limits.anonymousPerMinute,
    anonymous_per_day: limits.anonymousPerDay,
    anonymous_sign_ups_per_minute: limits.anonymousSignUpsPerMinute,
    sms_per_prefix_per_hour: limits.smsPerPrefixPerHour,
    sms_per_prefix_per_day: limits.smsPerPrefixPerDay,
    sms_unverified_per_prefix: limits.smsUnverifiedPerPrefix,
    sms_dry_run: limits.smsDryRun,
  });
}

export function readRateLimits(
  current: RateLimits | undefined,
  given: ApplicationFields['rate_limits'],
): RateLimits | undefined {
  if (given === undefined) return current;
  if (given === null) return undefined;
  return allFields<RateLimits>({
    sendsPerMinute: changed(current?.sendsPerMinute, given.sends_per_minute),
    sendsPerDay: changed(current?.sendsPerDay, given.sends_per_day),
    callsPerMinute: changed(current?.callsPerMinute, given.calls_per_minute),
    anonymousPerMinute: changed(current?.anonymousPerMinute, given.anonymous_per_minute),
    anonymousPerDay: changed(current?.anonymousPerDay, given.anonymous_per_day),
    anonymousSignUpsPerMinute: changed(
      current?.anonymousSignUpsPerMinute,
      given.anonymous_sign_ups_per_minute,
    ),
    smsPerPrefixPerHour: changed(current?.smsPerPrefixPerHour, given.sms_per_prefix_per_hour),
    smsPerPrefixPerDay: changed(current?.smsPerPrefixPerDay, given.sms_per_prefix_per_day),
    smsUnverifiedPerPrefix: changed(current?.smsUnverifiedPerPrefix, given.sms_unverified_per_prefix),
    smsDryRun: changed(current?.smsDryRun, given.sms_dry_run),
  });
}
