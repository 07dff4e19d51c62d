import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import type { OneTimeCodeState, StoredCode } from '../../ports/flows.ts';
import type { Item } from '../attributes.ts';
import { readNumber } from '../attributes.ts';
import { attribute, type Codec, codec, flag, number, oneOf, optional, text } from '../codec.ts';
import { approvalData } from './approval-data.ts';

const signUp = flag('sign_up');

export const codeItem: Codec<StoredCode> = codec<StoredCode>({
  mac: text('mac'),
  kind: attribute(
    'sign_up',
    (item) => (signUp.read(item) ? 'signUp' : 'known'),
    (kind) => kind === 'signUp' || undefined,
  ),
  userId: text('user_id'),
  clientId: text('client_id'),
  channel: oneOf('channel', ['email', 'sms', 'direct']),
  deliveredToHash: optional(text('delivered_to_hash')),
  alternativeHash: optional(text('alternative_hash')),
  requestIdHash: optional(text('request_id_hash')),
  approvalData: optional(approvalData),
  deviceId: optional(text('device_id')),
  userAgent: optional(text('user_agent')),
  ipAddress: optional(text('ip_address')),
  purpose: optional(oneOf('purpose', ['one-time', 'code-based', 'hosted'])),
  smsPrefix: optional(text('sms_prefix')),
  request: optional(text('request')),
  maxTries: number('max_tries'),
  lockSeconds: number('lock_seconds'),
  sentAt: number('sent_at'),
  expiresAt: number('expires_at'),
  consumedAt: optional(number('consumed_at')),
});

/** What a revocation takes away; the limits stay, because the counters are measured by them. */
export const REVOKED_ATTRIBUTES: readonly string[] = [
  ...codeItem.attributes.filter((name) => name !== 'max_tries' && name !== 'lock_seconds'),
  'consumed_by',
];

const lockedUntil = optional(number('locked_until'));
const lockEndsAt = optional(number('lock_ends_at'));

export function toState(item: Item): OneTimeCodeState {
  const isDead = readNumber(item, 'tries', 0) >= readNumber(item, 'max_tries');
  return omitUndefined<OneTimeCodeState>({
    failures: readNumber(item, 'failures', 0),
    lockedUntil: (isDead ? lockEndsAt : lockedUntil).read(item),
    code: isDead || item.mac === undefined ? undefined : codeItem.read(item),
  });
}
