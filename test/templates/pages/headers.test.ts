import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  formPageHeaders,
  formPostPageHeaders,
  textPageHeaders,
} from '../../../shared/templates/parts/frame.ts';
import { headersFor, pages, words } from './support.ts';

const brands = [
  { name: 'Northwind' },
  { name: 'Northwind', primaryColor: '#ffd400' },
  { name: 'Northwind', primaryColor: 'red;}*{display:none}</style><script>' },
];

function directives(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  const policy = headers['content-security-policy'] ?? '';
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const hashesOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );

describe('the policy of a page', () => {
  const cases = pages.flatMap(([name, kind, make]) =>
    brands.map((brand) => [`${name}, ${brand.primaryColor}`, kind, make, brand] as const),
  );

  test.each(cases)('%s: allows exactly its styles and scripts', (_, kind, make, brand) => {
    const html = make({ ...words, brand });
    const policy = directives(headersFor(kind, brand));
    expect(policy['style-src']).toEqual(hashesOf(html, 'style'));
    expect(policy['script-src'] ?? []).toEqual(hashesOf(html, 'script'));
  });

  test('N015 N016 every kind forbids frames and referrers, requires TLS, shares no window', () => {
    for (const kind of ['form', 'text', 'post'] as const) {
      const headers = headersFor(kind, words.brand);
      expect(directives(headers)).toMatchObject({
        'default-src': ["'none'"],
        'img-src': ["'self'", 'data:'],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      });
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
        'permissions-policy': expect.stringContaining('camera=()'),
      });
    }
  });

  test('a page without a form runs no script and sends no form', () => {
    for (const headers of [textPageHeaders(), textPageHeaders(words.brand)]) {
      expect(directives(headers)['form-action']).toEqual(["'none'"]);
      expect(directives(headers)).not.toHaveProperty('script-src');
    }
  });

  test.each([
    ['https://app.example.com/complete?x=1', 'https:'],
    ['https://app.example.com:8443/complete', 'https:'],
    ['http://localhost:3000/cb', 'http:'],
    ['http://127.0.0.1:51234/cb', 'http:'],
    ['http://[::1]:51234/cb', 'http:'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['com.example.app://login/cb', 'com.example.app:'],
    ['https://exämple.de/cb', 'https:'],
    ['https://*.example.com/cb', 'https:'],
    ['https://a;script-src.example.com/cb', 'https:'],
    ['https://a,b.example.com/cb', 'https:'],
    ["https://a'b.example.com/cb", 'https:'],
  ])('a login that ends at %s may be led to %s', (redirectUri, source) => {
    const brand = undefined;
    expect(directives(formPageHeaders({ brand, leadsTo: [redirectUri] }))['form-action']).toEqual([
      "'self'",
      source,
    ]);
    expect(directives(formPostPageHeaders({ brand, redirectUri }))['form-action']).toEqual([source]);
  });

  test('several ends of one scheme are one source; none allows this origin only', () => {
    const leadsTo = ['https://a.example/1', 'https://accounts.example/auth', 'com.example.app:/cb'];
    const sources = (list: readonly string[]) =>
      directives(formPageHeaders({ brand: words.brand, leadsTo: list }))['form-action'];
    expect(sources(leadsTo)).toEqual(["'self'", 'https:', 'com.example.app:']);
    expect(sources([])).toEqual(["'self'"]);
  });
});
