import * as v from 'valibot';
import { AwsError, parse } from '../basis/aws-error.ts';
import type { MessageStore } from './messages.ts';
import { type ProviderEvent, simulateTextStatus } from './provider-events.ts';

const SendTextMessage = v.object({
  DestinationPhoneNumber: v.pipe(v.string(), v.regex(/^\+[1-9]\d{1,14}$/)),
  OriginationIdentity: v.pipe(v.string(), v.regex(/^[\w:/+-]{1,256}$/)),
  MessageBody: v.pipe(v.string(), v.minLength(1), v.maxLength(1600)),
  MessageType: v.picklist(['TRANSACTIONAL', 'PROMOTIONAL']),
  ConfigurationSetName: v.optional(v.string()),
});
const SpendLimit = v.object({ MonthlyLimit: v.pipe(v.number(), v.integer(), v.minValue(0)) });

/** Handles a call to the local AWS End User Messaging SMS: stores the text, and publishes the event of a simulator number. */
export async function answerSmsVoice(
  action: string,
  input: unknown,
  messages: MessageStore,
  publish: (event: ProviderEvent) => void,
): Promise<object> {
  if (action === 'SetTextMessageSpendLimitOverride') {
    const { MonthlyLimit } = parse(SpendLimit, input);
    messages.smsAttributes.set('TextMessageSpendLimit', String(MonthlyLimit));
    return { MonthlyLimit };
  }
  if (action !== 'SendTextMessage')
    throw new AwsError('ValidationException', `The local End User Messaging does not support ${action}`);
  const {
    DestinationPhoneNumber: to,
    OriginationIdentity: identity,
    MessageBody: text,
  } = parse(SendTextMessage, input);
  const MessageId = await messages.addText({ to, from: identity.startsWith('arn:') ? null : identity, text });
  for (const event of simulateTextStatus(MessageId, to)) publish({ entry: 'sms-events', event });
  return { MessageId };
}
