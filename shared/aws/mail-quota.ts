import { GetSendQuotaCommand, SESClient } from '@aws-sdk/client-ses';
import { CALL_SETTINGS } from './call-settings.ts';

/** Quota that SES reports for an account without a limit ("GetSendQuota"). */
const UNLIMITED = -1;

/** Returns the percentage of the account's daily mail quota that was used in the last 24 hours. */
export async function readMailQuotaUsed(): Promise<number> {
  const ses = new SESClient(CALL_SETTINGS);
  const { Max24HourSend = UNLIMITED, SentLast24Hours = 0 } = await ses.send(new GetSendQuotaCommand({}));
  return Max24HourSend > 0 ? (100 * SentLast24Hours) / Max24HourSend : 0;
}
