import type { Channel } from '../records/channels.ts';

/**
 * Events of a message to a user: the message was sent or rejected, or its delivery status changed. They appear only in the
 * user's timeline, for support; the event bus and webhooks do not receive them.
 */
export type MessageEvent =
  | 'message.sent'
  | 'message.refused'
  | 'message.delivered'
  | 'message.delayed'
  | 'message.bounced'
  | 'message.complained';

/** Reason why a message was not sent. */
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

/** Reasons that a sender function of the operator may give for a message that it does not send. */
export type SenderRefusal = Extract<
  SendRefusal,
  | 'provider_refused'
  | 'provider_unreachable'
  | 'country'
  | 'number_at_risk'
  | 'mail_bounced'
  | 'mail_complaint'
>;

/** Names of security events. They appear in the log, on the event bus, in users' timelines and in webhooks. */
export type AuditEvent =
  | 'login.succeeded'
  | 'login.failed'
  | 'login.locked'
  | 'login.new_device'
  | 'session.moved'
  | 'session.ended'
  | 'session.binding_failed'
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

/** Facts about a request for its single log line, such as user, login method and session. They never contain a secret. */
export interface AuditFacts {
  readonly userId?: string;
  readonly tenantId?: string;
  readonly applicationId?: string;
  readonly clientId?: string;
  readonly sessionId?: string;
  readonly channel?: string;
  /** Masked recipient of the message. The log line contains no full address. */
  readonly recipient?: string;
  /** HMAC of the recipient, if the address belongs to no user. */
  readonly recipientHash?: string;
  /** Message ID from the provider. Delivery reports of the message carry the same ID. */
  readonly messageId?: string;
  readonly refusal?: SendRefusal;
  /** Seconds after which a rejected message can be sent again. */
  readonly retryAfterSeconds?: number;
  /** Channel for which a provider accepted a code or link, or `direct` if the caller received the code in the response. */
  readonly sent?: Channel | 'direct';
  /** Channel of a code or link that was correct and has been consumed. */
  readonly verified?: Channel | 'direct';
  readonly method?: string;
  /** Name of the identity provider whose account the call links or disconnects. */
  readonly provider?: string;
  /**
   * Reason why a provider's response was rejected: a reason defined by this service, or an error code of OAuth or of the client
   * library.
   */
  readonly providerError?: string;
  /**
   * Address fields set by this call, separated by spaces. Their first verification will supersede the user's earlier
   * credentials.
   */
  readonly supersedesAccount?: string;
  readonly deviceId?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  /** ID of the directory record that the call reads or changes. */
  readonly recordId?: string;
  /** Type of the record that an administrative call changes, such as `client`. */
  readonly recordKind?: string;
  /** User ID of the person whose membership changes. */
  readonly personId?: string | undefined;
  /** Changes of the record as JSON. They contain only values that viewers may see (shared/records/changes.ts). */
  readonly changes?: string;
  /** User ID of the operator who made the call. */
  readonly operator?: string;
  /** Reason for the operator's action, in the operator's own words. */
  readonly reason?: string | undefined;
  /**
   * Set to `admins` if an operator's call changes access rights or which data leaves the service. All admins are then notified.
   */
  readonly told?: 'admins';
  /** ID of the webhook delivery that is repeated. */
  readonly deliveryId?: string;
  /** ID of the client secret that the caller used. Each container logs it once a day (shared/domain/oauth/secret-use.ts). */
  readonly secretUsed?: string;
  /** `kid` of the signing key that an operator's command changes. */
  readonly keyId?: string;
  /** Security events in addition to the events that the operation row and the result of the request imply. */
  readonly events?: readonly AuditEvent[];
  /** Short hash of the browser that logged in, used to detect a new device. */
  readonly browser?: string;
  /** Number of parts into which the network splits the SMS. Each part is billed. */
  readonly smsParts?: number;
  /** Set if the requested `sender_id` could not be used. The SMS is then sent with the environment's own sender. */
  readonly smsSender?: 'left_out';
  /**
   * SMS limit that rejected the message, or would have rejected it if it were enforced: the message count of a number range,
   * the share of unused codes in a range, or the tenant's budget.
   */
  readonly smsGuard?: 'range' | 'unverified' | 'budget';
  /** Percentage of the tenant's SMS budget that has been used. */
  readonly smsBudgetPercent?: number;
  /** Set if the request failed because a KMS key is disabled or pending deletion. */
  readonly unusableKey?: true;
  /**
   * Internal error that caused a rejection, but that the response does not show. The log contains only its name and location.
   */
  readonly cause?: unknown;
}
