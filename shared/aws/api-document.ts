import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../ports/api-document.ts';

type Document = Awaited<ReturnType<ApiDocument['read']>>;

/** Reads the OpenAPI file that the bundler puts beside the function, once per container. A failed read is not cached. */
export function fileBesideFunction(): ApiDocument {
  let document: Document | undefined;
  return {
    async read() {
      document ??= JSON.parse(readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8')) as Document;
      return document;
    },
  };
}
