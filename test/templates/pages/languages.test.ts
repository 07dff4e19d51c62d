import { describe, expect, test } from '@jest/globals';
import { mailSamples, smsSamples } from '../../../lib/preview/messages.ts';
import { formatWaitingTime, type Language } from '../../../shared/templates/language.ts';
import * as all from '../../../shared/templates/texts/all.ts';
import { fill, type Text } from '../../../shared/templates/texts/fill.ts';
import { languages, read, visibleText } from '../support.ts';
import { pages, words } from './support.ts';

/** Lists all texts of a language, each with its path in the text object. */
function flat(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

async function loadTexts(language: Language): Promise<object> {
  const { deadEnds, ...others } = await import(`../../../shared/templates/texts/${language}.ts`);
  return { ...others, ...deadEnds };
}

const loadFlatTexts = async (language: Language) => flat(await loadTexts(language));

const placeholdersIn = (text: string) => [...new Set(text.match(/\{\w*\}?|\}/g))].sort();

/** Pattern of the paths of texts that may equal the English text, because some languages use the English word. */
const BORROWED =
  /^\.(?:loginTexts\.(?:passkey|codeLabel|codeWord|usePasskey|or|errorTitle|continueButton)|accountTexts\.(?:name|passkeys|unnamed)|noticeTexts\.passkey)$/;

/** Returns true for the paths of SMS texts, which must consist of characters of the GSM alphabet. */
const isSms = (path: string) => /sms/i.test(path);

describe('translated texts of pages and messages', () => {
  test.each(languages)(
    'the language %s has all texts, with the same placeholders as in English',
    async (language) => {
      const toShape = (texts: [string, string][]) =>
        texts.map(([path, text]) => [path, placeholdersIn(text)]);
      const order = (texts: [string, string][]) => texts.sort(([one], [other]) => (one < other ? -1 : 1));
      expect(toShape(order(await loadFlatTexts(language)))).toEqual(
        toShape(order(await loadFlatTexts('en'))),
      );
      expect(Object.keys(all).sort()).toEqual(Object.keys(await loadTexts(language)).sort());
    },
  );

  test.each(languages)('translated texts in the language %s contain no markup', async (language) => {
    for (const [path, text] of await loadFlatTexts(language)) {
      expect([path, text]).toEqual([path, expect.stringMatching(/^[^<>&"\n]+$/)]);
      if (!isSms(path)) expect([path, text]).toEqual([path, expect.not.stringContaining("'")]);
      expect([path, text]).toEqual([path, expect.not.stringMatching(/^\s|\s$| {2}|undefined/)]);
    }
  });

  test.each(languages.filter((language) => language !== 'en'))(
    'the translated texts in the language %s differ from the English texts',
    async (language) => {
      const english = new Map(await loadFlatTexts('en'));
      const same = (await loadFlatTexts(language)).filter(
        ([path, text]) => text === english.get(path) && !BORROWED.test(path),
      );
      expect(same).toEqual([]);
    },
  );

  test('French texts have non-breaking spaces before colons and question marks', async () => {
    for (const [path, text] of await loadFlatTexts('fr'))
      if (!isSms(path)) expect([path, text]).toEqual([path, expect.not.stringMatching(/[^\u00a0][:;?!]/)]);
    for (const language of ['en', 'es', 'de'] as const)
      expect(JSON.stringify(await loadFlatTexts(language))).not.toMatch(/\s[:;?!]/);
  });
});

describe('placeholders in translated texts', () => {
  test('a value inserted into a text may contain braces and dollar signs', () => {
    const text = '{app}, {code}, {app}' as unknown as Text<'app' | 'code'>;
    expect(fill(text, { app: '{code}', code: '$& $1' })).toBe('{code}, $& $1, {code}');
  });

  test.each(languages)(
    'pages and messages in the language %s contain no unfilled placeholders',
    async (language) => {
      const message = { language, applicationName: 'Northwind', brand: words.brand };
      const mails = await Promise.all(mailSamples.map(([, make]) => read(make(message))));
      const shown = [
        ...pages.map(([, , make]) => visibleText(make({ ...words, language }))),
        ...mails.flatMap(({ subject, text, html }) => [subject, text, visibleText(html)]),
        ...smsSamples.map(([, make]) => make(message)),
      ];
      for (const text of shown) expect(text).not.toMatch(/\{\w+\}|undefined|\[object/);
    },
  );
});

describe('language of texts on pages', () => {
  test.each(pages)('the text of the page %s is different in each language', (_, _kind, make) => {
    const shown = languages.map((language) => visibleText(make({ ...words, language })));
    expect(new Set(shown).size).toBe(languages.length);
  });

  test.each([
    ['en', 1, '1 second'],
    ['en', 0, '1 second'],
    ['en', 30.2, '31 seconds'],
    ['de', 30, '30 Sekunden'],
    ['fr', 60, '60\u00a0secondes'],
    ['es', 120, '2 minutos'],
    ['ja', 30, '30秒'],
    ['ja', 900, '15分'],
    ['ja', 5400, '90分'],
    ['ar', 1800, '30 دقيقة'],
    ['en', 7200, '2 hours'],
  ] as const)('a page in %s displays a delay of %d seconds as %s', (language, seconds, text) => {
    expect(formatWaitingTime(language, seconds)).toBe(text);
  });
});
