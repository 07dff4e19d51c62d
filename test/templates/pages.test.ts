import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pageSamples } from '../../lib/preview/preview.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { pages, words } from './pages/support.ts';
import { languages } from './support.ts';

const HREF = 'https://app.example.com/complete?code=abc&state=%22x%22';

test('every page in shared/templates/pages has sample data for the preview', () => {
  const files = readdirSync('shared/templates/pages').map((name) => name.replace('.ts', ''));
  expect(Object.keys(pageSamples).sort()).toEqual(files.filter((name) => name !== 'ask-page').sort());
});

test.each(pages)('the page %s has a language, a title and one heading', (_, _kind, make) => {
  for (const language of languages) {
    const html = make({ ...words, language });
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1\b/g)).toHaveLength(1);
    expect(html.match(/<main\b/g)).toHaveLength(1);
    expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/<(?:img|iframe|object|embed|base)\b|\son\w+=|\sstyle=|@import|url\(/);
    expect(html.match(/<link [^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
  }
});

describe('redirect page for emailed links', () => {
  const listHrefs = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => match[1]);

  test('the redirect page for an emailed link shows the host of the target URL', () => {
    const html = continuePage({ language: 'en', brand: { name: 'Northwind' }, href: HREF });
    expect(listHrefs(html)).toEqual([HREF.replaceAll('&', '&amp;')]);
    expect(html).toContain('You will be taken to <strong>app.example.com</strong>');
  });

  test('the redirect page for an emailed link can open an app that uses a custom URI scheme', () => {
    const html = continuePage({
      language: 'en',
      brand: { name: 'Northwind' },
      href: 'com.example.app:/done?code=abc',
    });
    expect(listHrefs(html)).toEqual(['com.example.app:/done?code=abc']);
    expect(html).not.toContain('You will be taken to');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/y',
  ])('the redirect page for an emailed link never links to %s', (href) => {
    expect(() => continuePage({ language: 'en', brand: { name: 'Northwind' }, href })).toThrow(
      'must not lead',
    );
  });

  test('the redirect page for an emailed link escapes the target URL', () => {
    const href = 'https://app.example.com/?x="><script>alert(1)</script>';
    const html = continuePage({ language: 'en', brand: { name: 'Northwind' }, href });
    expect(html).not.toContain('<script');
    expect(listHrefs(html)).toHaveLength(1);
  });
});
