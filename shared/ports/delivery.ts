/**
 * Messages. Both throw `external_provider_configuration_error` when the provider refuses the message (unverified sender,
 * rejected content, opted-out number) and `service_unavailable` when it throttles or does not answer in time. A send is
 * repeated only when the provider cannot have accepted it.
 */

/**
 * The timeline that a message and its outcomes are filed in: the user's, or that of an address without a user.
 * `applicationId` is the application that sent the message; its clients see no rows of another one.
 */
export type MessageSubject = ({ readonly userId: string } | { readonly recipientHash: string }) & {
  readonly applicationId?: string | undefined;
};

/** The provider has taken the message. */
export interface Accepted {
  readonly messageId?: string;
}

export interface Mailer {
  send(mail: {
    readonly from: string;
    readonly to: string;
    readonly raw: Uint8Array;
    /** The tenant of the user. Bounces and complaints are reported under it; the reader does not see it. */
    readonly tenantId: string;
    /** Deliveries, bounces and complaints are filed under it. */
    readonly subject: MessageSubject;
  }): Promise<Accepted>;
}

export interface SmsSender {
  /** `to` in E.164. */
  send(message: {
    readonly to: string;
    readonly text: string;
    readonly senderId?: string;
  }): Promise<Accepted>;
}
