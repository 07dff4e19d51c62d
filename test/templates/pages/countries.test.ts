import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { SampleData } from '../../../lib/preview/sample.ts';
import { phonePage } from '../../../shared/templates/pages/phone-page.ts';
import { languages } from '../support.ts';
import { pages, words } from './support.ts';

describe('country lists on login pages', () => {
  const all = [
    { code: 'AT', callingCode: '43' },
    { code: 'DE', callingCode: '49' },
    { code: 'CI', callingCode: '225' },
  ];
  const listOptions = (language: SampleData['language'], chosen?: string) => {
    const html = phonePage({ ...words, language, countries: { all, chosen } });
    return [...html.matchAll(/<option ([^>]*)>([^\n]*)/g)].map(([, attributes, text]) => [attributes, text]);
  };

  test("a login page lists countries in the alphabetical order of the page's language", () => {
    expect(listOptions('de', 'DE')).toEqual([
      ['value=""', 'Land auswählen'],
      ['value="CI"', 'Côte d’Ivoire \u200e+225'],
      ['value="DE" selected', 'Deutschland \u200e+49'],
      ['value="AT"', 'Österreich \u200e+43'],
    ]);
    expect(listOptions('ja').map(([attributes]) => attributes)).not.toContainEqual(
      expect.stringMatching(/selected/),
    );
    expect(listOptions('en', 'FR').flat().join()).not.toMatch(/selected/);
  });

  test('only pages that ask for nothing but a phone number contain a country list', () => {
    const withList = pages
      .filter(([, , make]) => make(words).includes('<select id="country"'))
      .map(([name]) => name);
    expect(withList).toEqual(['identify by number alone', 'phone number', 'country of a number']);
  });
});

/** First pages of a login, which must load fast. They include no country list and no data of a request. */
const FIRST = ['identify', 'identify by providers alone', 'identify by email alone', 'sign up'];

test.each(pages)(
  'the page %s stays below its compressed size limit of 8 KB or 20 KB',
  (name, _kind, make) => {
    for (const language of languages)
      expect(gzipSync(make({ ...words, language, brand: { name: 'Northwind' } })).byteLength).toBeLessThan(
        FIRST.includes(name) ? 8 * 1024 : 20_000,
      );
  },
);
