import { pageSamples } from '../../../lib/preview/preview.ts';
import { ALL_METHODS, type SampleWords } from '../../../lib/preview/sample.ts';

export const words: SampleWords = {
  language: 'en',
  brand: { name: 'Northwind' },
  methods: ALL_METHODS,
  csrf: 'kV3q8h3kX0b1mT7d5sR9yP',
  action: '/oidc/auth/login?transaction=t1',
  cancelAction: '/oidc/auth/login?transaction=t1',
  typed: 'd•••@e•••.com',
  parameter: 'SplxlOBeZQQYbYS6WxSbIA',
};

/** Every page, with the same texts. */
export const pages = Object.values(pageSamples).flat();

/** Elements and attribute names of a document, which texts must not change. */
export function shapeOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!][\w-]*)([^>]*)>/gi)].map(
    ([, tag, attributes = '']) => `${tag} ${attributes.replace(/="[^"]*"/g, '').trim()}`,
  );
}

export function formsOf(html: string): string[] {
  return [...html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => form);
}

/** The attributes of each element of a kind, as in the source. */
export function elementsOf(html: string, tag: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map(([, source = '']) =>
    Object.fromEntries(
      [...source.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, value ?? '']),
    ),
  );
}
