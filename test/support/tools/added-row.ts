import * as v from 'valibot';
import { operations } from '../../../functions/operations.ts';
import type { Handler } from '../../../lib/local/gateway.ts';
import * as adapters from '../../../shared/aws/adapters.ts';
import { lambda } from '../../../shared/aws/lambda.ts';
import { authenticate } from '../../../shared/http/authenticate.ts';
import type { Operation, UseCase } from '../../../shared/operation.ts';
import { maxCharacters } from '../../../shared/schemas/fields/max-characters.ts';
import { loadFunction } from '../server/load-function.ts';

/** Operation that exists only in the operation table of the tests. All code that reads the table must support it. */
const added = {
  section: 'added',
  method: 'PUT',
  path: '/v1/added/{thingId}',
  event: 'added/put-added',
  area: 'users',
  operationId: 'putAdded',
  file: 'users/added',
  reach: 'api',
  summary: 'Is in no file of the service',
  auth: ['client', 'admin'],
  permissions: ['added:edit', '[appId]:edit'],
  cors: 'none',
  input: {
    path: v.object({ thingId: v.pipe(v.string(), maxCharacters(40)) }),
    json: v.object({
      size: v.pipe(v.number(), v.minValue(0), v.maxValue(1000)),
      label: v.optional(v.pipe(v.string(), maxCharacters(10))),
    }),
  },
  output: { status: 201, json: v.object({ thing_id: v.string(), size: v.number() }) },
  dialect: 'numeric-list',
  errors: [],
  uses: [],
} as const satisfies Operation;

const useCase: UseCase<typeof added> = async ({ json, path }) => ({
  json: { thing_id: path.thingId, size: json.size },
});

export const ADDED = 'putAdded';

export const extendedTable: Readonly<Record<string, Operation>> = { ...operations, [ADDED]: added };

/** Loads the handler of an operation, which may be the added operation. Requires a running test server. */
export async function loadExtended(entry: string): Promise<Handler> {
  if (entry !== added.event) return loadFunction(entry);
  return lambda(added, useCase, adapters, { authenticate });
}
