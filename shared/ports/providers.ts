import type { StoredRecord } from '../records/field.ts';
import type {
  BuiltInProvider,
  openIdProviderFields,
  ProviderName,
  providerFields,
} from '../records/providers.ts';

export type { BuiltInProvider, ProviderName };

/** Registration of an application at a social provider. The provider secret is stored elsewhere: no table contains it. */
export interface ProviderPreference
  extends StoredRecord<typeof providerFields>,
    Partial<Pick<OpenIdProvider, 'scopes' | 'prompt'>> {}

/** Registration of an application at a custom OpenID provider. */
export interface OpenIdProvider extends StoredRecord<typeof openIdProviderFields> {}

/** Credentials of an application at a social provider. */
export interface ProviderSecret {
  /** Issuer for which the secret was set; it is sent to no other issuer. Undefined means the provider's own issuer. */
  readonly issuer?: string;
  readonly clientSecret?: string;
  /** Apple team ID: the issuer of the client secrets that the application signs. Undefined for other providers. */
  readonly teamId?: string;
  readonly keyId?: string;
  /** Private key in PKCS #8 PEM format (Apple's .p8 file). */
  readonly privateKey?: string;
}

export interface ProviderSecrets {
  /** Finds a provider secret, which may be one minute old. Returns undefined if it does not exist. */
  find(applicationId: string, provider: ProviderName): Promise<ProviderSecret | undefined>;
}

/** Store of provider secrets for operators, who write the secrets. */
export interface ProviderSecretRecords {
  put(applicationId: string, provider: ProviderName, secret: ProviderSecret): Promise<void>;
  /** Removes a provider secret immediately and permanently. Does nothing if it does not exist. */
  remove(applicationId: string, provider: ProviderName): Promise<void>;
}
