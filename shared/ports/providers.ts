import type { StoredRecord } from '../records/field.ts';
import type { ProviderName, providerFields } from '../records/providers.ts';

export type { ProviderName };

/** Registration of an application at a social provider, without the secret, which is in no table. */
export interface ProviderPreference extends StoredRecord<typeof providerFields> {}

/** Credentials with which an application authenticates itself to a social provider. */
export interface ProviderSecret {
  /** Issuer that the secret was set for; it is sent to no other issuer. Absent: the provider's own. */
  readonly issuer?: string;
  readonly clientSecret?: string;
  /** Apple only: team ID for signing client secrets. */
  readonly teamId?: string;
  readonly keyId?: string;
  /** Private key (Apple's .p8 file), PKCS #8 in PEM. */
  readonly privateKey?: string;
}

export interface ProviderSecrets {
  /** Finds a provider secret. The result may be one minute old. Returns undefined if there is none. */
  find(applicationId: string, provider: ProviderName): Promise<ProviderSecret | undefined>;
}

/** Provider secrets as operators write them. */
export interface ProviderSecretRecords {
  put(applicationId: string, provider: ProviderName, secret: ProviderSecret): Promise<void>;
  /** Removes a provider secret immediately and permanently. Does nothing if there is none. */
  remove(applicationId: string, provider: ProviderName): Promise<void>;
}
