import { describe, expect, test } from '@jest/globals';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import {
  CODE,
  createContent,
  findHeader,
  languages,
  readCodeMail,
  readLinkMail,
  readMailWithBoth,
  URL_OF_LINK,
  visibleText,
} from './support.ts';

describe('emails with default texts', () => {
  test.each(languages)(
    'a login email in %s contains the application name and the lifetime of the code or link',
    async (language) => {
      const link = await readLinkMail({ language });
      const code = await readCodeMail({ language, expiresMinutes: 5 });
      for (const mail of [link, code]) {
        expect(mail.from).toEqual({ name: 'Northwind', address: 'no-reply@example.com' });
        expect(mail.to).toEqual([{ name: '', address: 'ann@example.org' }]);
        expect(mail.subject).toContain('Northwind');
        expect(mail.html).toContain(`<html lang="${language}"`);
        expect(visibleText(mail.html)).toContain('Northwind');
      }
      expect(visibleText(link.html)).toMatch(/15 ?\S/);
      expect(visibleText(code.html)).toMatch(/5 ?\S/);
      expect(visibleText(code.html)).toContain(CODE);
      expect(link.html).toContain(`href="${URL_OF_LINK.replaceAll('&', '&amp;')}"`);
    },
  );

  test('a login email from a hosted page shows the logo, colours and font of the brand', async () => {
    const brand: Brand = {
      ...{ name: 'Northwind', primaryColor: '#0a5c36', primaryColorDark: '#7bd3a8', cornerRadius: 3 },
      font: 'serif',
      logoDataUri: 'data:image/png;base64,iVBORw0KGgo=',
    };
    const { html = '', attachments } = await readLinkMail({ brand });
    expect(attachments).toMatchObject([{ mimeType: 'image/png' }]);
    expect(html).toMatch(/<img class="logo" src="cid:[^"]*" alt="Northwind"/);
    expect(html).toContain('background:#0a5c36;border:1px solid #0a5c36;border-radius:3px');
    expect(html).toContain('.button td{background:#7bd3a8!important}');
    expect(html).toMatch(/font-family:'Iowan Old Style'/);
    expect(html).not.toContain('Segoe');
    const given = await readLinkMail({ brand, content: { subject: 'Hi', primaryColor: '#ff0000' } });
    expect(given.attachments).toEqual([]);
    expect(given.html).not.toContain('#0a5c36');
    expect(given.html).toContain('#ff0000');
  });

  test('an email without a logo begins with the application name, unless it contains email_content', async () => {
    const wordmark = /<p class="text"[^>]*>Northwind<\/p>/;
    expect((await readLinkMail()).html).toMatch(wordmark);
    expect((await readLinkMail({ content: { subject: 'Hi', headerText: 'Hi' } })).html).not.toMatch(wordmark);
    const brand: Brand = { name: 'Northwind', logoDataUri: 'data:image/png;base64,iVBORw0KGgo=' };
    expect((await readLinkMail({ brand })).html).not.toMatch(wordmark);
  });

  test('the subject of a login email is different in each language', async () => {
    const subjects = await Promise.all(
      languages.map(async (language) => (await readCodeMail({ language })).subject),
    );
    expect(new Set(subjects).size).toBe(languages.length);
  });

  test.each(languages)(
    'in %s, a sign-up email and a login email have different headings but the same closing warning',
    async (language) => {
      for (const readMail of [readLinkMail, readCodeMail]) {
        const [login, signUp] = [
          await readMail({ language }),
          await readMail({ language, purpose: 'signUp' }),
        ];
        const [linesOfLogin, linesOfSignUp] = [login, signUp].map(({ text = '' }) => text.trim().split('\n'));
        expect(linesOfSignUp).toHaveLength(linesOfLogin?.length ?? 0);
        expect(linesOfSignUp?.[0]).not.toBe(linesOfLogin?.[0]);
        expect(linesOfSignUp?.[2]).toContain('Northwind');
        expect(linesOfSignUp?.at(-1)).toBe(linesOfLogin?.at(-1));
      }
    },
  );

  test.each(languages)('an email in %s can contain both a code and a link', async (language) => {
    for (const purpose of [undefined, 'signUp', 'confirm'] as const) {
      const both = await readMailWithBoth({ language, purpose });
      const [code, link] = [
        await readCodeMail({ language, purpose }),
        await readLinkMail({ language, purpose }),
      ];
      const lines = (both.text ?? '').trim().split('\n\n');
      const [header, body, digits, , button, info, footer] = lines;
      const ofCode = (code.text ?? '').trim().split('\n\n');
      expect([both.subject, header, body, digits, footer]).toEqual([code.subject, ...ofCode.toSpliced(3, 1)]);
      expect(link.text).toContain(button);
      expect(info).toMatch(/5.*15/s);
      const parts = [CODE, lines[3] ?? '', button?.split(/[:：]/)[0] ?? '', info ?? ''];
      expect(
        visibleText(both.html)
          .split(/\s*\n\s*/)
          .filter((line) => parts.includes(line)),
      ).toEqual(parts);
    }
  });

  test('the header fields of a login email do not contain the code', async () => {
    const { headers } = await readCodeMail();
    for (const { value } of headers) expect(value).not.toContain(CODE);
  });

  test('the preview text of a login email contains the code', async () => {
    const { html } = await readCodeMail();
    expect(html).toMatch(new RegExp(`<div style="display:none[^"]*">${CODE} · The code works once`));
  });

  test('an email lists the data that the user is asked to approve', async () => {
    const approvalData = { amount: '12.50 EUR', 'transfer.to': 'Jo <&> Co' };
    const mail = await readCodeMail({ approvalData });
    expect(mail.subject).toBe('Your Northwind approval code');
    expect(visibleText(mail.html)).toMatch(
      /Your approval code[\s\S]*only if you approve them[\s\S]*You are approving[\s\S]*amount[\s\S]*12\.50 EUR[\s\S]*transfer\.to[\s\S]*Jo <&> Co[\s\S]*042917/,
    );
    expect(mail.text).toContain('You are approving\namount: 12.50 EUR\ntransfer.to: Jo <&> Co\n');
    const link = await readLinkMail({ approvalData });
    expect(link.subject).toBe('Approve at Northwind');
    expect(link.text).toContain('Approve:\nhttps://');
  });

  test('rendering the same email twice gives identical emails', async () => {
    const [one, other] = await Promise.all([readCodeMail(), readCodeMail()]);
    expect(one.source).toBe(other.source);
  });
});

