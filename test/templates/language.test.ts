import { describe, expect, test } from '@jest/globals';
import { durationText, negotiateLanguage, probableCountry } from '../../shared/templates/language.ts';

describe("choice of a page's language", () => {
  test.each([
    ['de', undefined, 'de'],
    ['fr-CA fr en', 'de', 'fr'],
    ['nl ja', 'de', 'ja'],
    ['  DE-at  ', undefined, 'de'],
    ['nl_NL fr_CA', 'de', 'fr'],
    ['nl', 'es', 'es'],
    ['', 'es', 'es'],
    [undefined, 'de-DE,de;q=0.9,en;q=0.8', 'de'],
    [undefined, 'en;q=0.5, ja', 'ja'],
    [undefined, 'nl, fr;q=0.3, es;q=0.7', 'es'],
    [undefined, 'de;q=0, fr;q=0.1', 'fr'],
    [undefined, 'de; q=0.2 , fr; Q=0.9', 'fr'],
    [undefined, '*', 'en'],
    [undefined, 'nl, pl', 'en'],
    [undefined, 'de;q=high', 'en'],
    [undefined, ';;,,;q', 'en'],
    [undefined, undefined, 'en'],
    ['__proto__ constructor', 'toString', 'en'],
  ])(
    'for ui_locales %j and Accept-Language %j, the page language is %s',
    (uiLocales, acceptLanguage, language) => {
      expect(negotiateLanguage({ uiLocales, acceptLanguage })).toBe(language);
    },
  );

  test('only the beginning of a long Accept-Language header is evaluated', () => {
    expect(negotiateLanguage({ acceptLanguage: `${'nl,'.repeat(100_000)}de` })).toBe('en');
  });
});

test.each([
  ['en-DE', 'fr-FR', 'DE'],
  ['de fr-ch', 'en-US', 'CH'],
  ['fr_CA', 'en-US', 'CA'],
  ['zh_Hant_TW', undefined, 'TW'],
  ['de', 'en, zh-Hant-TW;q=0.9', 'TW'],
  [undefined, 'de;q=0.1, en-GB;q=0.9, es-ES;q=0.5', 'GB'],
  ['es-419 x-DE', 'i-klingon, *', undefined],
  [undefined, undefined, undefined],
])(
  'for ui_locales %j and Accept-Language %j, the suggested phone country is %s',
  (uiLocales, acceptLanguage, country) => {
    expect(probableCountry({ uiLocales, acceptLanguage })).toBe(country);
  },
);

describe("durations in the user's language", () => {
  test.each([
    ['en', 1, '1 minute'],
    ['en', 5, '5 minutes'],
    ['en', 2.5, '2.5 minutes'],
    ['en', 0.5, '30 seconds'],
    ['en', 0.001, '1 second'],
    ['en', 60, '1 hour'],
    ['en', 90, '90 minutes'],
    ['en', 1440, '24 hours'],
    ['es', 15, '15 minutos'],
    ['fr', 60, '1\u00a0heure'],
    ['de', 1440, '24 Stunden'],
    ['ja', 5, '5分'],
    ['ja', 60, '1時間'],
  ] as const)('in the language %s, a duration of %d minutes is written as %s', (language, minutes, text) => {
    expect(durationText(language, minutes)).toBe(text);
  });
});
