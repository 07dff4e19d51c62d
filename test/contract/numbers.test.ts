import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { made, resourceFields } from '../support/fixtures/managed.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { storeClient } from '../support/tools/authorized.ts';
import { authorized, createCall, EXTENDED, rows, send, smallestInput } from '../support/tools/calls.ts';
import { isNumber, listAlternatives, listFields } from '../support/tools/fields.ts';
import { runs, SEED, takes } from '../support/tools/full-run.ts';

const server = useTestServer(EXTENDED);
let known: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  const { app_id: appId } = server.environment;
  const { user_id: userId } = await createUser(server, { email: newEmail() });
  const token = await server.clientToken();
  const { resource_id: resourceId } = await made<{ resource_id: string }>(
    server,
    '/v1/resources',
    resourceFields(),
    token,
  );
  const { clientId } = await storeClient(server);
  known = { appId, userId, resourceId, clientId };
});

const withNumbers = rows.flatMap(([name, row]) => {
  const fields = (row.input.json ? listAlternatives(row.input.json) : [])
    .flatMap(listFields)
    .filter(isNumber);
  return fields.length > 0 ? [[name, row, fields] as const] : [];
});

/** Numbers at the limits. DynamoDB stores magnitudes from 1e-130 to 9.9e125, and its client rejects integers beyond 2^53. */
const EDGES = [1e-200, 5e-324, 1e-131, 1e126, 1.7e308, 2 ** 53 + 2, -1e-200, -0, 0.1 + 0.2, 1e21];

test.each(withNumbers)(
  'the operation %s handles any number in its fields without an internal error',
  async (_name, row, fields) => {
    const ask = async (value: number, index: number) => {
      const field = fields[index % fields.length];
      const smallest = smallestInput(row);
      const path = smallest.path && { ...smallest.path, ...known };
      const input = { ...smallest, json: field?.with(value), ...(path && { path }) };
      const { status } = await send(server, await authorized(server, row, createCall(row, input)));
      if (status < 200 || status >= 500) throw new Error(`${field?.name}: ${value} -> ${status}`);
    };
    for (let index = 0; index < fields.length; index += 1)
      for (const [place, value] of EDGES.entries()) if (takes(index + place, 4)) await ask(value, index);
    await fc.assert(fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(), ask), {
      seed: SEED,
      numRuns: runs(20),
    });
  },
);

test('the tests cover more than three operations with numeric fields', () =>
  expect(withNumbers.length).toBeGreaterThan(3));
