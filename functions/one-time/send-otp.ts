import { readApprovalData } from '../../shared/domain/approval-data.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import {
  emailRecipient,
  phoneRecipient,
  type Recipient,
  readCustomEmail,
  readCustomPhoneNumber,
  storeAndDeliver,
} from '../../shared/domain/delivery.ts';
import { findCarrier, findClaimedUserId, readIdentifier } from '../../shared/domain/identifier.ts';
import { requirePreference } from '../../shared/domain/login-preferences.ts';
import { codeKey, macOfPasscode } from '../../shared/domain/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/passcode-settings.ts';
import { newDigits } from '../../shared/domain/random.ts';
import { makeRequestId } from '../../shared/domain/request-id.ts';
import { countSend } from '../../shared/domain/send-window.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { together } from '../../shared/domain/together.ts';
import { requireActive } from '../../shared/domain/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { ClientCaller, InputOf, PortsOf, Settings, UseCase } from '../../shared/operation.ts';
import type { StoredCode } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import { codeMail } from '../../shared/templates/email.ts';
import { sendOtp as operation } from '../rows/one-time.ts';
import { mailTo, readEmailContent, textTo } from './message.ts';

interface Passcode {
  readonly digits: string;
  readonly lifetimeSeconds: number;
  readonly approvalData: Readonly<Record<string, string>> | undefined;
}

/** A channel's way of reaching the user: whom to write to, and how the digits get there. */
interface Delivery {
  readonly recipientOf: (user: User) => Recipient | undefined;
  readonly deliver: (recipient: Recipient, passcode: Passcode) => Promise<void>;
}

type Body = InputOf<typeof operation>['json'];

/** Reads what belongs to the channel of the request, so that nothing malformed gets as far as a write. */
function deliveryFor(
  json: Body,
  { application, tenant }: ClientCaller,
  settings: Settings,
  { mailer, texter }: PortsOf<typeof operation>,
): Delivery {
  switch (json.channel) {
    case 'email': {
      const custom = readCustomEmail(json.custom_email);
      const content = readEmailContent(json.email_content);
      return {
        recipientOf: (user) => emailRecipient(tenant, user, custom),
        deliver: async ({ address }, { digits, ...message }) => {
          const mail = mailTo(address, application, settings, { ...message, content });
          await mailer.send(await codeMail({ ...mail, code: digits }));
        },
      };
    }
    case 'sms': {
      const custom = readCustomPhoneNumber(json.custom_phone_number);
      const { custom_message: customMessage, sender_id: senderId } = json.custom_sms_input ?? {};
      return {
        recipientOf: (user) => phoneRecipient(tenant, user, custom),
        deliver: ({ address }, { digits }) => {
          const text = textTo(address, application, settings, { code: digits, customMessage, senderId });
          return texter.send(text);
        },
      };
    }
    case 'direct':
      return { recipientOf: () => undefined, deliver: async () => {} };
  }
}

/** A3. Sends a one-time passcode, or returns it when the channel is `direct`. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings, audit }, ports) => {
  const { application, tenant, client } = caller;
  const { channel } = json;
  const device = readDevice(json);
  audit({ ...device, channel });
  const preference = requirePreference(application, channel);
  const { digits: length, lifetimeSeconds, ...limits } = passcodeSettings(preference, json.expires_in);
  const approvalData = readApprovalData(json.approval_data);
  const identifier = readIdentifier(json.identifier_type, json.identifier);
  const { recipientOf, deliver } = deliveryFor(json, caller, settings, ports);
  const requestId = makeRequestId(json.generate_request_id);
  const digits = newDigits(length);
  const key = codeKey(tenant, application, identifier);

  const [userId, mac] = await together(
    findClaimedUserId(ports, tenant, identifier),
    macOfPasscode(ports, key, digits),
  );
  if (userId === undefined) throw new ServiceError('user_not_found');
  const [user] = await together(
    findCarrier(ports, tenant, identifier, userId),
    countSend(ports, application, channel, key.identifierHash, settings),
  );
  if (!user) throw new ServiceError('user_not_found');
  audit({ userId: requireActive(user).userId });
  const recipient = recipientOf(user);

  const sentAt = nowSeconds();
  const code: StoredCode = {
    mac,
    userId: user.userId,
    clientId: client.clientId,
    channel,
    ...limits,
    ...(recipient?.ownHash === undefined ? {} : { deliveredToHash: recipient.ownHash }),
    ...(requestId ? { requestIdHash: requestId.hash } : {}),
    ...(approvalData ? { approvalData } : {}),
    ...(device.deviceId === undefined ? {} : { deviceId: device.deviceId }),
    sentAt,
    expiresAt: sentAt + lifetimeSeconds,
  };
  await storeAndDeliver({
    store: () => ports.otps.put(key, code),
    deliver: async () => {
      if (recipient) await deliver(recipient, { digits, lifetimeSeconds, approvalData });
    },
    revoke: () => ports.otps.revoke(key, mac),
  });
  return {
    json: {
      message: 'OTP sent',
      approval_data: approvalData,
      code: channel === 'direct' ? digits : undefined,
      request_id: requestId?.value,
    },
  };
};

export const handler = lambda(operation, useCase);
