import type { NoticeChannel } from '../records/channels.ts';

// Messages. Both senders throw `external_provider_configuration_error` if the provider rejects the message (unverified sender,
// rejected content, opted-out number), and `service_unavailable` if the provider throttles or does not respond in time. They
// retry only if the provider cannot have accepted the message.

/**
 * Owner of the timeline that stores a message and its delivery reports: a user, or the hash of an address that belongs to no
 * user. `applicationId` is the application that sent the message; clients of other applications cannot see it. If the message
 * fails, it is added to the list of failed messages of the tenant `tenantId`.
 */
export type MessageSubject = ({ readonly userId: string } | { readonly recipientHash: string }) & {
  readonly applicationId?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Recipient of the message, masked. */
  readonly recipient?: string | undefined;
};

/** Facts about a message for a sender function of the operator. The function learns nothing else about the person. */
export interface MessageFacts {
  readonly purpose: 'login' | 'sign_up' | 'confirm' | 'reinstate' | 'approval' | 'notice';
  /** Code that the person types. */
  readonly code?: string | undefined;
  /** Link of the message, such as a login link or the undo link of a notice. */
  readonly link?: string | undefined;
  /** Language of the texts as an RFC 5646 tag. */
  readonly language: string;
  readonly applicationName: string;
}

/** Facts about a message that do not depend on its channel. */
interface Sending {
  /** Tenant of the user, to which bounces and complaints are reported. The recipient does not see the tenant's ID. */
  readonly tenantId: string;
  /** Owner of the timeline that stores deliveries, bounces and complaints of the message. */
  readonly subject: MessageSubject;
  readonly facts: MessageFacts;
  /** ID of the request or event that caused the message. */
  readonly requestId?: string | undefined;
}

/** Confirmation that the provider has accepted a message. */
export interface SendReceipt {
  readonly messageId?: string;
}

export interface Mailer {
  send(
    mail: Sending & {
      readonly from: string;
      readonly to: string;
      readonly raw: Uint8Array;
      /** Parts of `raw`, for providers that compose the mail themselves. */
      readonly parts: { readonly subject: string; readonly text: string; readonly html: string };
    },
  ): Promise<SendReceipt>;
}

export interface SmsSender {
  /** Sends an SMS. `to` is a number in E.164 format. */
  send(
    message: Sending & { readonly to: string; readonly text: string; readonly senderId?: string },
  ): Promise<SendReceipt>;
}

/** Message that an operator's sender function has accepted. The function may report later whether the message was delivered. */
export interface Delivery {
  /** Message ID in the timeline. */
  readonly messageId: string;
  readonly sent: NoticeChannel;
  readonly to: string;
  readonly tenantId: string;
  readonly subject: MessageSubject;
  /** Time of sending in epoch seconds. */
  readonly sentAt: number;
  /** Time in epoch seconds after which the token of the delivery is no longer accepted. */
  readonly expiresAt: number;
}

/** Tokens that authorize delivery reports. They are encrypted, because they contain the user ID and the address. */
export interface DeliveryTokens {
  seal(delivery: Delivery): Promise<string>;
  /** Returns the delivery to which a token belongs, or undefined if the token is forged, altered or expired. */
  open(token: string, at: number): Promise<Delivery | undefined>;
}
