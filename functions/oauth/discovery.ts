import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { metadata } from '../../shared/tokens/metadata.ts';
import { discovery as operation } from './rows.ts';

/** Metadata of the one issuer, whatever path or host it was asked for by. */
export const useCase: UseCase<typeof operation> = async ({ settings }) => ({ json: metadata(settings) });

export const handler = lambda(operation, useCase);
