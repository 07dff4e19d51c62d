import { operations } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { DeployedAreas } from '../../shared/domain/basis/areas.ts';
import type { ApiDocumentObject } from '../../shared/ports/api-document.ts';
import { sortByUse } from './openapi/by-use.ts';
import { openApiDocument } from './openapi/document.ts';
import { limitDocument } from './openapi/limit-document.ts';
import { exportedSchemas } from './schemas.ts';

const documents = new Map<string, ApiDocumentObject>();

/** Generates the OpenAPI document of a deployment from the table of operations, once per process. */
export async function generateServiceDocument(areas: DeployedAreas = 'all'): Promise<ApiDocumentObject> {
  const key = String(areas);
  const document =
    documents.get(key) ??
    (areas === 'all'
      ? openApiDocument(await sortByUse(operations), await exportedSchemas(), packageJson)
      : limitDocument(await generateServiceDocument(), areas));
  documents.set(key, document);
  return document;
}
