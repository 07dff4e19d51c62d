import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { DAY_SECONDS, MINUTE_SECONDS, SENDS_PER_DAY, SENDS_PER_MINUTE } from '../basis/limits.ts';

const CHANNELS = ['link', 'email', 'sms', 'direct'] as const;
type Channel = (typeof CHANNELS)[number];

const windowOf = (applicationId: string, channel: Channel, recipient: string) =>
  `send#${applicationId}#${channel}#${recipient}`;

/** Clears the windows of a recipient, or of a user by their ID. */
export async function forgetSends(
  ports: Using<'windowRecords'>,
  applicationId: string,
  recipient: string,
  now: number,
): Promise<void> {
  for (const channel of CHANNELS)
    await ports.windowRecords.forget(windowOf(applicationId, channel, recipient), DAY_SECONDS, now);
}

/**
 * Limits the messages to one recipient per minute and per day, for each channel by itself: a mail bomb costs the victim's
 * patience, an SMS bomb the application's money. Errors: `rate_limited` with the seconds to wait.
 */
export async function countSend(
  ports: Using<'windows.count'>,
  application: Application,
  channel: Channel,
  recipient: string,
  settings: { readonly rateLimits: 'on' | 'off' },
  now: number,
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { sendsPerMinute = SENDS_PER_MINUTE, sendsPerDay = SENDS_PER_DAY } = application.rateLimits ?? {};
  const outcome = await ports.windows.count(
    windowOf(application.applicationId, channel, recipient),
    [
      { seconds: MINUTE_SECONDS, max: sendsPerMinute },
      { seconds: DAY_SECONDS, max: sendsPerDay },
    ],
    now,
  );
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}
