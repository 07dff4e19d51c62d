import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { health as operation } from './rows.ts';

/** Answers from this container alone, so that a monitor tells our health from that of AWS. */
export const useCase: UseCase<typeof operation> = async ({ settings }) => ({
  json: { healthy: true, version: settings.version },
});

export const handler = lambda(operation, useCase);
