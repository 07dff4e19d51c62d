import { countReportedAddress } from '../../shared/domain/address-window.ts';
import { readApprovalData } from '../../shared/domain/approval-data.ts';
import { readDevice } from '../../shared/domain/client-attributes.ts';
import { storeAndDeliver } from '../../shared/domain/delivery.ts';
import { findCarrier, findClaimedUserId, readIdentifier } from '../../shared/domain/identifier.ts';
import { requirePreference } from '../../shared/domain/login-preferences.ts';
import { codeKey, macOfPasscode } from '../../shared/domain/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/passcode-settings.ts';
import { newDigits } from '../../shared/domain/random.ts';
import { makeRequestId } from '../../shared/domain/request-id.ts';
import { countSend } from '../../shared/domain/send-window.ts';
import { orGiveBackSms, withinSmsBudget } from '../../shared/domain/sms-budget.ts';
import { countSmsPrefix, countSmsPrefixBeside, smsPrefixOf } from '../../shared/domain/sms-prefix-window.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { together } from '../../shared/domain/together.ts';
import { requireActive } from '../../shared/domain/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { StoredCode } from '../../shared/ports/flows.ts';
import { sendOtp as operation } from '../rows/one-time.ts';
import { deliveryFor } from './passcode-delivery.ts';

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
  const { number, recipientOf, compose } = deliveryFor(json, identifier, caller, settings, ports);
  const requestId = makeRequestId(json.generate_request_id);
  const digits = newDigits(length);
  const key = codeKey(tenant, application, identifier);
  const sender = { application, settings, audit };

  const [userId, mac] = await together(
    findClaimedUserId(ports, tenant, identifier),
    macOfPasscode(ports, key, digits),
    countReportedAddress(ports, caller, device, settings),
    countSmsPrefix(ports, sender, number),
  );
  if (userId === undefined) throw new ServiceError('user_not_found');
  const spender = { tenant, channel, toStranger: false, settings, audit };
  const reach = async () => {
    const [user] = await together(
      findCarrier(ports, tenant, identifier, userId),
      countSend(ports, application, channel, key.identifierHash, settings),
    );
    if (!user) throw new ServiceError('user_not_found');
    audit({ userId: requireActive(user).userId });
    return recipientOf(user);
  };
  const recipient = await withinSmsBudget(ports, spender, reach());
  // Before anything is stored: the two calls that follow go out side by side.
  const message = recipient && (await compose(recipient, { digits, lifetimeSeconds, approvalData }));
  audit(message?.note ?? {});

  const sentAt = nowSeconds();
  const code: StoredCode = {
    mac,
    userId,
    clientId: client.clientId,
    channel,
    ...limits,
    ...(recipient?.ownHash === undefined ? {} : { deliveredToHash: recipient.ownHash }),
    ...(recipient?.alternativeHash === undefined ? {} : { alternativeHash: recipient.alternativeHash }),
    ...(requestId ? { requestIdHash: requestId.hash } : {}),
    ...(approvalData ? { approvalData } : {}),
    ...(channel === 'sms' && recipient ? { smsPrefix: smsPrefixOf(recipient.address) } : {}),
    ...device,
    sentAt,
    expiresAt: sentAt + lifetimeSeconds,
  };
  const { beside } = await orGiveBackSms(
    ports,
    spender,
    countSmsPrefixBeside(ports, sender, number === undefined ? code.smsPrefix : undefined),
  );
  await together(
    storeAndDeliver({
      store: () => ports.otps.put(key, code),
      deliver: async () => message?.send(),
      revoke: () => ports.otps.revoke(key, mac),
    }),
    beside,
  );
  audit({ sent: channel });
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
