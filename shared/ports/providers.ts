import type { Stored } from '../records/field.ts';
import type { providerFields } from '../records/login-preferences.ts';

/** Social providers, as applications have set them up. */

export type ProviderName = 'google' | 'apple' | 'facebook' | 'line';

/** How an application is known to a social provider; the secret that belongs to it is in no table. */
export interface ProviderPreference extends Stored<typeof providerFields> {}

/** What an application proves itself to a social provider with. */
export interface ProviderSecret {
  /** The issuer that it was set for, and the only one that it goes to. Absent: the provider's own. */
  readonly issuer?: string;
  readonly clientSecret?: string;
  /** Of Apple: what its client secrets are signed with. */
  readonly teamId?: string;
  readonly keyId?: string;
  /** PKCS #8 in PEM: the .p8 file. */
  readonly privateKey?: string;
}

export interface ProviderSecrets {
  /** At most a minute old. Undefined when there is none. */
  find(applicationId: string, provider: ProviderName): Promise<ProviderSecret | undefined>;
}

/** The writing side, for operators. */
export interface ProviderSecretRecords {
  put(applicationId: string, provider: ProviderName, secret: ProviderSecret): Promise<void>;
  /** At once and for good; nothing happens when there is none. */
  remove(applicationId: string, provider: ProviderName): Promise<void>;
}
