import { operations } from '../../../functions/operations.ts';
import type { Operation } from '../../../shared/operation.ts';

/** Operation in a folder that exists only in these tests. The tests check that its deployment needs no other change. */
export const added = {
  section: 'test',
  method: 'GET',
  path: ['/v1/added/{id}', '/v1/also-added'],
  event: 'added/read-added',
  area: 'users',
  operationId: 'readAdded',
  file: 'in-no-folder',
  reach: 'browser',
  summary: 'A row that only this test has',
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 204 },
  dialect: 'numeric',
  errors: [],
  uses: ['links.find', 'signer'],
} as const satisfies Operation;

export const extendedTable = { ...operations, added };
