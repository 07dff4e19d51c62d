import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { SmsSender } from '../ports/delivery.ts';
import { lean } from '../sdk/lean-client.ts';
import { accepted, SENDING_SETTINGS, sendOnce } from './sending.ts';

/** Invalid and opted-out numbers, sender IDs that a country rejects. A missing permission is a fault of the deployment. */
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

/** The caller's sender ID, else the environment's number, else the choice of SNS. */
function originOf(senderId: string | undefined, number: string | undefined) {
  if (senderId) return { 'AWS.SNS.SMS.SenderID': text(senderId) };
  return number ? { 'AWS.MM.SMS.OriginationNumber': text(number) } : {};
}

/** Sends by Amazon SNS as transactional messages, which SNS delivers first. Makes the client with the first one. */
export function snsSmsSender({
  originationNumber,
}: {
  readonly originationNumber?: string | undefined;
}): SmsSender {
  let made: ReturnType<typeof make> | undefined;
  const make = () => {
    const send = lean(new SNSClient(SENDING_SETTINGS));
    return (message: Sms) =>
      send(
        new PublishCommand({
          PhoneNumber: message.to,
          Message: message.text,
          MessageAttributes: {
            'AWS.SNS.SMS.SMSType': text('Transactional'),
            ...originOf(message.senderId, originationNumber),
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
