import { DescribeSpendLimitsCommand, PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetSMSAttributesCommand, GetSMSSandboxAccountStatusCommand, SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { once } from '../../../shared/domain/basis/await-all.ts';
import { undefinedIfNamed } from '../unless-named.ts';
import type { AccountFacts } from './facts.ts';
import { QUOTAS, type Quota } from './quotas.ts';

type AccountAnswers = Pick<AccountFacts, 'sesAccount' | 'sms' | 'smsSpendLimits' | 'quota'>;

/**
 * Reads the facts about an account in a region, which are available even before the first deployment. Several checks use the
 * same facts, so all facts but quotas are read only once.
 */
export function accountFacts(region: string): AccountAnswers {
  const config = { ...CALL_SETTINGS, region };
  const [sns, ses] = [new SNSClient(config), new SESv2Client(config)];
  const [texts, quotas] = [new PinpointSMSVoiceV2Client(config), new ServiceQuotasClient(config)];
  return {
    sesAccount: once(async () => {
      const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await ses.send(
        new GetAccountCommand({}),
      );
      return {
        productionAccess: ProductionAccessEnabled === true,
        sendingEnabled: SendingEnabled === true,
        mailsPerSecond: SendQuota?.MaxSendRate ?? 0,
        // AWS returns -1 if the number of mails is not limited.
        mailsPerDay:
          SendQuota?.Max24HourSend === -1 ? Number.POSITIVE_INFINITY : (SendQuota?.Max24HourSend ?? 0),
        mailsSent: SendQuota?.SentLast24Hours ?? 0,
      };
    }),
    sms: once(async () => {
      const [{ IsInSandbox }, { attributes }] = await Promise.all([
        sns.send(new GetSMSSandboxAccountStatusCommand({})),
        sns.send(new GetSMSAttributesCommand({ attributes: ['MonthlySpendLimit'] })),
      ]);
      const limit = attributes?.MonthlySpendLimit;
      return {
        sandbox: IsInSandbox === true,
        monthlySpendLimit: limit === undefined ? undefined : Number(limit),
      };
    }),
    smsSpendLimits: once(async () => {
      const { SpendLimits = [] } = await texts.send(new DescribeSpendLimitsCommand({}));
      const limits = SpendLimits.find(({ Name }) => Name === 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT');
      return { maximum: limits?.MaxLimit, enforced: limits?.EnforcedLimit };
    }),
    quota: (name) => appliedQuota(quotas, QUOTAS[name]),
  };
}

/** Returns the applied quota of the account, or AWS's default if the account's quota was never changed. */
async function appliedQuota(client: ServiceQuotasClient, { service, code }: Quota): Promise<number> {
  const asked = { ServiceCode: service, QuotaCode: code };
  const own = client.send(new GetServiceQuotaCommand(asked));
  const { Quota: found } =
    (await undefinedIfNamed(own, 'NoSuchResourceException')) ??
    (await client.send(new GetAWSDefaultServiceQuotaCommand(asked)));
  if (found?.Value === undefined) throw new Error('AWS returned no quota');
  return found.Value;
}
