import { PROVIDERS } from '../../shared/records/providers.ts';
import type { Language } from '../../shared/templates/language.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import type { LoginMethod } from '../../shared/templates/parts/methods.ts';

/** Values that fill the sample data of every page in the preview. */
export interface SampleData {
  readonly language: Language;
  readonly brand: Brand;
  readonly methods: readonly LoginMethod[];
  readonly csrf: string;
  readonly action: string;
  /** Text that replaces the samples of every kind, for tests that put one text into all fields. */
  readonly userText?: string | undefined;
  readonly parameter: string;
  readonly error?: PageError;
  readonly cancelAction?: string | undefined;
  readonly backHref?: string;
}

/** Samples of the texts that users, applications and the service fill in, by kind. */
const SAMPLES = {
  email: 'dana@example.com',
  maskedEmail: 'd•••@e•••.com',
  newEmail: 'dana.miller@example.net',
  phone: '+1 201 555 0123',
  maskedPhone: '••• ••• ••23',
  firstName: 'Dana',
  lastName: 'Miller',
  tenant: 'Northwind Group',
  application: 'Northwind Rewards',
  passkey: 'iCloud Keychain',
  device: 'Pixel 9',
  client: 'Inbox Assistant',
  item: 'sample',
  message: 'Please confirm your order of 3 May.',
  amount: '€ 120.00',
  scope: 'See your orders',
  requestId: '7f3c2a1e-5b0d-4c64-9b1e-6f2a3c4d5e6f',
  mistake: 'redirect_uri: is not registered',
} as const;

/** Returns the sample that previews insert for a kind of text, or `userText` if it is set. */
export const sampleOf = ({ userText }: Pick<SampleData, 'userText'>, kind: keyof typeof SAMPLES): string =>
  userText ?? SAMPLES[kind];

type PageSample = (words: SampleData) => string;

/** Samples of the hosted pages, keyed by file name in shared/templates/pages (without extension) and by sample name. */
export type PageSamples = Readonly<Record<string, Readonly<Record<string, PageSample>>>>;

/** Creates one named sample for each element of a list. */
export const createSamples = <const Each>(
  all: readonly Each[],
  name: (each: Each) => string,
  make: (each: Each) => PageSample,
): PageSamples[string] => Object.fromEntries(all.map((each) => [name(each), make(each)]));

export const ALL_METHODS: readonly LoginMethod[] = ['email', 'sms', 'link', ...PROVIDERS];

export const REDIRECT_URI = 'https://app.example.com/complete';

export const passkeyTarget = ({ action, csrf }: Pick<SampleData, 'action' | 'csrf'>) => ({
  action,
  csrf,
  optionsAction: '/passkey/t1/options',
});

/** Data of a page that does not offer to cancel the login, because no login has begun or the page has another way out. */
export const withoutCancel = (words: SampleData): SampleData => ({ ...words, cancelAction: undefined });

/** Brand of an application whose home page is known. */
export const brandWithHome = ({ brand }: SampleData): Brand => ({
  ...brand,
  links: { ...brand.links, home: 'https://app.example.com/' },
});
