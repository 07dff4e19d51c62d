import { type Fields, flag, text } from './field.ts';

/** Settings that every social provider has. */
const commonFields = {
  clientId: { kind: 'text', always: true },
  /** Issuer of an OpenID provider that replaces the built-in provider. */
  issuer: text,
  /** True if an address that the provider reports as verified counts as proven. The default depends on the provider. */
  trustedForEmail: flag,
  /** False to turn off the login method and keep its settings. */
  enabled: flag,
} as const satisfies Fields;

/** All settings that a provider can have. */
export const providerFields = {
  ...commonFields,
  /** Microsoft directories whose accounts may log in. If undefined, all directories. */
  directories: { kind: 'texts' },
} as const satisfies Fields;

interface Provider {
  /** Name of the provider on buttons and pages. It is the same in all languages. */
  readonly label: string;
  /** True if the provider's statement that an address is verified is trusted by default. An application can override it. */
  readonly verifiesAddresses: boolean;
  /** Type of an application's secret: a value that the provider shows, or a private key (`.p8`) that signs client secrets. */
  readonly secret: 'shown' | 'p8';
  readonly fields: typeof commonFields;
}

/**
 * Social providers, in the order of their buttons. Paths, settings, schemas, pages and documents are generated from this table.
 * Each provider's protocol is in shared/providers, its logo in shared/templates/parts/provider-button.ts.
 */
export const providers = {
  google: { label: 'Google', verifiesAddresses: true, secret: 'shown', fields: commonFields },
  apple: { label: 'Apple', verifiesAddresses: true, secret: 'p8', fields: commonFields },
  facebook: { label: 'Facebook', verifiesAddresses: false, secret: 'shown', fields: commonFields },
  line: { label: 'LINE', verifiesAddresses: false, secret: 'shown', fields: commonFields },
  microsoft: { label: 'Microsoft', verifiesAddresses: true, secret: 'shown', fields: providerFields },
} as const satisfies Readonly<Record<string, Provider>>;

export type ProviderName = keyof typeof providers;

export const PROVIDERS = Object.keys(providers) as readonly ProviderName[];

export const isProvider = (name: string | undefined): name is ProviderName =>
  name !== undefined && Object.hasOwn(providers, name);

/** Returns the label of a provider. Returns the given name itself if the provider is unknown. */
export const toProviderLabel = (name: string): string => (isProvider(name) ? providers[name].label : name);

/** Returns a list of names as text, such as `google, apple or line`. */
export const toEnumeration = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

/** Returns the labels of the providers whose verified addresses are trusted by default. */
export const listTrustedProviders = (): string =>
  new Intl.ListFormat('en-GB').format(
    PROVIDERS.filter((name) => providers[name].verifiesAddresses).map(toProviderLabel),
  );

/** Returns a record with a value for each provider. */
export const byProvider = <T>(of: (name: ProviderName) => T): Readonly<Record<ProviderName, T>> =>
  Object.fromEntries(PROVIDERS.map((name) => [name, of(name)])) as Record<ProviderName, T>;
