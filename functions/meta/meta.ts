import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/**
 * Reports that the service runs, without calling AWS. This lets a monitor distinguish a fault of the service from a fault of
 * AWS.
 */
export const health: UseCase<typeof rows.health> = async ({ settings }) => ({
  json: { healthy: true, version: settings.version },
});

/** Returns the OpenAPI document, which is generated from the table of operations. */
export const openapi: UseCase<typeof rows.openapi> = async ({ settings }, ports) => ({
  json: { ...(await ports.apiDocument.read()), servers: [{ url: settings.baseUrl }] },
});
