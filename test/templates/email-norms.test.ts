import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readLogo } from '../../shared/domain/sending/email-content.ts';
import {
  both,
  CODE,
  createContent,
  findHeader,
  readCodeMail,
  readLinkMail,
  readNoticeMail,
  URL_OF_LINK,
} from './support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns the names of all header fields of a message and its parts. */
function listHeaderNames(source: string): string[] {
  return source
    .split(/\r\n-{2,}[^\r\n]*\r\n/)
    .flatMap((part) => (part.split('\r\n\r\n', 1)[0] ?? '').split(/\r\n(?![ \t])/))
    .map((field) => field.split(':', 1)[0]?.toLowerCase() ?? '');
}

describe('N133 header fields that mark an email as automatic', () => {
  test('N133 an email has the header fields Auto-Submitted and X-Auto-Response-Suppress', async () => {
    for (const mail of [...(await both({})), await readNoticeMail()]) {
      expect(findHeader(mail, 'auto-submitted')).toBe('auto-generated');
      expect(findHeader(mail, 'x-auto-response-suppress')).toBe('All');
    }
  });
});

describe('N134 login emails without an unsubscribe link', () => {
  test('N134 a login email has no List-Unsubscribe header field', async () => {
    const attacked = await both({ content: createContent('List-Unsubscribe: <https://example.net>') });
    for (const { headers } of [...attacked, await readNoticeMail()])
      expect(headers.filter(({ key }) => key.startsWith('list-'))).toEqual([]);
  });
});

