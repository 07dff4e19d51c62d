import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { newDigits } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { type ApprovalData, readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { codeKey, macOfPasscode } from '../../shared/domain/credentials/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { findClaimedUserId } from '../../shared/domain/identifiers/identifier.ts';
import { countReportedAddress } from '../../shared/domain/rate-limits/address-window.ts';
import { countSend } from '../../shared/domain/rate-limits/send-window.ts';
import { withinSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import { countSmsPrefix, smsPrefixOf } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import {
  type GivenAddress,
  readAddress,
  readCodeBasedRequest,
  requireAddressee,
} from '../../shared/domain/sending/code-based-login.ts';
import { requireTextable, storeAndDeliver } from '../../shared/domain/sending/delivery.ts';
import { resolveAudience } from '../../shared/domain/sessions/audience.ts';
import { requireSignUp } from '../../shared/domain/users/sign-up.ts';
import type { Message } from '../../shared/flows/sending/passcode-delivery.ts';
import { mailTo, readEmailContent, textTo } from '../../shared/flows/sending/passcode-message.ts';
import type { AuditContext, InputOf, UseCase } from '../../shared/operation.ts';
import type { StoredCode } from '../../shared/ports/flows.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { codeMail } from '../../shared/templates/messages/email.ts';
import { segments } from '../../shared/templates/messages/segments.ts';
import type * as rows from './rows.ts';

type Input = InputOf<typeof rows.sendEmailOtp> | InputOf<typeof rows.sendSmsOtp>;
type SendPorts = Using<
  | 'identifiers'
  | 'users.find'
  | 'memberships'
  | 'organizations'
  | 'resources'
  | 'windows.count'
  | 'windows.takeBack'
  | 'codeMac'
  | 'otps.put'
  | 'otps.revoke'
>;

export interface Passcode {
  readonly digits: string;
  readonly lifetimeSeconds: number;
  readonly approvalData: ApprovalData | undefined;
}

/**
 * Sends a code whose digits begin the redirect to the caller. Whatever is wrong with the request is told before anything
 * is written; returns what is to be approved.
 */
export async function sendPasscode(
  ports: SendPorts,
  { json, caller, settings, audit }: Input,
  { channel, address }: { readonly channel: 'email' | 'sms'; readonly address: GivenAddress },
  compose: (to: string, passcode: Passcode) => Promise<Message>,
): Promise<ApprovalData | undefined> {
  const { application, tenant, client } = caller;
  const { identifier } = address;
  const number = channel === 'sms' ? identifier.value : undefined;
  if (number !== undefined) requireTextable(settings, number);
  const preference = requirePreference(application, channel);
  const { digits: length, lifetimeSeconds, ...limits } = passcodeSettings(preference, undefined);
  const request = readCodeBasedRequest(caller, json);
  const { userAgent, ipAddress, organizationId } = request;
  audit(omitUndefined<AuditContext>({ userAgent, ipAddress, channel }));
  const approvalData = readApprovalData(json.approval_data);
  const digits = newDigits(length);
  const key = codeKey(tenant, application, identifier);

  const [claimedBy, mac] = await awaitAll(
    findClaimedUserId(ports, tenant, identifier),
    macOfPasscode(ports, key, digits),
    resolveAudience(ports, caller, json.resource, settings),
    countReportedAddress(ports, caller, request, settings),
    countSmsPrefix(ports, { application, settings, audit }, number),
  );
  if (claimedBy === undefined) requireSignUp(application, json.create_new_user);
  const reaching = awaitAll(
    requireAddressee(ports, caller, address, claimedBy, {
      createNewUser: json.create_new_user,
      organizationId,
    }),
    countSend(ports, application, channel, key.identifierHash, settings),
  );
  const spender = { tenant, channel, toStranger: claimedBy === undefined, settings, audit };
  const [addressee] = await withinSmsBudget(ports, spender, reaching);
  const { userId, signUp, recipient } = addressee;
  audit({ userId });
  // Before anything is stored: the two calls that follow go out side by side.
  const message = await compose(recipient.address, { digits, lifetimeSeconds, approvalData });
  audit(message.note ?? {});

  const sentAt = nowSeconds();
  const code = omitUndefined<StoredCode>({
    mac,
    userId,
    clientId: client.clientId,
    channel,
    ...limits,
    deliveredToHash: recipient.ownHash,
    approvalData,
    purpose: 'code-based',
    smsPrefix: number && smsPrefixOf(number),
    signUp,
    request: JSON.stringify(request),
    sentAt,
    expiresAt: sentAt + lifetimeSeconds,
  });
  await storeAndDeliver({
    store: () => ports.otps.put(key, code),
    deliver: message.send,
    revoke: () => ports.otps.revoke(key, mac),
  });
  audit({ sent: channel });
  return approvalData;
}

/** C. Sends a one-time passcode by email. */
export const sendEmailOtp: UseCase<typeof rows.sendEmailOtp> = async (input, ports) => {
  const { json, caller, settings } = input;
  const address = readAddress('email', json.email);
  const content = readEmailContent(json.email_content);
  const approvalData = await sendPasscode(
    ports,
    input,
    { channel: 'email', address },
    async (to, { digits, ...message }) => {
      const mail = mailTo(to, caller.application, settings, { ...message, content });
      const composed = await codeMail({ ...mail, code: digits });
      return { send: () => ports.mailer.send(composed) };
    },
  );
  return { json: { message: 'OTP email sent', approval_data: approvalData } };
};

/** C. Sends a one-time passcode by SMS. */
export const sendSmsOtp: UseCase<typeof rows.sendSmsOtp> = async (input, ports) => {
  const { json, caller, settings } = input;
  const address = readAddress('phone_number', json.phone_number);
  const { custom_message: customMessage, sender_id: senderId } = json;
  const approvalData = await sendPasscode(
    ports,
    input,
    { channel: 'sms', address },
    async (to, { digits }) => {
      const sms = textTo(to, caller.application, settings, { code: digits, customMessage, senderId });
      return { note: { smsParts: segments(sms.text) }, send: () => ports.smsSender.send(sms) };
    },
  );
  return { json: { message: 'SMS sent', approval_data: approvalData } };
};
