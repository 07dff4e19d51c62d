/**
 * Messages. Both throw `external_provider_configuration_error` when the provider refuses the message (unverified sender,
 * rejected content, opted-out number) and `service_unavailable` when it throttles or does not answer in time. A send is
 * repeated only when the provider cannot have accepted it.
 */

export interface Mailer {
  send(mail: {
    readonly from: string;
    readonly to: string;
    readonly raw: Uint8Array;
    /** The tenant of the user. Bounces and complaints are reported under it; the reader does not see it. */
    readonly tenantId: string;
  }): Promise<void>;
}

export interface SmsSender {
  /** `to` in E.164. */
  send(message: { readonly to: string; readonly text: string; readonly senderId?: string }): Promise<void>;
}
