import { type Fields, flag, text } from './field.ts';

/** Settings that every social provider has. */
const commonFields = {
  clientId: { kind: 'text', always: true },
  /**
   * Issuer that replaces the issuer of a built-in provider. Only the local server accepts a new value. Deployments keep a value
   * that was set earlier.
   */
  issuer: text,
  /** True if an address that the provider has verified counts as proven. The default depends on the provider. */
  trustedForEmail: flag,
  /** False to turn off the login method without losing its settings. */
  enabled: flag,
} as const satisfies Fields;

/** All settings that a provider can have. */
export const providerFields = {
  ...commonFields,
  /** Microsoft Entra directories whose accounts may log in. If undefined, accounts of all directories may log in. */
  directories: { kind: 'texts' },
} as const satisfies Fields;

interface Provider {
  /** Name of the provider on buttons and pages. It is the same in all languages. */
  readonly label: string;
  /** True if addresses that the provider has verified are trusted by default. An application can override this default. */
  readonly verifiesAddresses: boolean;
  /** Type of an application's secret: a value that the provider shows, or a private key (`.p8`) that signs client secrets. */
  readonly secret: 'shown' | 'p8';
  readonly fields: typeof commonFields;
}

/**
 * Built-in social providers, in the order of their buttons. Paths, settings, schemas, pages and documents are generated from
 * this table. Each provider's protocol is in shared/providers, its logo in shared/templates/parts/provider-button.ts.
 */
export const providers = {
  google: { label: 'Google', verifiesAddresses: true, secret: 'shown', fields: commonFields },
  apple: { label: 'Apple', verifiesAddresses: true, secret: 'p8', fields: commonFields },
  facebook: { label: 'Facebook', verifiesAddresses: false, secret: 'shown', fields: commonFields },
  line: { label: 'LINE', verifiesAddresses: false, secret: 'shown', fields: commonFields },
  microsoft: { label: 'Microsoft', verifiesAddresses: true, secret: 'shown', fields: providerFields },
} as const satisfies Readonly<Record<string, Provider>>;

/** Settings of an OpenID provider that an application has added by name. */
export const openIdProviderFields = {
  /** Name in paths and `acr_values`. It differs from the names of built-in providers and other login methods. */
  name: { kind: 'text', always: true },
  /** Name of the provider on buttons and pages. It is the same in all languages. */
  label: { kind: 'text', always: true },
  ...commonFields,
  issuer: { kind: 'text', always: true },
  /** Scopes of the request to the provider, in addition to `openid`. If undefined, `email` and `profile`. */
  scopes: { kind: 'texts' },
  /** Value of `prompt` in every request to the provider (OpenID Connect Core §3.1.2.1). */
  prompt: { kind: 'choice', of: ['login', 'select_account', 'consent'] },
  /** Colour of the button's monogram, as `#RGB` or `#RRGGBB`. */
  color: text,
  /** Logo as base64 of a PNG, JPEG, GIF or WebP. It replaces the monogram. */
  base64logo: text,
} as const satisfies Fields;

export type BuiltInProvider = keyof typeof providers;

/** Name of a built-in provider, or `openid/<name>` for an OpenID provider that an application has added. */
export type ProviderName = BuiltInProvider | `openid/${string}`;

export const PROVIDERS = Object.keys(providers) as readonly BuiltInProvider[];

/** Format of the name of an application's own OpenID provider. */
export const OPENID_NAME = /^[a-z0-9-]{1,32}$/;

export const isBuiltIn = (name: string | undefined): name is BuiltInProvider =>
  name !== undefined && Object.hasOwn(providers, name);

/** Converts the name in a path or in `acr_values`, such as `google` or `acme`, to the provider. */
export function toProviderName(name: string): ProviderName | undefined {
  if (isBuiltIn(name)) return name;
  return OPENID_NAME.test(name) ? `openid/${name}` : undefined;
}

/** Returns the name of a provider in a path or in `acr_values`, such as `acme` for `openid/acme`. */
export const toPlainName = (provider: ProviderName): string => provider.replace(/^openid\//, '');

/** Format of a `ProviderName`. */
export const PROVIDER = new RegExp(`^(?:${PROVIDERS.join('|')}|openid/[a-z0-9-]{1,32})$`);

/** Returns true for a built-in provider and for any `openid/<name>`, even if the application has no provider of that name. */
export const isProvider = (name: string | undefined): name is ProviderName =>
  name !== undefined && PROVIDER.test(name);

/** Returns the label of a built-in provider. Returns any other name unchanged. */
export const toProviderLabel = (name: string): string => (isBuiltIn(name) ? providers[name].label : name);

/** Returns a list of names as English text, such as `google, apple or line`. */
export const toEnumeration = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);

/** Returns the labels of the providers whose verified addresses are trusted by default, as one text. */
export const listTrustedProviders = (): string =>
  new Intl.ListFormat('en-GB').format(
    PROVIDERS.filter((name) => providers[name].verifiesAddresses).map(toProviderLabel),
  );

/** Returns a record with a value for each built-in provider. */
export const byProvider = <T>(of: (name: BuiltInProvider) => T): Readonly<Record<BuiltInProvider, T>> =>
  Object.fromEntries(PROVIDERS.map((name) => [name, of(name)])) as Record<BuiltInProvider, T>;
