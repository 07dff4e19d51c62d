import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { once } from '../domain/basis/await-all.ts';
import type { SmsSender } from '../ports/delivery.ts';
import { createLeanSend } from '../sdk/lean-client.ts';
import { createAwsCall } from './aws-call.ts';
import { accepted, SENDING_SETTINGS, sendOnce } from './sending.ts';
import { type Environment, requireVariable } from './settings.ts';

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
 * Returns the sender of an SMS: the caller's sender ID, otherwise the environment's phone number. If neither exists, SNS
 * chooses a sender.
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
  const deliver = once(() => {
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
  });
  return {
    send: async (message) => accepted(await sendOnce(() => deliver()(message), REFUSALS)),
  };
}

/**
 * Errors that the message or its sender causes: an invalid or opted-out number, a blocked country, a sender ID that the account
 * does not have, and an exhausted quota.
 */
const POOL_REFUSALS: ReadonlySet<string> = new Set([
  'ConflictException',
  'ResourceNotFoundException',
  'ServiceQuotaExceededException',
  'ValidationException',
]);

/** Creates a function that calls AWS End User Messaging SMS. Its IAM permissions have the prefix `sms-voice`. */
export function createSmsVoiceCall(milliseconds: number, env: Environment = process.env) {
  const variable = 'AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2';
  const call = createAwsCall('sms-voice', { variable, milliseconds, env });
  return async (operation: string, input: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `PinpointSMSVoiceV2.${operation}`,
    };
    const { body } = await call({ headers, body: JSON.stringify(input) });
    return JSON.parse(body ?? '{}');
  };
}

/**
 * Creates an SMS sender over AWS End User Messaging ("SendTextMessage"). The sender is the caller's sender ID, otherwise the
 * pool, phone number or sender ID of the environment.
 */
export function poolSmsSender(env: Environment): SmsSender {
  const pool = requireVariable(env, 'SMS_POOL');
  const call = once(() => createSmsVoiceCall(SENDING_SETTINGS.requestHandler.requestTimeout, env));
  return {
    async send({ to, text, senderId }) {
      const message = {
        DestinationPhoneNumber: to,
        OriginationIdentity: senderId ?? pool,
        MessageBody: text,
        MessageType: 'TRANSACTIONAL',
        ConfigurationSetName: env.SMS_CONFIGURATION_SET,
      };
      const answer = await sendOnce(() => call()('SendTextMessage', message), POOL_REFUSALS);
      return accepted(answer as { readonly MessageId?: string });
    },
  };
}
