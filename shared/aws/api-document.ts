import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../ports/api-document.ts';

type Document = Awaited<ReturnType<ApiDocument['read']>>;

/**
 * Creates a reader of the OpenAPI document, a file that the bundler puts beside the function. A container reads the file once;
 * a failed read is repeated.
 */
export function fileBesideFunction(): ApiDocument {
  let document: Document | undefined;
  return {
    async read() {
      document ??= JSON.parse(readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8')) as Document;
      return document;
    },
  };
}