describe('emails with the custom texts of email_content', () => {
  const content = {
    subject: 'Your booking',
    headerText: 'Hello Ann',
    bodyText: 'First line\nSecond line',
    linkText: 'Show it',
    infoText: 'For a while',
    footerText: 'Northwind Ltd',
    senderName: 'Bookings',
  };

  test('an email shows the fields of email_content in a fixed order', async () => {
    const mail = await readLinkMail({ content });
    expect(mail.subject).toBe('Your booking');
    expect(mail.from?.name).toBe('Bookings');
    expect(
      visibleText(mail.html)
        .split(/\s*\n\s*|\s{2,}/)
        .join(' ')
        .replace(/ +/g, ' ')
        .trim(),
    ).toBe('Hello Ann First line Second line Show it For a while Northwind Ltd');
    expect(mail.text?.trim()).toBe(
      `Hello Ann\n\nFirst line\nSecond line\n\nShow it:\n${URL_OF_LINK}\n\nFor a while\n\nNorthwind Ltd`,
    );
  });

  test('for an email with a code, linkText in email_content is ignored', async () => {
    const mail = await readCodeMail({ content });
    expect(mail.text?.trim()).toBe(
      `Hello Ann\n\nFirst line\nSecond line\n\n${CODE}\n\nFor a while\n\nNorthwind Ltd`,
    );
    expect(mail.html).not.toContain('Show it');
    expect(mail.html).not.toContain('href');
  });

  test('email_content replaces all default texts of an email', async () => {
    const code = await readCodeMail({ content: { subject: 'Hi' } });
    expect(code.text?.trim()).toBe(CODE);
    expect(visibleText(code.html).trim()).toBe(CODE);
    const link = await readLinkMail({ content: { subject: 'Hi' }, language: 'fr' });
    expect(link.text?.trim()).toBe(`Se connecter:\n${URL_OF_LINK}`);
    expect(visibleText(link.html).trim()).toBe('Se connecter');
  });

  test('an email keeps the line breaks of Windows, Unix and Mac texts in email_content', async () => {
    const { html, text } = await readCodeMail({ content: { subject: 'Hi', bodyText: 'a\r\nb\rc\nd' } });
    expect(html).toContain('a<br>b<br>c<br>d');
    expect(text).toContain('a\nb\nc\nd');
  });

  test.each([
    ['#fc0', '#ffcc00', '#000000'],
    ['#FFCC00', '#ffcc00', '#000000'],
    ['#102040', '#102040', '#ffffff'],
    ['#767676', '#767676', '#000000'],
    ['#fff', '#ffffff', '#000000'],
    ['#000', '#000000', '#ffffff'],
    ['red;background:url(https://example.net)', '#2557d6', '#ffffff'],
    ['#12345', '#2557d6', '#ffffff'],
  ])(
    'if primaryColor is %s, the button of an email has the colour %s and its text the colour %s',
    async (primaryColor, ground, ink) => {
      const { html } = await readLinkMail({ content: { subject: 'Hi', primaryColor } });
      expect(html).toContain(`bgcolor="${ground}"`);
      expect(html).toMatch(new RegExp(`<a ses:no-track [^>]*;color:${ink};`));
      expect(html).not.toContain('example.net');
    },
  );
});

