import { operations } from '../../../functions/operations.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { openApiDocument } from './document.ts';
import { schemaNames } from './schema-names.ts';

/** Where the function that serves the document has it from. */
export const OPENAPI_FILE = new URL('../../../functions/meta/openapi.json', import.meta.url);

/** The document of the service as the file holds it. */
export async function openApiText(): Promise<string> {
  const document = openApiDocument(operations, await schemaNames(), packageJson);
  return `${JSON.stringify(document, null, 2)}\n`;
}
