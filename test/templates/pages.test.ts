import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { deadEndPage } from '../../shared/templates/pages/dead-end-page.ts';
import { page, pageHeaders } from '../../shared/templates/parts/frame.ts';
import { languages } from './support.ts';

const HREF = 'https://app.example.com/complete?code=abc&state=%22x%22';
const pages = languages.flatMap((language) => [
  [
    `continue, ${language}`,
    language,
    continuePage({ language, applicationName: 'Northwind', href: HREF }),
  ] as const,
  [
    `link unknown, ${language}`,
    language,
    deadEndPage({ language, key: 'link_unknown', requestId: 'r1' }),
  ] as const,
]);

describe('a hosted page', () => {
  test.each(pages)('%s: has a language, a title, one heading, one main', (_, language, html) => {
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1\b/g)).toHaveLength(1);
    expect(html.match(/<main\b/g)).toHaveLength(1);
    expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });

  test.each(pages)('%s: runs nothing and loads nothing of other origins', (_, _language, html) => {
    expect(html).not.toMatch(
      /<(?:script|img|iframe|object|embed|form|base)\b|\son\w+=|\sstyle=|@import|url\(/,
    );
    expect([...html.matchAll(/<link [^>]*>/g)].map(([link]) => link)).toEqual([
      '<link rel="icon" href="data:,">',
    ]);
  });

  test.each(pages)('%s: its policy allows exactly its style', (_, _language, html) => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(pageHeaders['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
  });

  test('N015 N016 N029 forbids frames and referrers, requires TLS', () => {
    const policy = pageHeaders['content-security-policy'];
    for (const directive of [
      "default-src 'none'",
      'img-src data:',
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      expect(policy?.split('; ')).toContain(directive);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(pageHeaders).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    });
  });

  test('every language has its own texts', () => {
    expect(
      new Set(languages.map((language) => deadEndPage({ language, key: 'link_unknown', requestId: 'r1' })))
        .size,
    ).toBe(languages.length);
  });

  test('escapes names', () => {
    const html = page({
      language: 'en',
      title: '</title><script>alert(1)</script>',
      brand: { name: '"><img src=x onerror=alert(1)>' },
      content: '',
    });
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
  });
});

describe('the page between a mailed link and its target', () => {
  const anchorsOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => match[1]);

  test('has one link, and names its host', () => {
    const html = continuePage({ language: 'en', applicationName: 'Northwind', href: HREF });
    expect(anchorsOf(html)).toEqual([HREF.replaceAll('&', '&amp;')]);
    expect(html).toContain('You will be taken to <strong>app.example.com</strong>');
  });

  test('may link to the scheme of an app', () => {
    const html = continuePage({
      language: 'en',
      applicationName: 'Northwind',
      href: 'com.example.app:/done?code=abc',
    });
    expect(anchorsOf(html)).toEqual(['com.example.app:/done?code=abc']);
    expect(html).not.toContain('You will be taken to');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/y',
  ])('never links to %s', (href) => {
    expect(() => continuePage({ language: 'en', applicationName: 'Northwind', href })).toThrow(
      'must not lead',
    );
  });

  test('a target cannot break out of its attribute', () => {
    const href = 'https://app.example.com/?x="><script>alert(1)</script>';
    const html = continuePage({ language: 'en', applicationName: 'Northwind', href });
    expect(html).not.toContain('<script');
    expect(anchorsOf(html)).toHaveLength(1);
  });
});
