import { GetSMSAttributesCommand, SetSMSAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import { createSmsVoiceCall } from '../../shared/aws/sms-senders.ts';
import type { CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent, untilKnown } from './custom-resource.ts';

/**
 * Names of the errors with which SNS rejects a value. Error messages are not compared, because they are not stable. Missing
 * permissions and throttling are not rejections.
 */
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
 * Sets the account's monthly SMS spending limit in the region, in whole US dollars, and priority delivery ("SetSMSAttributes").
 * SNS rejects a limit above the account's quota, which is 1 USD until AWS raises it, after some days. A limit that stays below
 * the wanted one causes no costs, so this rejection is reported and does not fail the deployment.
 * @returns a sentence for the operator about the limit in force
 * @throws if the limit in force is above the wanted one, or SNS cannot be called
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

/**
 * Sets the limit for AWS End User Messaging ("SetTextMessageSpendLimitOverride"). AWS rejects a limit above the account's
 * quota. The quota then stops SMS earlier, so this rejection is reported and does not fail the deployment.
 * @returns a sentence for the operator about the limit in force
 */
async function setPoolSpendLimit(wanted: number): Promise<string> {
  const call = createSmsVoiceCall(CALL_SETTINGS.requestHandler.requestTimeout);
  try {
    await call('SetTextMessageSpendLimitOverride', { MonthlyLimit: wanted });
    return `SMS of End User Messaging stop at ${wanted} USD a month.`;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `WARNING: End User Messaging refused a limit of ${wanted} USD, so its SMS stop at the quota of the account. Ask AWS for a higher quota.`;
  }
}

/** Names of the errors that SNS returns until it knows a new IAM role and the permission to pass that role to SNS. */
const NOT_YET_ALLOWED: ReadonlySet<string> = new Set(['AuthorizationError', 'AuthorizationErrorException']);

/**
 * Makes SNS write a delivery record of every text message, with the given role. Other attributes keep their values. A rejection
 * is retried, because SNS learns of a new role with a delay.
 */
async function startDeliveryStatus(sns: SNSClient, role: string): Promise<void> {
  const attributes = { DeliveryStatusIAMRole: role, DeliveryStatusSuccessSamplingRate: '100' };
  await untilKnown(
    () => sns.send(new SetSMSAttributesCommand({ attributes })),
    (error) => isRefusal(error) || (error instanceof Error && NOT_YET_ALLOWED.has(error.name)),
  );
}

/**
 * Stops SNS from writing delivery records. Ignores the error if AWS rejects the call, because the error would block the
 * deletion of the stack. In this case, SNS cannot write any more records either, because its role is deleted with the stack.
 */
async function stopDeliveryStatus(sns: SNSClient): Promise<void> {
  const attributes = { DeliveryStatusIAMRole: '', DeliveryStatusSuccessSamplingRate: '0' };
  try {
    await sns.send(new SetSMSAttributesCommand({ attributes }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/**
 * Creates the handler of two custom resources. `SmsSettings` has the property `MonthlySpendLimit` in US dollars and the
 * attribute `Told`, the limit in force. With the property `Pool`, `SmsSettings` also limits AWS End User Messaging. Deleting
 * `SmsSettings` changes nothing, so that the limit still protects against fraud after the stack is gone. `SmsDeliveryStatus`
 * has the property `Role`, and its deletion ends the delivery log.
 */
export const create: CreateBackground<'sms-settings', CustomResourceEvent> = () => (event) => {
  const { MonthlySpendLimit, Pool, Role } = event.ResourceProperties;
  const sns = new SNSClient(CALL_SETTINGS);
  if (event.ResourceType === 'Custom::SmsDeliveryStatus')
    return answerCustomResource(
      event,
      'sms-delivery-status',
      () => startDeliveryStatus(sns, String(Role)),
      () => stopDeliveryStatus(sns),
    );
  return answerCustomResource(event, 'sms-settings', async () => {
    const wanted = Number(MonthlySpendLimit);
    const told = [await setSpendLimit(sns, wanted)];
    if (Pool !== undefined) told.push(await setPoolSpendLimit(wanted));
    return { Told: told.join(' ') };
  });
};
