import type { sendOtp as operation } from '../../../functions/one-time/rows.ts';
import {
  emailRecipient,
  phoneRecipient,
  type Recipient,
  readCustomEmail,
  readCustomPhoneNumber,
  requireTextable,
} from '../../domain/sending/delivery.ts';
import type { AuditContext, ClientCaller, InputOf, PortsOf, Settings } from '../../operation.ts';
import type { Identifier, User } from '../../ports/people.ts';
import { codeMail } from '../../templates/messages/email.ts';
import { segments } from '../../templates/messages/segments.ts';
import { mailTo, readEmailContent, textTo } from './passcode-message.ts';

interface Passcode {
  readonly digits: string;
  readonly lifetimeSeconds: number;
  readonly approvalData: Readonly<Record<string, string>> | undefined;
}

/** A message that is ready to go. */
export interface Message {
  readonly note?: AuditContext;
  readonly send: () => Promise<void>;
}

/** A channel's way of reaching the user: whom to write to, and what. */
interface Delivery {
  /** The number of an SMS where it is known before its user is. */
  readonly number?: string;
  readonly recipientOf: (user: User) => Recipient | undefined;
  readonly compose: (recipient: Recipient, passcode: Passcode) => Promise<Message>;
}

type Body = InputOf<typeof operation>['json'];

/** Reads what belongs to the channel of the request, so that nothing malformed gets as far as a write. */
export function deliveryFor(
  json: Body,
  identifier: Identifier,
  { application, tenant }: ClientCaller,
  settings: Settings,
  { mailer, smsSender }: PortsOf<typeof operation>,
): Delivery {
  switch (json.channel) {
    case 'email': {
      const custom = readCustomEmail(json.custom_email);
      const content = readEmailContent(json.email_content);
      return {
        recipientOf: (user) => emailRecipient(tenant, user, custom),
        compose: async ({ address }, { digits, ...message }) => {
          const mail = mailTo(address, application, settings, { ...message, content });
          const composed = await codeMail({ ...mail, code: digits });
          return { send: () => mailer.send(composed) };
        },
      };
    }
    case 'sms': {
      const custom = readCustomPhoneNumber(json.custom_phone_number);
      const number = custom ?? (identifier.type === 'phone_number' ? identifier.value : undefined);
      if (number !== undefined) requireTextable(settings, number);
      const { custom_message: customMessage, sender_id: senderId } = json.custom_sms_input ?? {};
      return {
        ...(number === undefined ? {} : { number }),
        recipientOf: (user) => {
          const recipient = phoneRecipient(tenant, user, custom);
          requireTextable(settings, recipient.address);
          return recipient;
        },
        compose: async ({ address }, { digits }) => {
          const sms = textTo(address, application, settings, { code: digits, customMessage, senderId });
          return { note: { smsParts: segments(sms.text) }, send: () => smsSender.send(sms) };
        },
      };
    }
    case 'direct':
      return { recipientOf: () => undefined, compose: async () => ({ send: async () => {} }) };
  }
}
