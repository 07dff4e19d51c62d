import type { Texter } from '../ports/delivery.ts';
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

/** Sends by Amazon SNS, as transactional messages: they are delivered first. The client is loaded with the first one. */
export function snsTexter(): Texter {
  let loaded: Promise<(message: Parameters<Texter['send']>[0]) => Promise<unknown>> | undefined;
  const load = async () => {
    const { PublishCommand, SNSClient } = await import('./sns-client.ts');
    const client = new SNSClient(SENDING_SETTINGS);
    return (message: Parameters<Texter['send']>[0]) =>
      client.send(
        new PublishCommand({
          PhoneNumber: message.to,
          Message: message.text,
          MessageAttributes: {
            'AWS.SNS.SMS.SMSType': text('Transactional'),
            ...(message.senderId ? { 'AWS.SNS.SMS.SenderID': text(message.senderId) } : {}),
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
