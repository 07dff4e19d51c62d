import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SampleData } from '../../../lib/preview/sample.ts';
import { LANGUAGES } from '../../../shared/records/languages.ts';
import { takes } from '../../support/tools/full-run.ts';
import { pages, toShape, words } from './support.ts';

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onfocus='alert(1)",
  '" autofocus onfocus="alert(1)',
  '</title><script>alert(1)</script>',
  '</style><img src=https://example.net/pixel>',
  '</script><script>alert(1)</script>',
  '</form><form action=https://example.net>',
  '<!-- <b>',
  '--><script>alert(1)</script>',
  '<a href="javascript:alert(1)">click</a>',
  '&lt;script&gt;',
  '&#x3c;script&#x3e;',
  '\u0000<scr\u0000ipt>',
  '<\u2028script>',
  '\ud800"><script>alert(1)</script>',
  '{{7*7}}%7B7*7%7D',
  '{time}',
  '$& $1 $` $$',
];

const fields: readonly (readonly [string, (text: string) => Partial<SampleData>])[] = [
  ['the name of the application', (text) => ({ brand: { name: text } })],
  ['the colour', (text) => ({ brand: { name: 'Northwind', primaryColor: text } })],
  ['the logo as data', (text) => ({ brand: { name: 'Northwind', logoDataUri: text } })],
  ['the logo on this origin', (text) => ({ brand: { name: 'Northwind', logoUrl: text } })],
  [
    'own texts',
    (text) => {
      const own = { title: text, subtitle: text, help: text, terms: text, privacy: text, home: text };
      return { brand: { name: 'Northwind', texts: { en: own }, links: { terms: 'https://a.example/' } } };
    },
  ],
  ['own fonts', (text) => ({ brand: { name: 'Northwind', font: text as 'sans' } })],
  [
    'an own link, and the path of the languages',
    (text) => ({ brand: { name: 'Northwind', links: { help: text }, languagePickerHref: text } }),
  ],
  ['the token', (text) => ({ csrf: text })],
  ['the action', (text) => ({ action: text })],
  ['that the user typed', (text) => ({ userText: text })],
  ['of a request parameter', (text) => ({ parameter: text })],
];

const shapes = (change: Partial<SampleData>) =>
  pages.map(([, , make]) => toShape(make({ ...words, ...change })));

describe('escaping of text and logos on hosted pages', () => {
  test.each(fields.filter((_, index) => takes(index, 4)))('every page escapes the text %s', (_, change) => {
    const harmless = shapes(change('x'));
    for (const attack of attacks) expect([attack, shapes(change(attack))]).toEqual([attack, harmless]);
  });

  test('a page does not display a logo from another origin', () => {
    const findImage = (brand: Partial<SampleData['brand']>) =>
      /<img [^>]*>/.exec(pages[0]?.[2]({ ...words, brand: { name: 'Northwind', ...brand } }) ?? '')?.[0];
    expect(findImage({ logoDataUri: 'data:image/png;base64,iVBORw0KGgo=' })).toBe(
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Northwind">',
    );
    expect(findImage({ logoUrl: '/logos/app.png?v=1&w=2' })).toBe(
      '<img src="/logos/app.png?v=1&amp;w=2" alt="Northwind">',
    );
    for (const logoDataUri of [
      'data:image/svg+xml;base64,PHN2Zz4=',
      'data:text/html;base64,PHA+',
      'data:image/png;base64,"onerror="',
      'https://example.net/logo.png',
    ])
      expect(findImage({ logoDataUri })).toBeUndefined();
    for (const logoUrl of [
      '//example.net/x.png',
      '/\\example.net/x.png',
      'https://example.net/x.png',
      'x.png',
    ])
      expect(findImage({ logoUrl })).toBeUndefined();
  });

  test('every page escapes random input texts', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const marks = fc.constantFrom('<', '>', '"', "'", '&', '</', '<!--', '\n', '\u2028', 'x');
    const text = fc.array(fc.oneof(marks, fc.string({ unit: 'binary' })), { maxLength: 8 });
    const field = fc.constantFrom(...fields.map(([, change]) => change));
    const language = fc.constantFrom(...LANGUAGES);
    fc.assert(
      fc.property(field, text, language, fc.nat(), (change, parts, spoken, at) => {
        const make = pages[at % pages.length]?.[2] ?? (() => '');
        const shape = (value: string) => toShape(make({ ...words, ...change(value), language: spoken }));
        expect(shape(`x${parts.join('')}`)).toEqual(shape('x'));
      }),
      { seed, numRuns: 300 },
    );
  });
});
