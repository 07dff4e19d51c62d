import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  formPageHeaders,
  formPostPageHeaders,
  leavingPageHeaders,
  textPageHeaders,
} from '../../../shared/templates/parts/frame.ts';
import { CODE_STYLE, policyHash } from '../../../shared/templates/parts/style.ts';
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

const hashElements = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );

describe('content security policy of pages', () => {
  const cases = pages.flatMap(([name, kind, make]) =>
    brands.map((brand) => [`${name}, ${brand.primaryColor}`, kind, make, brand] as const),
  );

  test.each(cases)(
    'the content security policy of the page %s allows only the styles and scripts of its kind of page',
    (_, kind, make, brand) => {
      const html = make({ ...words, brand });
      const policy = directives(headersFor(kind, brand));
      const codeStyle = policyHash(CODE_STYLE);
      const isCodePage = hashElements(html, 'style').includes(codeStyle);
      const alsoAllowed = kind === 'form' && !isCodePage ? [codeStyle] : [];
      expect(isCodePage).toBe(html.includes('class="cells'));
      expect(policy['style-src']).toEqual([...hashElements(html, 'style'), ...alsoAllowed]);
      expect(policy['script-src'] ?? []).toEqual(hashElements(html, 'script'));
    },
  );

  test('N015 N016 a page cannot be framed and sends no referrer', () => {
    for (const kind of ['form', 'text', 'post', 'leave'] as const) {
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

  test('the content security policy of a page without a form allows no scripts', () => {
    for (const headers of [textPageHeaders(), textPageHeaders(words.brand)]) {
      expect(directives(headers)['form-action']).toEqual(["'none'"]);
      expect(directives(headers)).not.toHaveProperty('script-src');
    }
  });

  test('only the form_post page can submit a form to another origin', () => {
    for (const brand of [undefined, words.brand]) {
      for (const headers of [formPageHeaders(brand), leavingPageHeaders(brand)])
        expect(directives(headers)['form-action']).toEqual(["'self'"]);
      expect(directives(formPostPageHeaders(brand))).not.toHaveProperty('form-action');
    }
  });
});
