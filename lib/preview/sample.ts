import type { Language } from '../../shared/templates/language.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { formPageHeaders, formPostPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
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

/** Which headers a page has: with a form, without one, or with one that submits itself. */
export type PageKind = 'form' | 'text' | 'post';

export type PageSample = readonly [name: string, kind: PageKind, make: (words: SampleWords) => string];

const samplesOf =
  (kind: PageKind) =>
  (made: Readonly<Record<string, PageSample[2]>>): readonly PageSample[] =>
    Object.entries(made).map(([name, make]) => [name, kind, make]);

/** By their names. */
export const forms = samplesOf('form');
export const texts = samplesOf('text');

/** The samples of each file of shared/templates/pages, by its name without the ending. */
export type PageSamples = Readonly<Record<string, readonly PageSample[]>>;

export const ALL_METHODS: readonly LoginMethod[] = [
  'email',
  'sms',
  'link',
  'google',
  'apple',
  'facebook',
  'line',
];

export const REDIRECT_URI = 'https://app.example.com/complete';

export function headersFor(kind: PageKind, brand: Brand): Readonly<Record<string, string>> {
  if (kind === 'form') return formPageHeaders({ brand, leadsTo: [REDIRECT_URI] });
  if (kind === 'post') return formPostPageHeaders({ brand, redirectUri: REDIRECT_URI });
  return textPageHeaders(brand);
}

export const passkeyTarget = ({ action, csrf }: Pick<SampleWords, 'action' | 'csrf'>) => ({
  action,
  csrf,
  optionsAction: '/passkey/t1/options',
});
