import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { makeRequestId } from '../../shared/domain/credentials/request-id.ts';
import {
  findOwner,
  normaliseIdentifier,
  readIdentifier,
  unknownUserError,
} from '../../shared/domain/identifiers/identifier.ts';
import {
  emailRecipient,
  phoneRecipient,
  type Recipient,
  readCustomEmail,
  readCustomPhoneNumber,
  requireMaySend,
} from '../../shared/domain/sending/delivery.ts';
import { withSenderIdRemark } from '../../shared/domain/sending/sender-id.ts';
import { requireReachable } from '../../shared/domain/users/user-status.ts';
import { composeCodeMail, composeSms, readEmailContent } from '../../shared/flows/sending/message.ts';
import { toAddressAuditContext } from '../../shared/flows/sending/message-facts.ts';
import { type PasscodeRequest, sendPasscode } from '../../shared/flows/sending/send-passcode.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { Identifier, User } from '../../shared/ports/people.ts';
import type * as rows from './rows.ts';

/** Settings for sending a passcode by the requested channel. */
interface Delivery extends Pick<PasscodeRequest, 'alternative' | 'number' | 'compose'> {
  readonly findRecipient: (user: User) => Recipient | undefined;
  /** SMS sender ID that the request specifies. */
  readonly senderId?: string | undefined;
}

/**
 * Reads the fields of the request that its channel uses.
 * @throws `system_invalid_input`, `recipient_unreachable`
 */
function readDelivery(
  {
    json,
    caller: { application, tenant },
    settings,
    request: { requestId },
  }: OperationRequest<typeof rows.sendOtp>,
  { type, value }: Identifier,
  ports: OperationPorts<typeof rows.sendOtp>,
): Delivery {
  switch (json.channel) {
    case 'email': {
      const custom = readCustomEmail(json.custom_email);
      const content = readEmailContent(json.email_content);
      return {
        alternative: custom === undefined ? undefined : normaliseIdentifier('email', custom),
        number: undefined,
        findRecipient: (user) => emailRecipient(tenant, user, custom),
        compose: (recipient, body) =>
          composeCodeMail(ports, { ...recipient, application, settings, requestId }, { ...body, content }),
      };
    }
    case 'sms': {
      const custom = readCustomPhoneNumber(json.custom_phone_number);
      const number = custom ?? (type === 'phone_number' ? value : undefined);
      if (number !== undefined) requireMaySend(settings, json.channel, number);
      const { custom_message: customMessage, sender_id: senderId } = json.custom_sms_input ?? {};
      return {
        alternative: custom === undefined ? undefined : { type: 'phone_number', value: custom },
        number,
        senderId,
        findRecipient: (user) => {
          const recipient = phoneRecipient(tenant, user, custom);
          requireMaySend(settings, json.channel, recipient.address);
          return recipient;
        },
        compose: (recipient, { digits, approvalData }) =>
          composeSms(
            ports,
            { ...recipient, application, settings, requestId },
            { digits, approvalData, customMessage, senderId, host: application.codeHost },
          ),
      };
    }
    case 'direct':
      return {
        number: undefined,
        findRecipient: () => undefined,
        compose: () => ({ send: async () => ({}) }),
      };
  }
}

/** Sends a one-time passcode, or returns it if the channel is `direct` (SPEC A3). */
export const sendOtp: UseCase<typeof rows.sendOtp> = async (input, ports) => {
  const { json, caller, audit } = input;
  const { application, tenant } = caller;
  const { channel } = json;
  const device = readDevice(json);
  audit({ ...device, channel });
  const settings = passcodeSettings(requirePreference(application, channel), json.expires_in);
  const approvalData = readApprovalData(json.approval_data);
  const identifier = readIdentifier(json.identifier_type, json.identifier);
  const { recipient, ...named } = toAddressAuditContext(tenant, identifier);
  // A code that is returned to the caller is sent to no address.
  audit(channel === 'direct' || recipient === undefined ? named : { recipient, ...named });
  const { findRecipient, senderId, ...delivery } = readDelivery(input, identifier, ports);
  if (delivery.alternative) audit(toAddressAuditContext(tenant, delivery.alternative));
  const requestId = makeRequestId(json.generate_request_id);

  const resolveUser = async (userId: string, count: () => Promise<void>) => {
    const finding = findOwner(ports, tenant, identifier, userId).then((found) => {
      // The user ID is logged before a rate limit can reject the request, so that the rejection appears in the user's events.
      if (found) audit({ userId });
      return found;
    });
    const [user] = await awaitAll(finding, count());
    if (!user) throw unknownUserError(identifier);
    requireReachable(user);
    return { kind: 'known', userId, recipient: findRecipient(user) } as const;
  };
  const digits = await sendPasscode(ports, input, {
    ...delivery,
    channel,
    identifier,
    settings,
    device,
    approvalData,
    requestIdHash: requestId?.hash,
    fields: { purpose: 'one-time', ...device },
    resolveRecipient: (holderId, count) => {
      if (holderId === undefined) throw unknownUserError(identifier);
      return resolveUser(holderId, count);
    },
  });
  return {
    json: {
      message: withSenderIdRemark('OTP sent', senderId),
      approval_data: approvalData,
      code: channel === 'direct' ? digits : undefined,
      request_id: requestId?.value,
    },
  };
};
