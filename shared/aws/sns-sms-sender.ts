import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { SmsSender } from '../ports/delivery.ts';
import { createLeanSend } from '../sdk/lean-client.ts';
import { accepted, SENDING_SETTINGS, sendOnce } from './sending.ts';

/**
 * SNS errors caused by invalid or opted-out numbers, or by sender IDs that a country rejects. A missing permission is a fault
 * of the deployment and is not listed.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'InvalidParameter',
  'InvalidParameterException',
  'InvalidParameterValue',
  'InvalidParameterValueException',
  'OptedOut',
  'OptedOutException',
  'UserError',
  'UserErrorException',
  'ValidationException',
]);

type Sms = Parameters<SmsSender['send']>[0];

const text = (value: string) => ({ DataType: 'String', StringValue: value });

/**
 * Returns the sender of an SMS: the caller's sender ID, or otherwise the environment's number. With neither, SNS chooses a
 * sender.
 */
function smsOrigin(senderId: string | undefined, number: string | undefined) {
  if (senderId) return { 'AWS.SNS.SMS.SenderID': text(senderId) };
  return number ? { 'AWS.MM.SMS.OriginationNumber': text(number) } : {};
}

/** Creates an SMS sender over Amazon SNS. Messages are transactional. The client is created with the first message. */
export function snsSmsSender({
  originationNumber,
}: {
  readonly originationNumber?: string | undefined;
}): SmsSender {
  let made: ReturnType<typeof make> | undefined;
  const make = () => {
    const send = createLeanSend(new SNSClient(SENDING_SETTINGS));
    return (message: Sms) =>
      send(
        new PublishCommand({
          PhoneNumber: message.to,
          Message: message.text,
          MessageAttributes: {
            'AWS.SNS.SMS.SMSType': text('Transactional'),
            ...smsOrigin(message.senderId, originationNumber),
          },
        }),
      );
  };
  return {
    async send(message) {
      made ??= make();
      const deliver = made;
      return accepted(await sendOnce(() => deliver(message), REFUSALS));
    },
  };
}
