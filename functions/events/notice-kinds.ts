import type { NoticeType } from '../../shared/domain/sending/notice.ts';
import type { AuditEvent, MessageEvent } from '../../shared/ports/audit.ts';

/** Kind of notice for each audit event; undefined if users are not notified. The type requires an entry for every new event. */
const NOTICES: Readonly<Record<Exclude<AuditEvent, MessageEvent>, NoticeType | undefined>> = {
  'login.succeeded': undefined,
  'login.failed': undefined,
  'login.locked': 'locked',
  'login.new_device': 'new_device',
  'session.moved': undefined,
  'session.ended': undefined,
  'session.binding_failed': 'binding_failed',
  'logout.failed': undefined,
  'token.revoked': undefined,
  'token.reused': undefined,
  'token.repeated': undefined,
  'client.refused': undefined,
  'user.created': undefined,
  'user.updated': undefined,
  'user.email_added': 'email_added',
  'user.email_changed': 'email_changed',
  'user.email_restored': 'email_restored',
  'user.phone_added': 'phone_added',
  'user.phone_changed': 'phone_changed',
  // A report that a phone number is at risk can begin a pending recovery. If it does not, notices.ts sends nothing.
  'user.phone_risk_set': 'recovery_requested',
  'user.phone_risk_cleared': undefined,
  'user.suspended': undefined,
  'user.unlocked': undefined,
  'user.undo_requested': 'undo_requested',
  'user.recovery_requested': 'recovery_requested',
  'user.recovery_granted': 'recovery_granted',
  'user.recovery_cancelled': 'recovery_cancelled',
  'user.erasure_requested': 'erasure_requested',
  'user.erasure_cancelled': 'erasure_cancelled',
  'user.erasure_reminded': 'erasure_waits',
  // An erased user has no address left.
  'user.erased': undefined,
  'passkey.added': 'passkey_added',
  'passkey.removed': 'passkey_removed',
  'device_key.added': 'device_key_added',
  'device_key.removed': 'device_key_removed',
  'identity.added': 'identity_added',
  'identity.removed': 'identity_removed',
  'grant.given': undefined,
  'grant.new_client': 'client_connected',
  'grant.ended': undefined,
  'user.reclaimed': 'reclaimed',
  'operator.viewed_user': undefined,
  'webhook.tested': undefined,
  'webhook.repeated': undefined,
  'management.changed': undefined,
  // Notices of these events go to operators, not to the user of the event: see operator-notices.ts.
  'operator.invited': undefined,
  'operator.enrolled': undefined,
  'operator.acted': undefined,
};

/** Events about which operators are notified by mail. */
const OPERATOR_EVENTS = [
  'operator.invited',
  'operator.enrolled',
  'operator.acted',
] as const satisfies readonly AuditEvent[];

/** Returns the kind of notice that an event type triggers, or undefined if users are not notified of it. */
export const findNoticeKind = (event: string): NoticeType | undefined =>
  Object.hasOwn(NOTICES, event) ? NOTICES[event as keyof typeof NOTICES] : undefined;

/** Event types that the notice queue receives. */
export const noticeEvents: readonly string[] = [
  ...Object.keys(NOTICES).filter(findNoticeKind),
  ...OPERATOR_EVENTS,
];
