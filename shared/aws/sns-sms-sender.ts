import type { SmsSender } from '../ports/delivery.ts';
import { SENDING_SETTINGS, sendOnce } from './sending.ts';

/** Invalid and opted-out numbers, sender IDs that a country does not take. A missing permission is ours, not among them. */
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

const text = (value: string) => ({ DataType: 'String', StringValue: value });

/** A caller's sender ID where there is one, else the environment's number; without both SNS chooses. */
function originOf(senderId: string | undefined, number: string | undefined) {
  if (senderId) return { 'AWS.SNS.SMS.SenderID': text(senderId) };
  return number ? { 'AWS.MM.SMS.OriginationNumber': text(number) } : {};
}

/** Sends by Amazon SNS, as transactional messages: they are delivered first. The client is loaded with the first one. */
export function snsSmsSender({
  originationNumber,
}: {
  readonly originationNumber?: string | undefined;
}): SmsSender {
  let loaded: Promise<(message: Parameters<SmsSender['send']>[0]) => Promise<unknown>> | undefined;
  const load = async () => {
    const { PublishCommand, SNSClient } = await import('./sns-client.ts');
    const client = new SNSClient(SENDING_SETTINGS);
    return (message: Parameters<SmsSender['send']>[0]) =>
      client.send(
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
      loaded ??= load();
      const deliver = await loaded;
      await sendOnce(() => deliver(message), REFUSALS);
    },
  };
}