describe('N136 email header fields with text from API clients', () => {
  const attacks = [
    'Hi\r\nBcc: eve@example.net',
    'Hi\nBcc: eve@example.net',
    'Hi\rBcc: eve@example.net',
    'Hi\r\n\r\n<script>alert(1)</script>',
    'Hi\u0000\u0007\u001b[31mBcc: eve@example.net',
    'Hi\u0085Bcc: eve@example.net',
    'Hi\u2028Bcc: eve@example.net\u2029X: y',
    'Hi\v\fBcc: eve@example.net',
    'Hi%0d%0aBcc: eve@example.net',
    'Hi =?utf-8?q?=0d=0aBcc:_eve@example.net?=',
    '=?utf-8?b?DQpCY2M6IGV2ZUBleGFtcGxlLm5ldA==?=',
    '"Eve" <eve@example.net>, Ann',
    'Eve\\" <eve@example.net>,"',
    'a@b.example (x), eve@example.net;',
    '\ud800\r\nBcc: eve@example.net',
    'にほんご\r\nBcc: eve@example.net',
    `${' '.repeat(990)}\r\nBcc: eve@example.net`,
  ];

  test.each(attacks)(
    'N136 the subject or sender name %j cannot add a header field to an email',
    async (attack) => {
      const plain = await both({ content: createContent('Hi') });
      const attacked = await both({ content: createContent(attack) });
      for (const [index, mail] of attacked.entries()) {
        expect(listHeaderNames(mail.source)).toEqual(listHeaderNames(plain[index]?.source ?? ''));
        expect(mail.bcc).toBeUndefined();
        expect(mail.from?.address).toBe('no-reply@example.com');
        expect(mail.to).toEqual([{ name: '', address: 'ann@example.org' }]);
        expect(`${mail.subject}${mail.from?.name}`).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }
    },
  );

  test('N136 an application name cannot add a header field to an email', async () => {
    const [plain, attacked] = await Promise.all([
      readCodeMail(),
      readCodeMail({ applicationName: 'Acme\r\nBcc: eve@example.net' }),
    ]);
    const notice = await readNoticeMail({ applicationName: 'Acme\r\nBcc: eve@example.net' });
    expect(listHeaderNames(notice.source)).toEqual(listHeaderNames((await readNoticeMail()).source));
    expect(notice.subject).toBe('New sign-in to Acme Bcc: eve@example.net');
    expect(listHeaderNames(attacked.source)).toEqual(listHeaderNames(plain.source));
    expect(attacked.subject).toBe('Your Acme Bcc: eve@example.net code');
  });

  test('N136 text in any script arrives unchanged in the header fields of an email', async () => {
    for (const words of [
      'Grüße, 日本 & Ελλάς',
      'Ann "the boss" O\'Neil, Ltd.',
      '👩‍💻 Builds',
      'a, b; c: d <e>',
    ]) {
      const mail = await readCodeMail({ content: createContent(words) });
      expect(mail.subject).toBe(words);
      expect(mail.from?.name).toBe(words);
    }
  });

  test('N136 bidirectional characters in a sender name cannot reverse the text that follows', async () => {
    const { from, subject } = await readCodeMail({ content: createContent('moc.elpmaxe\u202e@\u2066gol') });
    expect(`${from?.name}${subject}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('N136 an email subject in the form of an encoded word is not decoded', async () => {
    const mail = await readCodeMail({ content: createContent('=?utf-8?b?PGV2ZUBleGFtcGxlLm5ldD4=?=') });
    expect(mail.subject).toBe('= ?utf-8?b?PGV2ZUBleGFtcGxlLm5ldD4=?=');
    expect(mail.from?.name).toBe(mail.subject);
  });

  test('N136 a random subject cannot add a header field to an email', async () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const plain = listHeaderNames((await readCodeMail({ content: createContent('Hi') })).source);
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const breaking = fc.array(
      fc.oneof(words, fc.constantFrom('\r\n', '\n', '\r', 'Bcc: a@b.c', '"', '<', '\\')),
    );
    await fc.assert(
      fc.asyncProperty(breaking, async (parts) => {
        const mail = await readCodeMail({ content: createContent(`x${parts.join('')}`) });
        expect(listHeaderNames(mail.source)).toEqual(plain);
        expect(mail.from?.address).toBe('no-reply@example.com');
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('N137 text and logos from API clients in emails', () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    '" style="position:fixed;inset:0" x="',
    '</title><script>alert(1)</script>',
    '</style><img src=https://example.net/pixel>',
    '<!--[if mso]><b>x</b><![endif]-->',
    '--><script>alert(1)</script>',
    '<a href="javascript:alert(1)">click</a>',
    '&lt;script&gt;',
    '\u0000<scr\u0000ipt>',
    '<\u2028script>',
    '{{7*7}}%7B7*7%7D',
  ];
  /** Returns the tags and attribute names of an HTML document, which escaped texts must not change. */
  const toShape = (html = '') =>
    [...html.replaceAll('<br>', '').matchAll(/<(\/?[a-z!][\w-]*)([^>]*)>/gi)].map(
      ([, tag, attributes = '']) => `${tag} ${attributes.replace(/="[^"]*"/g, '').trim()}`,
    );

  test.each(attacks)(
    'N137 the text %j from an API client is escaped in every part of an email',
    async (attack) => {
      const logo = { contentType: 'image/png', bytes: PNG };
      const approvalData = { amount: attack };
      const shapes = (
        await both({ content: { ...createContent('x'), logo }, approvalData: { amount: 'x' } })
      ).map(({ html }) => toShape(html));
      const attacked = await both({ content: { ...createContent(attack), logo }, approvalData });
      for (const [index, { html }] of attacked.entries()) expect(toShape(html)).toEqual(shapes[index]);
    },
  );

  test.each(attacks)('N137 the application name %j is escaped in an email', async (attack) => {
    const shapes = (await both({})).map(({ html }) => toShape(html));
    const attacked = await both({ applicationName: attack });
    for (const [index, { html }] of attacked.entries()) expect(toShape(html)).toEqual(shapes[index]);
  });

  test('N137 text from an API client is displayed unchanged in an email', async () => {
    const { html, text } = await readCodeMail({ content: { subject: 'Hi', bodyText: '<b>1 & "2"</b>' } });
    expect(html).toContain('&lt;b&gt;1 &amp; &quot;2&quot;&lt;/b&gt;');
    expect(text).toContain('<b>1 & "2"</b>');
  });

  test('N137 a logo is part of the email as an inline attachment', async () => {
    const logo = readLogo(PNG.toString('base64'));
    for (const mail of await both({ content: { ...createContent('Hi'), logo } })) {
      expect(mail.attachments).toHaveLength(1);
      const [part] = mail.attachments;
      expect(part).toMatchObject({ mimeType: 'image/png', disposition: 'inline', related: true });
      expect(Buffer.from(part?.content as ArrayBuffer)).toEqual(PNG);
      expect(mail.html).toContain(`src="cid:${part?.contentId?.slice(1, -1)}"`);
      expect(mail.html).not.toContain('data:');
      expect(mail.html).toContain('alt="Hi"');
    }
  });

  test('N137 an email without a logo contains no image', async () => {
    for (const mail of await both({ content: createContent('Hi') })) {
      expect(mail.attachments).toEqual([]);
      expect(mail.html).not.toContain('<img');
    }
  });
});

describe('N138 compatibility of emails with mail clients', () => {
  test('N138 both the plain text part and the HTML part of a login email contain the code', async () => {
    const mail = await readCodeMail();
    expect(findHeader(mail, 'content-type')).toMatch(/^multipart\/alternative;/);
    expect(mail.source.indexOf('text/plain')).toBeLessThan(mail.source.indexOf('text/html'));
    expect(mail.text).toMatch(new RegExp(`^${CODE}$`, 'm'));
    expect(mail.html).toContain(`>${CODE}<`);
  });

  test('N138 the login link in an email is excluded from click tracking', async () => {
    const { text, html } = await readLinkMail();
    expect(text).toContain(`\n${URL_OF_LINK}\n`);
    const anchors = [...(html ?? '').matchAll(/<a [^>]*>/g)].map(([anchor]) => anchor);
    expect(anchors).toHaveLength(2);
    for (const anchor of anchors) {
      expect(anchor).toContain('<a ses:no-track ');
      expect(anchor).toContain(`href="${URL_OF_LINK.replaceAll('&', '&amp;')}"`);
    }
  });

  test('N138 each email has a unique reference, which keeps Gmail from grouping emails', async () => {
    const [one, other] = await Promise.all([
      readCodeMail({ reference: 'first' }),
      readCodeMail({ reference: 'second' }),
    ]);
    expect(findHeader(one, 'x-entity-ref-id')).toBe('first');
    expect(findHeader(other, 'x-entity-ref-id')).toBe('second');
    expect(one.messageId).not.toBe(other.messageId);
    expect(one.inReplyTo ?? one.references).toBeUndefined();
  });
});
