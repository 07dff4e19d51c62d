import { ServiceError } from '../errors/service-error.ts';
import type { Application } from '../ports/directory.ts';
import type { Windows } from '../ports/flows.ts';
import { DAY_SECONDS, MINUTE_SECONDS, SENDS_PER_DAY, SENDS_PER_MINUTE } from './limits.ts';
import { nowSeconds } from './time.ts';

/**
 * Lets at most so many messages go to one recipient per minute and per day, each channel apart: a mail bomb costs the
 * victim's patience, an SMS bomb the application's money. Errors: `rate_limited` with the seconds to wait.
 */
export async function countSend(
  ports: { readonly windows: Windows },
  application: Application,
  channel: 'link' | 'email' | 'sms' | 'direct',
  recipient: string,
  settings: { readonly rateLimits: 'on' | 'off' },
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { sendsPerMinute = SENDS_PER_MINUTE, sendsPerDay = SENDS_PER_DAY } = application.rateLimits ?? {};
  const outcome = await ports.windows.count(
    `send#${application.applicationId}#${channel}#${recipient}`,
    [
      { seconds: MINUTE_SECONDS, max: sendsPerMinute },
      { seconds: DAY_SECONDS, max: sendsPerDay },
    ],
    nowSeconds(),
  );
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', { retryAfterSeconds: outcome.retryAfterSeconds });
}
