import { byLanguage, type Language } from '../../records/languages.ts';
import * as ar from './ar.ts';
import * as de from './de.ts';
import * as en from './en.ts';
import * as es from './es.ts';
import type { Texts } from './fill.ts';
import * as fr from './fr.ts';
import * as ja from './ja.ts';

type Same<T> = T extends string ? string : { readonly [Key in keyof T]: Same<T[Key]> };

const languages: Readonly<Record<Language, Same<typeof en>>> = { ar, de, en, es, fr, ja };

type English = Omit<typeof en, 'deadEnds'> & typeof en.deadEnds;

type Areas = { readonly [Area in keyof English]: Readonly<Record<Language, Texts<English[Area]>>> };

/** Texts of a language by area. Each error page is a separate area. */
const textsByArea = byLanguage((language) => {
  const { deadEnds, ...others } = languages[language];
  return { ...others, ...deadEnds };
});

/** Texts by area, then by language. A bundle contains only the areas that it uses, as lib/build/entry.ts explains. */
export const {
  ownName,
  footerTexts,
  loginTexts,
  logoutTexts,
  linkTexts,
  connectTexts,
  newAddressTexts,
  recoveryPageTexts,
  lossTexts,
  commandLineTexts,
  consentTexts,
  accountTexts,
  accountDeletionTexts,
  deviceText,
  accountEventTexts,
  noticeLinkTexts,
  messageTexts,
  codeSmsText,
  noticeTexts,
  noticeSmsTexts,
  deadEndWords,
  codeElsewhere,
  cookiesNeeded,
  hintBroken,
  linkUnknown,
  loginDone,
  loginExpired,
  notFound,
  rateLimited,
  redirectNotAllowed,
  requestWrong,
  serverError,
  wrongBrowser,
} = Object.fromEntries(
  (Object.keys(textsByArea.en) as (keyof English)[]).map((area) => [
    area,
    byLanguage((language) => textsByArea[language][area]),
  ]),
) as unknown as Areas;

export type LoginTexts = (typeof loginTexts)[Language];

/** Type of identifier that a field asks for. */
export type FieldKind = keyof LoginTexts['fieldLabel'];

/** Account events that users can see and are notified of. */
export type NotifiedEvent = keyof (typeof accountEventTexts)[Language];
