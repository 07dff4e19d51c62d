import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { readDevice } from '../../shared/domain/basis/client-attributes.ts';
import { newDigits } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { requirePreference } from '../../shared/domain/credentials/login-preferences.ts';
import { codeKey, macOfPasscode } from '../../shared/domain/credentials/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { makeRequestId } from '../../shared/domain/credentials/request-id.ts';
import {
  findCarrier,
  findClaimedUserId,
  readIdentifier,
} from '../../shared/domain/identifiers/identifier.ts';
import { countReportedAddress } from '../../shared/domain/rate-limits/address-window.ts';
import { countSend } from '../../shared/domain/rate-limits/send-window.ts';
import { orGiveBackSms, withinSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import {
  countSmsPrefix,
  countSmsPrefixBeside,
  smsPrefixOf,
} from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { storeAndDeliver } from '../../shared/domain/sending/delivery.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { deliveryFor } from '../../shared/flows/sending/passcode-delivery.ts';
import type { UseCase } from '../../shared/operation.ts';
import type { StoredCode } from '../../shared/ports/flows.ts';
import type * as rows from './rows.ts';

/** A3. Sends a one-time passcode, or returns it when the channel is `direct`. */
export const sendOtp: UseCase<typeof rows.sendOtp> = async ({ json, caller, settings, audit }, ports) => {
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

  const [userId, mac] = await awaitAll(
    findClaimedUserId(ports, tenant, identifier),
    macOfPasscode(ports, key, digits),
    countReportedAddress(ports, caller, device, settings),
    countSmsPrefix(ports, sender, number),
  );
  if (userId === undefined) throw new ServiceError('user_not_found');
  const spender = { tenant, channel, toStranger: false, settings, audit };
  const reach = async () => {
    const [user] = await awaitAll(
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
  await awaitAll(
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
