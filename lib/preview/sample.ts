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
  /** Text that stands for whatever the user entered, such as an email address. */
  readonly userText: string;
  readonly parameter: string;
  readonly error?: PageError;
  readonly cancelAction?: string;
  readonly backHref?: string;
}

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
