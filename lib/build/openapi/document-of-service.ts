import { operations } from '../../../functions/operations.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { exportedSchemas } from '../schemas.ts';
import { openApiDocument } from './document.ts';

/** The API document of the service, made from the table. */
export const documentOfService = async () =>
  openApiDocument(operations, await exportedSchemas(), packageJson);
