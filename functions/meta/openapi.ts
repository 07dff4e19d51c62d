import { lambda } from '../../shared/aws/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import generated from './openapi.json' with { type: 'json' };
import { openapi as operation } from './rows.ts';

const document: { readonly openapi: string } = generated;

/** The API document that is made from the table of operations. */
export const useCase: UseCase<typeof operation> = async ({ settings }) => ({
  json: { ...document, servers: [{ url: settings.baseUrl }] },
});

export const handler = lambda(operation, useCase);