describe('encoding and layout of emails', () => {
  test('an email to an internationalised domain uses the A-label form of the domain', async () => {
    const { composed, to, from } = await readCodeMail({
      from: 'login@münchen.example',
      to: 'ann@例え.テスト',
    });
    expect(composed).toMatchObject({
      from: 'login@xn--mnchen-3ya.example',
      to: 'ann@xn--r8jz45g.xn--zckzah',
    });
    expect(from?.address).toBe(composed.from);
    expect(to?.[0]?.address).toBe(composed.to);
  });

  test('an email with Japanese text is encoded in ASCII lines of at most 998 characters', async () => {
    const words = '長い文章です。'.repeat(200);
    for (const mail of [
      await readLinkMail({ content: createContent(words), url: `https://example.com/${'a'.repeat(1800)}` }),
      await readCodeMail({ content: createContent('x'.repeat(2048)) }),
      await readCodeMail({ language: 'ja', applicationName: words }),
    ]) {
      expect(mail.source).toMatch(/^[\x20-\x7e\r\n\t]*$/);
      expect(mail.source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      for (const line of mail.source.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    }
  });

  test('a long link in an email is not split across lines', async () => {
    const url = `https://login.example.com/open?c=${'Vn2q8h3kX0b1mT7d5sR9yPzLw4uEoQaC'.repeat(8)}&x=%3D=.`;
    const mail = await readLinkMail({ url });
    expect(mail.text).toContain(`\n${url}\n`);
    expect(mail.html).toContain(`href="${url.replaceAll('&', '&amp;')}"`);
  });

  test('an email has a message ID in the sender’s domain', async () => {
    const mail = await readCodeMail();
    expect(mail.date).toBe('2026-09-21T14:13:20.000Z');
    expect(mail.messageId).toBe('<5f0c9a2e-7d1b-4c64-9b1e-6f2a3c4d5e6f@example.com>');
    expect(findHeader(mail, 'mime-version')).toBe('1.0');
  });

  test('an email supports light and dark colour schemes', async () => {
    const { html } = await readLinkMail();
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
  });

  test('an email loads no external resources', async () => {
    const { html } = await readLinkMail();
    expect(html).not.toMatch(/<(?:link|script|iframe|object|form)\b|@import|url\(/);
    expect(
      [...(html ?? '').matchAll(/\b(?:src|href|background)="([^"]*)"/g)].map((match) => match[1]),
    ).toEqual([URL_OF_LINK.replaceAll('&', '&amp;'), URL_OF_LINK.replaceAll('&', '&amp;')]);
  });
});
