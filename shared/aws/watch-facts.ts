// Data that only the scheduled function `watch` reads: the usage of the mail quota, and the secret of the synthetic user.
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
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

/** Secret for synthetic logins: a client of a separate tenant, and the email address of the user whom it logs in. */
interface SyntheticUser {
  readonly client_id: string;
  readonly client_secret: string;
  readonly email: string;
}

/** Reads the client and the user's email address for synthetic logins from Secrets Manager. */
export async function readSyntheticUser(secretId: string): Promise<SyntheticUser> {
  const client = new SecretsManagerClient(CALL_SETTINGS);
  const { SecretString = '{}' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  return JSON.parse(SecretString) as SyntheticUser;
}
