import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openApiDocument } from '../../lib/build/openapi/document.ts';
import { exportedSchemas } from '../../lib/build/schemas.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { URL_MAX_BYTES } from '../../shared/domain/basis/limits.ts';
import { listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { type Described, readDocument } from '../support/fuzz/document.ts';
import {
  inputs,
  isBeyondSchemas,
  type MadeInput,
  sentInput,
  shapeComplaint,
} from '../support/fuzz/inputs.ts';
import { DEEP } from '../support/fuzz/nasty.ts';
import { filledJson, MARK, noise } from '../support/fuzz/noise.ts';
import { type RawAnswer, rawExchange } from '../support/fuzz/raw-exchange.ts';
import { newRecords } from '../support/fuzz/records.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { extendedTable } from '../support/tools/added-row.ts';
import { authorized, type Call, EXTENDED, rows } from '../support/tools/calls.ts';
import { listAlternatives, listFields } from '../support/tools/fields.ts';
import { SEED } from '../support/tools/full-run.ts';

/** Total number of fuzzed calls. Example of a longer run: `SEED=7 FUZZ_RUNS=100000 npm test -- test/contract/fuzz`. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20_000);
/** Seed of the fuzzed calls. `.ci/run` sets a new seed in each run, and prints it. */
const CALLS_SEED = Number(process.env.FUZZ_SEED ?? SEED);

/** Returns the relative number of fuzzed calls of an operation. Operations whose input can vary more get more calls. */
function weigh([, { input }]: (typeof rows)[number]): number {
  if (input.json || input.form || input.query) return 1;
  return input.path ? 0.2 : 0.05;
}
const WEIGHT = rows.reduce((sum, row) => sum + weigh(row), 0);
const countRuns = (row: (typeof rows)[number]) => Math.ceil((RUNS * weigh(row)) / WEIGHT);
const TIMEOUT_MILLISECONDS = 60_000 + RUNS * 10;

const document = readDocument(
  JSON.parse(JSON.stringify(openApiDocument(extendedTable, await exportedSchemas(), packageJson))),
);
const server = useTestServer(EXTENDED);
let raw: ReturnType<typeof rawExchange>;
beforeAll(async () => {
  raw = rawExchange(server.environment.base_url);
});
afterAll(() => raw.close());

/** Returns true if a path cannot be decoded. API Gateway rejects such a path before any function runs. */
function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split('?')[0] ?? '');
    return false;
  } catch {
    return true;
  }
}

const shown = (call: Call, answer: RawAnswer): string =>
  `${call.method} ${call.path.slice(0, 600)} ${String(call.body).slice(0, 900)} -> ${answer.status} ${answer.location ?? ''} ${answer.body.slice(0, 600)}`;

function findDescribed(row: Operation, verb: string, path = listPaths(row)[0] ?? ''): Described {
  const found = document.operation(path, verb === 'HEAD' ? 'GET' : verb);
  if (!found) throw new Error(`${verb} ${path} is not in the document`);
  return found;
}

/** Returns true if URL and headers may exceed API Gateway's limit. The margin of 200 bytes covers host and method. */
const isLong = ({ path, headers }: Call): boolean =>
  `${path}${Object.values(headers).join('')}`.length > URL_MAX_BYTES - 200;

/** Checks that the response is not an internal error and complies with the OpenAPI document. */
function expectDocumented(described: Described, call: Call, answer: RawAnswer): void {
  if (answer.status < 200 || answer.status >= 500) throw new Error(shown(call, answer));
  // The document does not describe HEAD responses, nor the response of API Gateway to a path that cannot be decoded.
  if (call.method === 'HEAD' || (answer.status === 400 && isUndecodable(call.path))) return;
  // API Gateway itself rejects requests that are too long, as the introduction of the OpenAPI document says.
  if ([413, 431].includes(answer.status) && isLong(call)) return;
  // A fuzzed path may match no operation. The error format then depends on the first segments of the path.
  if ([404, 405].includes(answer.status) && !answer.type?.startsWith('text/html'))
    if (document.isError(answer)) return;
  const complaint = document.complaint(described, answer);
  if (complaint !== undefined) throw new Error(`${complaint}: ${shown(call, answer)}`);
}

/**
 * Returns true if the response sends an error to the redirect URI, or redirects to the same URL with another method.
 */
function isPassedOn({ path }: Call, { location = '', body }: RawAnswer): boolean {
  if (body.includes('name="error"')) return true;
  const to = URL.parse(location);
  return to !== null && (to.searchParams.has('error') || to.pathname.endsWith(path.split('?')[0] ?? ''));
}

describe(`${RUNS} random API calls spread over all operations (seed ${CALLS_SEED})`, () => {
  test.each(rows)(
    'responses of the operation %s to random input comply with the OpenAPI document',
    async (name, row) => {
      let records = newRecords(server);
      let good = await authorized(server, row);

      const tryInput = async (made: MadeInput, bend?: (call: Call, template: string) => Call) => {
        const described = findDescribed(row, made.verb, made.path);
        const sent = await sentInput(document, described, made, good, records);
        if (!sent) return;
        const call = bend?.(sent.call, made.path) ?? sent.call;
        const opinion = bend ? undefined : sent.opinion;
        const answer = await raw.exchange(call);
        expectDocumented(described, call, answer);
        const complaint = shapeComplaint(answer);
        const isTaken = answer.status < 400 && !isPassedOn(call, answer) && complaint === undefined;
        if (opinion === 'invalid' && isTaken)
          throw new Error(`the document forbids it: ${shown(call, answer)}`);
        if (opinion === 'valid' && complaint !== undefined && !isBeyondSchemas(complaint))
          throw new Error(`the document allows it: ${shown(call, answer)}`);
        // Deleted records are created again, so that the next call finds existing records.
        if (call.method === 'DELETE' && isTaken) records = newRecords(server);
        if (answer.status === 401) good = await authorized(server, row);
      };
      // One call in eight is sent with a corrupted request, for which only the response is checked.
      const bends = fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, noise);
      const calls = fc.tuple(inputs(document, row), bends);
      await fc.assert(
        fc.asyncProperty(calls, ([made, bend]) => tryInput(made, bend)),
        { seed: CALLS_SEED, numRuns: countRuns([name, row]) },
      );
    },
    TIMEOUT_MILLISECONDS,
  );

  const withJson = rows.filter(([, row]) => row.input.json);

  test.each(withJson)(
    'the operation %s handles deeply nested and very large JSON without an internal error',
    async (_name, row) => {
      const good = await authorized(server, row);
      const fields = row.input.json ? listAlternatives(row.input.json).flatMap(listFields) : [];
      for (const field of fields.filter(({ node }) => node.type === 'object' && !node.properties))
        for (const json of DEEP) {
          const call: Call = { ...good, body: filledJson(field.with(MARK), json) };
          expectDocumented(findDescribed(row, call.method), call, await raw.exchange(call));
        }
    },
  );

  test('random API calls cause no internal error and no response that violates the contract', () => {
    expect(server.internalErrors).toEqual([]);
    expect(server.violations).toEqual([]);
  });
});
