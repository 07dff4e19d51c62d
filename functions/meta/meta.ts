import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Answers from this container alone, so that a monitor tells our health from that of AWS. */
export const health: UseCase<typeof rows.health> = async ({ settings }) => ({
  json: { healthy: true, version: settings.version },
});

/** The API document that is made from the table of operations. */
export const openapi: UseCase<typeof rows.openapi> = async ({ settings }, ports) => ({
  json: { ...(await ports.apiDocument.read()), servers: [{ url: settings.baseUrl }] },
});
