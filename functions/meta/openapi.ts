import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { openapi as operation } from '../rows/meta.ts';
import generated from './openapi.json' with { type: 'json' };

const document: { readonly openapi: string } = generated;

/** The API document that is made from the table of operations. */
export const useCase: UseCase<typeof operation> = async ({ settings }) => ({
  json: { ...document, servers: [{ url: settings.baseUrl }] },
});

export const handler = lambda(operation, useCase);
