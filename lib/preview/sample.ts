import { PROVIDERS } from '../../shared/records/providers.ts';
import type { Language } from '../../shared/templates/language.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import type { LoginMethod } from '../../shared/templates/parts/methods.ts';

/** What all samples are filled with. */
export interface SampleWords {
  readonly language: Language;
  readonly brand: Brand;
  readonly methods: readonly LoginMethod[];
  readonly csrf: string;
  readonly action: string;
  /** The input of a user, or its masked form. */
  readonly typed: string;
  readonly parameter: string;
  readonly error?: PageError;
  readonly cancelAction?: string;
  readonly backHref?: string;
}

type PageSample = (words: SampleWords) => string;

/** The samples of each file of shared/templates/pages, by its name without the ending; each by a name of its own. */
export type PageSamples = Readonly<Record<string, Readonly<Record<string, PageSample>>>>;

/** A sample for each of these. */
export const samplesOf = <const Each>(
  all: readonly Each[],
  name: (each: Each) => string,
  make: (each: Each) => PageSample,
): PageSamples[string] => Object.fromEntries(all.map((each) => [name(each), make(each)]));

export const ALL_METHODS: readonly LoginMethod[] = ['email', 'sms', 'link', ...PROVIDERS];

export const REDIRECT_URI = 'https://app.example.com/complete';

export const passkeyTarget = ({ action, csrf }: Pick<SampleWords, 'action' | 'csrf'>) => ({
  action,
  csrf,
  optionsAction: '/passkey/t1/options',
});
