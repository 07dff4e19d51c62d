import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Answers without a call to AWS: a monitor can tell the service's health from that of AWS. */
export const health: UseCase<typeof rows.health> = async ({ settings }) => ({
  json: { healthy: true, version: settings.version },
});

/** Returns the API document, made from the table of operations. */
export const openapi: UseCase<typeof rows.openapi> = async ({ settings }, ports) => ({
  json: { ...(await ports.apiDocument.read()), servers: [{ url: settings.baseUrl }] },
});
