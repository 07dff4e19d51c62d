// Messages. Both senders throw `external_provider_configuration_error` if the provider rejects the message (unverified sender,
// rejected content, opted-out number), and `service_unavailable` if the provider throttles or does not respond in time. They
// retry only if the provider cannot have accepted the message.

/**
 * Owner of the timeline that stores a message and its delivery reports: a user, or the hash of an address that belongs to no
 * user. `applicationId` is the application that sent the message; clients of other applications cannot see it. `tenantId` is
 * the tenant whose list of failures contains the message if it fails.
 */
export type MessageSubject = ({ readonly userId: string } | { readonly recipientHash: string }) & {
  readonly applicationId?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Recipient of the message, masked. */
  readonly recipient?: string | undefined;
};

/** Confirmation that the provider has accepted a message. */
export interface SendReceipt {
  readonly messageId?: string;
}

export interface Mailer {
  send(mail: {
    readonly from: string;
    readonly to: string;
    readonly raw: Uint8Array;
    /** Tenant of the user, for which bounces and complaints are reported. The recipient does not see the tenant's ID. */
    readonly tenantId: string;
    /** Owner of the timeline that stores deliveries, bounces and complaints of the message. */
    readonly subject: MessageSubject;
  }): Promise<SendReceipt>;
}

export interface SmsSender {
  /** Sends an SMS. `to` is a number in E.164 format. */
  send(message: {
    readonly to: string;
    readonly text: string;
    readonly senderId?: string;
  }): Promise<SendReceipt>;
}
