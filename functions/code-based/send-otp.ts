import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { readApproval, splitApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { limitedNumber } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import {
  type CodeBasedAddress,
  readAddress,
  readCodeBasedRequest,
  requireAddressee,
} from '../../shared/domain/sending/code-based-login.ts';
import { requireMaySend } from '../../shared/domain/sending/delivery.ts';
import { withSenderIdRemark } from '../../shared/domain/sending/sender-id.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { requireSignUp } from '../../shared/domain/users/sign-up.ts';
import { composeCodeMail, composeSms, readEmailContent } from '../../shared/flows/sending/message.ts';
import { toAddressAuditContext } from '../../shared/flows/sending/message-facts.ts';
import { type PasscodeRequest, sendPasscode } from '../../shared/flows/sending/send-passcode.ts';
import type { AuditContext, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { ApprovalData } from '../../shared/ports/signing.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { PasscodeChannel } from '../../shared/records/channels.ts';
import type * as rows from './rows.ts';

type SendPorts = Parameters<typeof sendPasscode>[0] &
  PortsWith<'users.find' | 'memberships' | 'organizations' | 'resources'>;

interface Sending {
  readonly channel: PasscodeChannel;
  readonly address: CodeBasedAddress;
}

/**
 * Checks the request and sends a passcode for a login that ends with a redirect. Returns the data that the user approves with
 * the passcode, or undefined if the request contains none.
 */
async function sendPasscodeTo(
  ports: SendPorts,
  input: OperationRequest<typeof rows.sendEmailOtp> | OperationRequest<typeof rows.sendSmsOtp>,
  { channel, address, compose }: Pick<PasscodeRequest, 'compose'> & Sending,
): Promise<ApprovalData | undefined> {
  const { json, caller, audit } = input;
  const { identifier } = address;
  audit(toAddressAuditContext(caller.tenant, identifier));
  requireMaySend(input.settings, channel, identifier.value);
  const settings = passcodeSettings(requirePreference(caller.application, channel), undefined);
  const request = readCodeBasedRequest(caller, json);
  const { userAgent, ipAddress, organizationId } = request;
  audit(omitUndefined<AuditContext>({ userAgent, ipAddress, channel }));
  const approvalData = readApproval(json);
  const wanted = { createNewUser: json.create_new_user, organizationId, audit };

  const resolveUser = async (holderId: string | undefined, count: () => Promise<void>) => {
    const [addressee] = await awaitAll(
      requireAddressee(ports, caller, { ...address, holderId }, wanted),
      count(),
    );
    return addressee;
  };
  await sendPasscode(ports, input, {
    channel,
    identifier,
    number: limitedNumber(channel, identifier.value),
    settings,
    device: request,
    approvalData,
    fields: { purpose: 'code-based', request: JSON.stringify(request) },
    check: () => resolveAudience(ports, caller, json.resource, input.settings),
    resolveRecipient: (holderId, count) => {
      if (holderId === undefined) requireSignUp(caller.application, json.create_new_user);
      return resolveUser(holderId, count);
    },
    compose,
  });
  return approvalData;
}

/** Sends a one-time passcode to an email address (SPEC C). Returns the data that the user approves with the passcode. */
export const sendEmailOtp: UseCase<typeof rows.sendEmailOtp> = async (input, ports) => {
  const { json, caller, settings } = input;
  const { application } = caller;
  const { requestId } = input.request;
  const address = readAddress('email', json.email);
  const content = readEmailContent(json.email_content);
  const approvalData = await sendPasscodeTo(ports, input, {
    channel: 'email',
    address,
    compose: (recipient, body) =>
      composeCodeMail(ports, { ...recipient, application, settings, requestId }, { ...body, content }),
  });
  return { json: { message: 'OTP email sent', approval_data: splitApprovalData(approvalData).texts } };
};

/** Sends a one-time passcode to a phone number (SPEC C). Returns the data that the user approves with the passcode. */
export const sendSmsOtp: UseCase<typeof rows.sendSmsOtp> = async (input, ports) => {
  const { json, caller, settings } = input;
  const { application } = caller;
  const { requestId } = input.request;
  const address = readAddress('phone_number', json.phone_number);
  const { custom_message: customMessage, sender_id: senderId } = json;
  const approvalData = await sendPasscodeTo(ports, input, {
    channel: 'sms',
    address,
    compose: (recipient, { digits, approvalData: approved }) =>
      composeSms(
        ports,
        { ...recipient, application, settings, requestId },
        { digits, approvalData: approved, customMessage, senderId, host: application.codeHost },
      ),
  });
  return {
    json: {
      message: withSenderIdRemark('SMS sent', senderId),
      approval_data: splitApprovalData(approvalData).texts,
    },
  };
};
