import type { CodeChannel } from './flows.ts';

/** What became of a message, in the timeline of its user for support; on no bus and at no webhook. */
export type MessageEvent =
  | 'message.sent'
  | 'message.refused'
  | 'message.delivered'
  | 'message.delayed'
  | 'message.bounced'
  | 'message.complained';

/** Why a message was not sent. */
export type SendRefusal =
  | 'recipient_limit'
  | 'network_limit'
  | 'sms_range'
  | 'sms_budget'
  | 'mail_bounced'
  | 'mail_complaint'
  | 'number_at_risk'
  | 'country'
  | 'provider_refused'
  | 'provider_unreachable'
  | 'wrong_codes'
  | 'user_disabled'
  | 'no_user'
  | 'test_user'
  | 'failed';

/** Security-relevant events: in the log, on the event bus, in a user's timeline, at webhooks. */
export type AuditEvent =
  | 'login.succeeded'
  | 'login.failed'
  | 'login.locked'
  | 'login.new_device'
  | 'session.moved'
  | 'session.ended'
  | 'logout.failed'
  | 'token.revoked'
  | 'token.reused'
  | 'token.repeated'
  | 'client.refused'
  | 'user.created'
  | 'user.updated'
  | 'user.email_added'
  | 'user.email_changed'
  | 'user.email_restored'
  | 'user.phone_added'
  | 'user.phone_changed'
  | 'user.phone_risk_set'
  | 'user.phone_risk_cleared'
  | 'user.suspended'
  | 'user.unlocked'
  | 'user.undo_requested'
  | 'user.recovery_requested'
  | 'user.recovery_granted'
  | 'user.recovery_cancelled'
  | 'user.erasure_requested'
  | 'user.erasure_cancelled'
  | 'user.erasure_reminded'
  | 'user.erased'
  | 'passkey.added'
  | 'passkey.removed'
  | 'device_key.added'
  | 'device_key.removed'
  | 'identity.added'
  | 'identity.removed'
  | 'grant.given'
  | 'grant.new_client'
  | 'grant.ended'
  | 'user.reclaimed'
  | MessageEvent
  | 'operator.invited'
  | 'operator.enrolled'
  | 'operator.acted'
  | 'operator.viewed_user'
  | 'webhook.tested'
  | 'webhook.repeated'
  | 'management.changed';

/** Facts about a request for its one log line: who, by which method, with which session. Never a secret. */
export interface AuditFacts {
  readonly userId?: string;
  readonly tenantId?: string;
  readonly applicationId?: string;
  readonly clientId?: string;
  readonly sessionId?: string;
  readonly channel?: string;
  /** Where the message goes, masked: the line holds no address. */
  readonly recipient?: string;
  /** HMAC of an address that no user has. */
  readonly recipientHash?: string;
  /** The provider's ID of the message: later events of it have the same. */
  readonly messageId?: string;
  readonly refusal?: SendRefusal;
  /** How long it holds. */
  readonly retryAfterSeconds?: number;
  /** A code or link was handed to a provider, or to the caller when `direct`. */
  readonly sent?: CodeChannel | 'link';
  /** A code or link was right and is used up. */
  readonly verified?: CodeChannel | 'link';
  readonly method?: string;
  /** Why a provider's answer was rejected: a code of the client library or of OAuth. */
  readonly providerError?: string;
  /** The addresses that the call has set, and whose first proof supersedes what the user had before. */
  readonly supersedesAccount?: string;
  readonly deviceId?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  /** The record of the directory that the call reads or changes. */
  readonly recordId?: string;
  /** The kind of the record that management changes, such as `client`. */
  readonly recordKind?: string;
  /** The member whom a change of a membership is about. */
  readonly personId?: string | undefined;
  /** JSON: what has changed of it, as viewers may see it (shared/records/changes.ts). */
  readonly changes?: string;
  /** The user ID of the operator who called. */
  readonly operator?: string;
  /** Why the operator did it, in their words. */
  readonly reason?: string | undefined;
  /** The call decides who gets in, or what leaves. */
  readonly told?: 'admins';
  /** The delivery of a webhook that is sent again. */
  readonly deliveryId?: string;
  /** ID of the secret that the client has shown; once a day in each container (shared/domain/oauth/secret-use.ts). */
  readonly secretUsed?: string;
  /** The `kid` of the signing key of an operator's command. */
  readonly keyId?: string;
  /** Events beyond those that the row and the result imply. */
  readonly events?: readonly AuditEvent[];
  /** Short hash of the browser that logged in, to tell a new one. */
  readonly browser?: string;
  /** How many messages the network makes of an SMS and bills. */
  readonly smsParts?: number;
  /** The `sender_id` of the request could not be carried; the environment's own origin sent. */
  readonly smsSender?: 'left_out';
  /**
   * The limit that refused an SMS, or would have if it were enforced: messages to one number range, the share of unused
   * codes in a range, the tenant's budget.
   */
  readonly smsGuard?: 'range' | 'unverified' | 'budget';
  /** The share of its SMS budget that the tenant has used, in percent. */
  readonly smsBudgetPercent?: number;
  /** The error behind a refusal that explains nothing; the log has its name and place. */
  readonly cause?: unknown;
}
