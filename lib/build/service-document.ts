import { operations } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { openApiDocument } from './openapi/document.ts';
import { exportedSchemas } from './schemas.ts';

let document: ReturnType<typeof openApiDocument> | undefined;

/** Generates the OpenAPI document of the service from the table of operations, once per process. */
export async function generateServiceDocument(): Promise<ReturnType<typeof openApiDocument>> {
  document ??= openApiDocument(operations, await exportedSchemas(), packageJson);
  return document;
}
