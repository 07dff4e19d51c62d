import { describe, expect, test } from '@jest/globals';
import { type Language, waitText } from '../../../shared/templates/language.ts';
import { accountEventTexts } from '../../../shared/templates/texts/account-event-texts.ts';
import { accountTexts } from '../../../shared/templates/texts/account-texts.ts';
import { connectTexts } from '../../../shared/templates/texts/connect-texts.ts';
import { loginTexts } from '../../../shared/templates/texts/languages.ts';
import { lossTexts } from '../../../shared/templates/texts/loss-texts.ts';
import { newEmailTexts } from '../../../shared/templates/texts/new-email-texts.ts';
import { noticeLinkTexts } from '../../../shared/templates/texts/notice-link-texts.ts';
import { recoveryPageTexts } from '../../../shared/templates/texts/recovery-page-texts.ts';
import { languages, visibleText } from '../support.ts';
import { pages, words } from './support.ts';

/** Every text of a language by its path, with marked words as arguments of functions. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value('⟦here⟧', '⟦here⟧', '⟦here⟧')]];
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

/** Loan words. */
const BORROWED =
  /^\.(?:passkey|codeLabel|usePasskey|or|errorTitle|continueButton|account\.(?:name|passkeys|unnamed))$/;

const textsOf = (language: Language) =>
  flat({
    ...loginTexts[language],
    notice: noticeLinkTexts[language],
    recovery: recoveryPageTexts[language],
    loss: lossTexts[language],
    account: accountTexts[language],
    newEmail: newEmailTexts[language],
    connect: connectTexts[language],
    events: accountEventTexts[language],
  });

describe('the texts of the login pages', () => {
  const english = textsOf('en');

  test.each(languages)('%s: every text is there, without markup', (language) => {
    const texts = textsOf(language);
    expect(texts.map(([path]) => path)).toEqual(english.map(([path]) => path));
    for (const [path, text] of texts) {
      expect([path, text]).toEqual([path, expect.stringMatching(/^[^<>&"'\n]+$/)]);
      expect([path, text]).toEqual([path, expect.not.stringMatching(/^\s|\s$| {2}|undefined/)]);
    }
  });

  test.each(languages)('%s: parameters appear in the text', (language) => {
    const filled = (texts: [string, string][]) =>
      texts.filter(([, text]) => text.includes('⟦here⟧')).map(([path]) => path);
    expect(filled(textsOf(language))).toEqual(filled(english));
  });

  test.each(languages.filter((language) => language !== 'en'))('%s: differs from English', (language) => {
    const same = textsOf(language).filter(
      ([path, text], at) => text === english[at]?.[1] && !BORROWED.test(path),
    );
    expect(same).toEqual([]);
  });

  test('only French has spaces before colons and question marks, and they do not break', () => {
    for (const [path, text] of textsOf('fr'))
      expect([path, text]).toEqual([path, expect.not.stringMatching(/[^\u00a0][:;?!]/)]);
    for (const language of ['en', 'es', 'de'] as const)
      expect(JSON.stringify(textsOf(language))).not.toMatch(/\s[:;?!]/);
  });

  test.each(pages)('%s: differs in each language', (_, _kind, make) => {
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
  ] as const)('%s, %d seconds to wait: %s', (language, seconds, text) => {
    expect(waitText(language, seconds)).toBe(text);
  });
});
