import { pageSamples } from '../../../lib/preview/preview.ts';
import { ALL_METHODS, REDIRECT_URI, type SampleData } from '../../../lib/preview/sample.ts';
import type { Brand } from '../../../shared/templates/parts/brand.ts';
import {
  formPageHeaders,
  formPostPageHeaders,
  leavingPageHeaders,
  textPageHeaders,
} from '../../../shared/templates/parts/frame.ts';

export const words: SampleData & { readonly userText: string } = {
  language: 'en',
  brand: { name: 'Northwind' },
  methods: ALL_METHODS,
  csrf: 'kV3q8h3kX0b1mT7d5sR9yP',
  action: '/oidc/auth/login?transaction=t1',
  cancelAction: '/oidc/auth/login?transaction=t1',
  userText: 'd•••@e•••.com',
  parameter: 'SplxlOBeZQQYbYS6WxSbIA',
};

type PageKind = 'form' | 'text' | 'post' | 'leave';

/** Returns the type of a page: `form`, `text` without a form, form_post to the client (`post`), or redirect (`leave`). */
function detectPageKind(html: string): PageKind {
  if (html.includes(`action="${REDIRECT_URI}"`)) return 'post';
  if (html.includes('id="leave"')) return 'leave';
  return html.includes('<form') ? 'form' : 'text';
}

export function headersFor(kind: PageKind, brand: Brand): Readonly<Record<string, string>> {
  if (kind === 'form') return formPageHeaders(brand);
  if (kind === 'post') return formPostPageHeaders(brand);
  if (kind === 'leave') return leavingPageHeaders(brand);
  return textPageHeaders(brand);
}

/** Name, type and render function of every page in the preview. */
export const pages = Object.values(pageSamples)
  .flatMap(Object.entries<(given: SampleData) => string>)
  .map(([name, make]) => [name, detectPageKind(make(words)), make] as const);

/** Returns the tags and attribute names of an HTML document, which escaped texts must not change. */
export function toShape(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!][\w-]*)([^>]*)>/gi)].map(
    ([, tag, attributes = '']) => `${tag} ${attributes.replace(/="[^"]*"/g, '').trim()}`,
  );
}

export function listForms(html: string): string[] {
  return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => form);
}

/** Returns the attributes of each element with the given tag name, without unescaping their values. */
export function listElements(html: string, tag: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map(([, source = '']) =>
    Object.fromEntries(
      [...source.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, value ?? '']),
    ),
  );
}
