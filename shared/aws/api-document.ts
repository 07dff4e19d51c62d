import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiDocument } from '../ports/api-document.ts';

/** Reads the file beside the bundle, once per container. */
export function fileBesideFunction(): ApiDocument {
  let document: ReturnType<ApiDocument['read']> | undefined;
  return {
    read() {
      document ??= readFile(join(import.meta.dirname, 'openapi.json'), 'utf8').then(JSON.parse);
      return document;
    },
  };
}
