import { describe, expect, test } from '@jest/globals';
import { deviceName } from '../../shared/templates/device-name.ts';
import { leftToRight, messageLanguage } from '../../shared/templates/language.ts';
import { segments } from '../../shared/templates/messages/segments.ts';
import { noticeSms } from '../../shared/templates/messages/sms.ts';
import { noticeSmsTexts, noticeTexts } from '../../shared/templates/texts/all.ts';
import { fill } from '../../shared/templates/texts/fill.ts';
import { languages, readNoticeMail, visibleText } from './support.ts';

const kinds = Object.keys(noticeTexts.en.titles) as (keyof typeof noticeTexts.en.titles)[];
const app = 'Northwind';
const cases = languages.flatMap((language) => kinds.map((kind) => [language, kind] as const));

describe('N123: notices sent by email', () => {
  test.each(cases)(
    'N123: an email notice in %s about %s contains the event, the device and the time',
    async (language, kind) => {
      const mail = await readNoticeMail({ language, kind, device: 'Firefox on Windows' });
      const texts = noticeTexts[language];
      const shown = (value: string) => leftToRight(value, language);
      const [title, bodyText] = [fill(texts.titles[kind], { app }), texts.bodies[kind]];
      expect(mail.subject).toBe(title);
      expect(title).toContain('Northwind');
      for (const part of [mail.text ?? '', visibleText(mail.html)])
        for (const words of [
          ...[title, bodyText, fill(texts.footerText, { app })],
          ...[
            `${texts.time}: ${shown('2026-09-21 14:13 UTC')}`,
            `${texts.device}: ${shown('Firefox on Windows')}`,
          ],
        ])
          expect(part.replaceAll('\u00a0', ' ')).toContain(words);
      expect(mail.html).toContain(`<html lang="${language}"`);
    },
  );

  test('N123: by default, an email notice about a security event contains no link', async () => {
    for (const kind of kinds) {
      const { source, html, text } = await readNoticeMail({ kind });
      expect(html).not.toMatch(/<a\b|href|https?:/);
      expect(text).not.toMatch(/https?:/);
      expect(text).not.toContain(`${noticeTexts.en.device}:`);
      expect(source).not.toContain('undefined');
    }
  });

  test.each(languages)(
    'N123: an email notice in %s can contain a link that undoes the change',
    async (language) => {
      const url = 'https://login.example.com/notice?link=Vn2q8h3kX0b1mT7d5sR9yPzLw4uEoQaCfGjKiNtHxBs';
      const mail = await readNoticeMail({ language, kind: 'email_changed', link: { kind: 'address', url } });
      expect(mail.html).toContain(`href="${url}"`);
      expect(mail.text).toContain(url);
      const { undoText, undoFooterText, footerText } = noticeTexts[language];
      for (const part of [mail.text ?? '', visibleText(mail.html)]) {
        expect(part.replaceAll('\u00a0', ' ')).toContain(undoFooterText.replaceAll('\u00a0', ' '));
        expect(part).not.toContain(fill(footerText, { app }));
      }
      expect(mail.html).toContain(undoText);
      const link = { kind: 'recovery', url } as const;
      const recovery = await readNoticeMail({
        language,
        kind: 'recovery_requested',
        link,
        effectiveAt: 1_790_086_390,
      });
      for (const part of [recovery.text ?? '', visibleText(recovery.html)]) {
        expect(part).toContain(
          `${noticeTexts[language].takesEffect}: ${leftToRight('2026-09-22 14:13 UTC', language)}`,
        );
        expect(part).toContain(noticeTexts[language].stopRecovery);
      }
    },
  );

  test.each(languages)(
    'N123: an email notice in %s can contain a link to the account page',
    async (language) => {
      const url = 'https://login.example.com/account?client_id=demo';
      const mail = await readNoticeMail({ language, link: { kind: 'account', url } });
      const { accountText, accountFooterText } = noticeTexts[language];
      for (const part of [mail.text ?? '', visibleText(mail.html)]) {
        expect(part).toContain(accountText);
        expect(part).toContain(url);
        expect(part.replaceAll('\u00a0', ' ')).toContain(
          fill(accountFooterText, { app, host: leftToRight('login.example.com', language) }),
        );
      }
      expect(new Set(mail.html?.match(/https?:[^"<]*/g))).toEqual(new Set([url]));
    },
  );

  test.each([
    ['de-AT', 'fr', 'de'],
    ['pt', 'fr', 'fr'],
    [undefined, 'ja', 'ja'],
    [undefined, undefined, 'en'],
  ] as const)(
    'if the user’s language is %s and the application’s language is %s, the message is in the language %s',
    (ofUser, ofApplication, language) => {
      expect(messageLanguage(ofUser, ofApplication)).toBe(language);
    },
  );
});

describe('N121, N132: notices sent by SMS', () => {
  const abouts = Object.keys(noticeSmsTexts.en) as (keyof typeof noticeSmsTexts.en)[];
  test.each(languages)(
    'N121, N132: an SMS notice in %s fits into one SMS and contains no link',
    (language) => {
      for (const about of abouts) {
        for (const applicationName of ['Demo', 'A quite long name of an application'])
          expect(segments(noticeSms({ applicationName, language, about }))).toBe(1);
        const text = noticeSms({ applicationName: 'Demo', language, about });
        expect(text).toContain('Demo');
        expect(text).not.toMatch(/https?:|www\.|\.[a-z]{2,}\//);
      }
    },
  );
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SAMSUNG SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 OPR/121.0.0.0',
    'Opera on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.6.2',
    'Opera on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 EdgiOS/138.0 Mobile/15E148 Safari/604.1',
    'Edge on iPhone',
  ],
  ['Call +1 900 555 0199 about your account', undefined],
  ['Firefox/1 call +1 900 555 0199', 'Firefox'],
  [undefined, undefined],
])('the user agent %s is displayed as %s', (userAgent, name) => {
  expect(deviceName('en', userAgent)).toBe(name);
});
