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

type Areas = {
  readonly [Area in keyof typeof en]: Readonly<Record<Language, Texts<(typeof en)[Area]>>>;
};

const names = Object.keys(en) as (keyof typeof en)[];

/** The exports of the files by area, then by language. A bundle holds the areas that it uses: see lib/build/entry.ts. */
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
  names.map((area) => [area, byLanguage((language) => languages[language][area])]),
) as unknown as Areas;

export type LoginTexts = (typeof loginTexts)[Language];

/** The identifier that a field asks for. */
export type FieldKind = keyof LoginTexts['fieldLabel'];

/** The events of their account that people are told of. */
export type ToldEvent = keyof (typeof accountEventTexts)[Language];
