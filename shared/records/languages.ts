/**
 * Languages of messages and pages. The default is English. To add a language, add its tag here and a file in templates/texts.
 */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'ja', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

export const RIGHT_TO_LEFT: readonly Language[] = ['ar'];

/** Returns a record with a value for each language. */
export const byLanguage = <T>(of: (language: Language) => T): Readonly<Record<Language, T>> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<Language, T>;
