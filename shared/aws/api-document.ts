import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../ports/api-document.ts';

type Document = Awaited<ReturnType<ApiDocument['read']>>;

/**
 * Creates a reader for the OpenAPI document, a file that the build adds to the function's bundle. Each container caches the
 * document after the first successful read.
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
