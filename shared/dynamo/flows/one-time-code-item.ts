import { PASSCODE_FAILURES_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { OneTimeCodeState, StoredCode } from '../../ports/flows.ts';
import {
  asJson,
  number,
  omitUndefined,
  oneOf,
  optionalFlag,
  optionalJsonTexts,
  optionalNumber,
  optionalText,
  text,
} from '../attributes.ts';
import type { Item } from '../table.ts';

/** What a revocation takes away; the limits stay, the counters are measured by them. */
export const CODE_ATTRIBUTES = [
  'mac',
  'user_id',
  'client_id',
  'channel',
  'delivered_to_hash',
  'alternative_hash',
  'request_id_hash',
  'approval_data',
  'device_id',
  'user_agent',
  'ip_address',
  'purpose',
  'sms_prefix',
  'sign_up',
  'request',
  'sent_at',
  'expires_at',
  'consumed_at',
  'consumed_by',
];

export function toAttributes(code: StoredCode) {
  return {
    mac: code.mac,
    user_id: code.userId,
    client_id: code.clientId,
    channel: code.channel,
    delivered_to_hash: code.deliveredToHash,
    alternative_hash: code.alternativeHash,
    request_id_hash: code.requestIdHash,
    approval_data: asJson(code.approvalData),
    device_id: code.deviceId,
    user_agent: code.userAgent,
    ip_address: code.ipAddress,
    purpose: code.purpose,
    sms_prefix: code.smsPrefix,
    sign_up: code.signUp,
    request: code.request,
    max_tries: code.maxTries,
    lock_seconds: code.lockSeconds,
    sent_at: code.sentAt,
    expires_at: code.expiresAt,
    consumed_at: code.consumedAt,
    consumed_by: undefined,
    purge_at: code.expiresAt + PASSCODE_FAILURES_KEPT_SECONDS,
  };
}

export function toCode(item: Item): StoredCode {
  return omitUndefined({
    mac: text(item, 'mac'),
    userId: text(item, 'user_id'),
    clientId: text(item, 'client_id'),
    channel: oneOf(item, 'channel', ['email', 'sms', 'direct']),
    deliveredToHash: optionalText(item, 'delivered_to_hash'),
    alternativeHash: optionalText(item, 'alternative_hash'),
    requestIdHash: optionalText(item, 'request_id_hash'),
    approvalData: optionalJsonTexts(item, 'approval_data'),
    deviceId: optionalText(item, 'device_id'),
    userAgent: optionalText(item, 'user_agent'),
    ipAddress: optionalText(item, 'ip_address'),
    purpose:
      item.purpose === undefined ? undefined : oneOf(item, 'purpose', ['one-time', 'code-based', 'hosted']),
    smsPrefix: optionalText(item, 'sms_prefix'),
    signUp: optionalFlag(item, 'sign_up'),
    request: optionalText(item, 'request'),
    maxTries: number(item, 'max_tries'),
    lockSeconds: number(item, 'lock_seconds'),
    sentAt: number(item, 'sent_at'),
    expiresAt: number(item, 'expires_at'),
    consumedAt: optionalNumber(item, 'consumed_at'),
  });
}

export function toState(item: Item): OneTimeCodeState {
  const isDead = (optionalNumber(item, 'tries') ?? 0) >= number(item, 'max_tries');
  return omitUndefined({
    failures: optionalNumber(item, 'failures') ?? 0,
    lockedUntil: optionalNumber(item, isDead ? 'lock_ends_at' : 'locked_until'),
    code: isDead || item.mac === undefined ? undefined : toCode(item),
  });
}
