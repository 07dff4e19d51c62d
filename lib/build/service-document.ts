import { selectOperations } from '../../functions/areas.ts';
import { operations } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { DeployedAreas } from '../../shared/domain/basis/areas.ts';
import { openApiDocument } from './openapi/document.ts';
import { exportedSchemas } from './schemas.ts';

const documents = new Map<string, ReturnType<typeof openApiDocument>>();

/** Generates the OpenAPI document of a deployment from the table of operations, once per process. */
export async function generateServiceDocument(
  areas: DeployedAreas = 'all',
): Promise<ReturnType<typeof openApiDocument>> {
  const key = String(areas);
  const document =
    documents.get(key) ??
    openApiDocument(selectOperations(operations, areas), await exportedSchemas(), packageJson);
  documents.set(key, document);
  return document;
}
