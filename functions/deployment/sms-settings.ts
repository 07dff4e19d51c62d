import { GetSMSAttributesCommand, SetSMSAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import type { CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent } from './custom-resource.ts';

/** The errors by which SNS refuses a value. Its messages are not stable. Missing permissions and throttling are no refusals. */
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
 * Sets the monthly cost limit of the account's SMS in the region, in whole US dollars, and delivery by priority
 * ("SetSMSAttributes"). Returns the limit in force as a sentence for the operator.
 *
 * SNS refuses a limit above the account's quota: 1 USD until AWS raises it, which takes days. A lower limit costs nothing,
 * so that refusal is returned and fails no deployment.
 * @throws when the limit in force is above the wanted one, or SNS cannot be called
 */
async function setSpendLimit(sns: SNSClient, wanted: number): Promise<string> {
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

const PHYSICAL_ID = 'sms-settings';

/**
 * The function of the custom resource `SmsSettings`. Its property `MonthlySpendLimit` is in US dollars; the attribute `Told`
 * is the limit in force. A deletion changes nothing: the limit on fraud outlives the stack.
 */
export const create: CreateBackground<'sms-settings', CustomResourceEvent> = () => (event) =>
  answerCustomResource(event, PHYSICAL_ID, async () => ({
    Told: await setSpendLimit(
      new SNSClient(CALL_SETTINGS),
      Number(event.ResourceProperties.MonthlySpendLimit),
    ),
  }));
