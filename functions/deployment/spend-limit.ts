import { GetSMSAttributesCommand, SetSMSAttributesCommand, type SNSClient } from '@aws-sdk/client-sns';

/** How SNS refuses a value; its words are nothing to rely on. A missing permission or a throttled call is not among them. */
const REFUSALS: ReadonlySet<string> = new Set([
  'InvalidParameter',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'UserErrorException',
  'ValidationException',
]);

const isRefusal = (error: unknown): error is Error => error instanceof Error && REFUSALS.has(error.name);

const TRANSACTIONAL = { DefaultSMSType: 'Transactional' };

/**
 * Sets what SMS of the account in the region may cost in a month, in whole US dollars, and that they are delivered first
 * ("SetSMSAttributes"). Returns what holds from now on, for people to read.
 *
 * SNS refuses a limit above the account's quota, which is 1 USD until AWS has raised it. Less than what is wanted costs
 * nobody anything, and the quota takes AWS days: so that refusal is told and fails nothing.
 * @throws when more may be spent than is wanted, or SNS cannot be asked
 */
export async function setSpendLimit(sns: SNSClient, wanted: number): Promise<string> {
  try {
    await sns.send(
      new SetSMSAttributesCommand({ attributes: { ...TRANSACTIONAL, MonthlySpendLimit: String(wanted) } }),
    );
    return `SMS of this account and region stop at ${wanted} USD a month.`;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await sns.send(new SetSMSAttributesCommand({ attributes: TRANSACTIONAL }));
    const { attributes } = await sns.send(new GetSMSAttributesCommand({ attributes: ['MonthlySpendLimit'] }));
    const found = attributes?.MonthlySpendLimit;
    if (found !== undefined && Number(found) > wanted)
      throw new Error(`SNS refused a limit of ${wanted} USD and keeps ${found} USD: ${error.message}`);
    const holding = found === undefined ? 'the quota of the account' : `${found} USD a month`;
    return `WARNING: SNS refused a limit of ${wanted} USD (${error.message}), so SMS stop at ${holding}. Ask AWS for a higher quota of SMS spending, then set it as "otl doctor" says.`;
  }
}
