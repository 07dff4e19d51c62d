import { type Fields, flag, text } from './field.ts';

/** Settings that every provider has. */
export const providerFields = {
  clientId: { kind: 'text', always: true },
  /** Any OpenID provider instead of the provider's own. */
  issuer: text,
  /** Whether an address that it says to be verified counts as proven here. Absent: as the provider deserves. */
  trustedForEmail: flag,
  /** False keeps the settings of a method that is off. */
  enabled: flag,
} as const satisfies Fields;

interface Provider {
  /** Its name on buttons and pages, alike in all languages. */
  readonly label: string;
  /** True if its word that an address is verified is believed by default. An application may override it. */
  readonly verifiesAddresses: boolean;
  /** Secret of an application: one that the provider shows, or a private key (`.p8`) that signs secrets. */
  readonly secret: 'shown' | 'p8';
  readonly fields: typeof providerFields;
}

/**
 * The social providers, in the order of their buttons. Paths, settings, schemas, pages and documents are made from this table.
 * shared/providers has the dialect of each, and shared/templates/parts/provider-button.ts its mark.
 */
export const providers = {
  google: { label: 'Google', verifiesAddresses: true, secret: 'shown', fields: providerFields },
  apple: { label: 'Apple', verifiesAddresses: true, secret: 'p8', fields: providerFields },
  facebook: { label: 'Facebook', verifiesAddresses: false, secret: 'shown', fields: providerFields },
  line: { label: 'LINE', verifiesAddresses: false, secret: 'shown', fields: providerFields },
} as const satisfies Readonly<Record<string, Provider>>;

export type ProviderName = keyof typeof providers;

export const PROVIDERS = Object.keys(providers) as readonly ProviderName[];

export const isProvider = (name: string | undefined): name is ProviderName =>
  name !== undefined && Object.hasOwn(providers, name);

/** The label of a provider, or the name itself if it belongs to none of them. */
export const labelOf = (name: string): string => (isProvider(name) ? providers[name].label : name);

/** Names in a sentence: `google, apple or line`. */
export const either = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

/** The providers whose word counts by default, by their labels. */
export const believedProviders = (): string =>
  new Intl.ListFormat('en-GB').format(
    PROVIDERS.filter((name) => providers[name].verifiesAddresses).map(labelOf),
  );

/** A value for each provider. */
export const byProvider = <T>(of: (name: ProviderName) => T): Readonly<Record<ProviderName, T>> =>
  Object.fromEntries(PROVIDERS.map((name) => [name, of(name)])) as Record<ProviderName, T>;
