import { operations } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { openApiDocument } from './openapi/document.ts';
import { exportedSchemas } from './schemas.ts';

/** The API document of the service, made from the table. */
export const documentOfService = async () =>
  openApiDocument(operations, await exportedSchemas(), packageJson);
