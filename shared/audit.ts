import type { ErrorKey } from './errors/catalogue.ts';
import type { CodeChannel } from './ports/flows.ts';

/** Security-relevant events: in the log, on the event bus, in a user's timeline, at webhooks. */
export type AuditEvent =
  | 'login.succeeded'
  | 'login.failed'
  | 'login.locked'
  | 'login.new_device'
  | 'session.ended'
  | 'token.revoked'
  | 'token.reused'
  | 'client.refused'
  | 'user.created'
  | 'user.updated'
  | 'user.email_changed'
  | 'user.phone_changed'
  | 'user.phone_risk_set'
  | 'user.phone_risk_cleared'
  | 'user.suspended'
  | 'user.unlocked'
  | 'user.erased'
  | 'passkey.added'
  | 'passkey.removed'
  | 'device_key.added'
  | 'device_key.removed'
  | 'identity.added'
  | 'user.reclaimed'
  | 'management.changed';

/** What is noted about a request in its one log line: who, by which method, with which session. Never a secret. */
export interface AuditContext {
  readonly userId?: string;
  readonly tenantId?: string;
  readonly applicationId?: string;
  readonly clientId?: string;
  readonly sessionId?: string;
  readonly channel?: string;
  /** A code or link that was handed to a provider, or to the caller when `direct`. */
  readonly sent?: CodeChannel | 'link';
  /** A code or link that was right and is used up. */
  readonly verified?: CodeChannel | 'link';
  readonly method?: string;
  /** Why a provider's answer was not taken: a code of the client library or of OAuth. */
  readonly providerError?: string;
  readonly deviceId?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  /** The record of the directory that the call is about. */
  readonly recordId?: string;
  /** The `kid` of the signing key that an operator's command is about. */
  readonly keyId?: string;
  /** Events that the row and the result of the request do not tell. */
  readonly events?: readonly AuditEvent[];
  /** Short hash of the browser that logged in, to tell a new one. */
  readonly browser?: string;
  /** What became of the mail that tells the user of a change. */
  readonly notice?: 'sent' | 'failed';
  /** How many messages the network makes of an SMS, and bills. */
  readonly smsParts?: number;
  /**
   * What refused an SMS, or would have if limits were not only tried: too many to numbers that begin alike, too few of them
   * used, too many of the tenant.
   */
  readonly smsGuard?: 'range' | 'unverified' | 'budget';
  /** How much of its budget of SMS the tenant has used, in percent. */
  readonly smsBudgetPercent?: number;
  /** Why a page shows an error, or a redirect carries one: in place of the `ok` that its status says. */
  readonly result?: ErrorKey;
  /** What was behind it, where no answer may tell: the log has its name and place. */
  readonly cause?: unknown;
}
