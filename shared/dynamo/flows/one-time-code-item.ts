import type { StoredCode } from '../../ports/flows.ts';
import { PASSCODE_CHANNELS } from '../../records/channels.ts';
import { type Codec, codec, number, oneOf, optional, text } from '../codec.ts';
import { approvalData } from './approvals.ts';

export const codeItem: Codec<StoredCode> = codec<StoredCode>({
  mac: text('mac'),
  kind: oneOf('kind', ['known', 'signUp']),
  userId: text('user_id'),
  userHash: text('person'),
  callerType: text('asker'),
  clientId: text('client_id'),
  channel: oneOf('channel', [...PASSCODE_CHANNELS, 'direct']),
  deliveredToHash: optional(text('delivered_to_hash')),
  alternativeHash: optional(text('alternative_hash')),
  approvalData: optional(approvalData),
  deviceId: optional(text('device_id')),
  userAgent: optional(text('user_agent')),
  ipAddress: optional(text('ip_address')),
  purpose: oneOf('purpose', ['one-time', 'code-based', 'hosted']),
  smsPrefix: optional(text('sms_prefix')),
  request: optional(text('request')),
  maxTries: number('max_tries'),
  lockSeconds: number('lock_seconds'),
  sentAt: number('sent_at'),
  expiresAt: number('expires_at'),
  consumedAt: optional(number('consumed_at')),
});

/** Attributes that are removed from an item when its code is revoked. */
export const CODE_ATTRIBUTES: readonly string[] = [
  ...codeItem.attributes,
  'consumed_by',
  'earlier',
  'former_guessers',
  'tried',
];
