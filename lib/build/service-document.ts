import { operations } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { openApiDocument } from './openapi/document.ts';
import { exportedSchemas } from './schemas.ts';

/** Generates the OpenAPI document of the service from the table of operations. */
export const generateServiceDocument = async () =>
  openApiDocument(operations, await exportedSchemas(), packageJson);
