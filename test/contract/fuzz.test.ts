import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import type { ErrorDialect } from '../../shared/errors/catalogue.ts';
import { renderError } from '../../shared/errors/render.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { pathsOf, verbsOf } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { authorized, type Call, callOf, EXTENDED, rows, smallestInput } from '../support/tools/calls.ts';
import { alternativesOf, type Field, fieldsOf } from '../support/tools/fields.ts';
import { runs, SEED, sample } from '../support/tools/full-run.ts';
import {
  brokenJson,
  bytes,
  contentTypes,
  DEEP,
  encodedPiece,
  nastyAuthorization,
  nastyHeaders,
  nastyJson,
  nastyText,
  rawQuery,
} from '../support/tools/nasty.ts';
import { type RawAnswer, rawExchange } from '../support/tools/raw-exchange.ts';

/** More runs and another seed: SEED=7 FUZZ_RUNS=100000 npm test -- test/contract/fuzz. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? runs(20 * rows.length)) / rows.length);
const TIMEOUT_MILLISECONDS = 60_000 + RUNS * 100;

const server = useTestServer(EXTENDED);
let raw: ReturnType<typeof rawExchange>;
beforeAll(async () => {
  raw = rawExchange(server.environment.base_url);
});
afterAll(() => raw.close());

/** Names and types of the members of an error. */
function shapeOf(error: object): string {
  const types = Object.entries(error).map(
    ([name, value]) => `${name}:${Array.isArray(value) ? 'list' : typeof value}`,
  );
  return types.sort().join();
}

/** A list of complaints is in a 400 alone. */
const shapesIn = (dialect: ErrorDialect) =>
  (['system_invalid_input', 'invalid_token'] as const).map((key) =>
    shapeOf(renderError(new ServiceError(key), dialect).body),
  );
/** A path that was bent leads to the answer for unknown paths, in the dialect of where it seems to lead. */
const shapesElsewhere = rows.flatMap(([, { dialect }]) => shapesIn(dialect));

/** API Gateway itself refuses an address that cannot be decoded, before any function is asked. */
function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split('?')[0] ?? '');
    return false;
  } catch {
    return true;
  }
}

function expectOwnShape(row: Operation, call: Call, answer: RawAnswer): void {
  const shown = `${call.method} ${call.path} ${String(call.body).slice(0, 300)} -> ${answer.status} ${answer.body}`;
  if (answer.status < 200 || answer.status >= 500) throw new Error(shown);
  if (answer.status < 400 || call.method === 'HEAD') return;
  if (answer.status === 400 && isUndecodable(call.path)) return;
  if (answer.type?.startsWith('text/html') && 'html' in row.output) return;
  const shapes = [404, 405].includes(answer.status) ? shapesElsewhere : shapesIn(row.dialect);
  if (!shapes.includes(shapeOf(JSON.parse(answer.body)))) throw new Error(shown);
}

const MARK = '@mark@';

/** Values that lead somewhere, so that what is nasty gets past the first question. */
type Known = Readonly<Record<string, unknown>>;

/** Stands in a body for what is good only once, and is made for each call. */
const FRESH = { passcode: '@passcode@', code: '@code@', email: '@email@' };

async function known(row: Operation): Promise<Known> {
  const { client_id, client_secret, redirect_uris } = server.environment;
  const identifier = newEmail();
  const { user_id: userId } = await createUser(server, { email: identifier });
  const client = {
    client_id,
    client_secret,
    grant_type: 'client_credentials',
    response_type: 'code',
    scope: 'openid',
  };
  const user = { userId, identifier_type: 'email', identifier };
  // The user of an address logs in; a user with that address can be made only once.
  const email = String(row.section).startsWith('A') ? identifier : FRESH.email;
  return { ...client, ...user, redirect_uri: redirect_uris[0], ...FRESH, email };
}

/** Replaces what is good only once by something that is. */
async function refreshed(body: Call['body'], { identifier }: Known): Promise<Call['body']> {
  if (typeof body !== 'string') return body;
  if (body.includes(FRESH.email)) return body.replace(FRESH.email, newEmail());
  const secret = [FRESH.passcode, FRESH.code].find((mark) => body.includes(mark));
  if (secret === undefined) return body;
  const token = await server.clientToken();
  const path = secret === FRESH.passcode ? '/v1/auth/otp/send' : '/v1/auth/link/email/send';
  const to = { channel: 'direct', identifier_type: 'email', identifier };
  const sent = await server.post(
    path,
    { ...to, redirect_uri: server.environment.redirect_uris[0] },
    { token },
  );
  return body.replace(secret, String(sent.body.code));
}

/** A good body but for one field, which is to be filled in. */
interface Gap {
  readonly field: Field;
  readonly fields: Known;
}

function gapsOf(schema: GenericSchema, values: Known): readonly Gap[] {
  return alternativesOf(schema).flatMap((node) => {
    const siblings = fieldsOf(node);
    return siblings.map((field) => {
      const own = field.name.split('.')[0];
      const good = siblings
        .filter(({ name }) => name !== own && name in values)
        .map(({ name }) => [name, values[name]]);
      return { field, fields: { ...field.with(MARK), ...Object.fromEntries(good) } };
    });
  });
}

const filledJson = ({ fields }: Gap, json: string) =>
  JSON.stringify(fields).replace(JSON.stringify(MARK), () => json);

function filledForm({ fields }: Gap, value: string): string {
  const form = new URLSearchParams();
  for (const [name, each] of Object.entries(fields)) form.set(name, each === MARK ? value : String(each));
  return form.toString();
}

/** A good body in which one field is nasty; a body of nothing but what is nasty; what is no body at all. */
function bodies(row: Operation, values: Known): fc.Arbitrary<string | Uint8Array | undefined> {
  const schema = row.input.json ?? row.input.form;
  if (!schema) return fc.constantFrom(undefined, '{}', 'x');
  const gap = fc.constantFrom(...gapsOf(schema, values));
  const oneField = row.input.json
    ? fc.tuple(gap, nastyJson).map(([chosen, json]) => filledJson(chosen, json))
    : fc.tuple(gap, nastyText).map(([chosen, text]) => filledForm(chosen, text));
  return fc.oneof(
    { weight: 6, arbitrary: oneField },
    { weight: 2, arbitrary: nastyJson },
    brokenJson,
    rawQuery,
    bytes,
  );
}

function goodPath(row: Operation, values: Known): string {
  const input = smallestInput(row);
  return callOf(row, input.path ? { ...input, path: { ...input.path, ...values } } : input).path;
}

/** Node reads no longer addresses, and neither does API Gateway. */
const ADDRESS_MAX = 8000;

function paths(row: Operation, values: Known): fc.Arbitrary<string> {
  const [template = ''] = pathsOf(row);
  const good = goodPath(row, values);
  const [path = ''] = good.split('?');
  const bent = encodedPiece.map((piece) => template.replace(/\{\w+\}/g, piece.replaceAll('$', '$$$$')));
  const inQuery = (gaps: readonly Gap[]) =>
    fc
      .tuple(fc.constantFrom(...gaps), nastyText)
      .map(([gap, text]) => `${path}?${filledForm(gap, text)}`.slice(0, ADDRESS_MAX));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(good) },
    rawQuery.map((raw) => `${path}?${raw}`),
    ...(template.includes('{') ? [bent] : []),
    ...(row.input.query ? [{ weight: 6, arbitrary: inQuery(gapsOf(row.input.query, values)) }] : []),
  );
}

interface Noise {
  readonly path: string;
  readonly body: string | Uint8Array | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly verb: string;
}

function noise(row: Operation, values: Known): fc.Arbitrary<Noise> {
  const mostly = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
  return fc.record({
    path: paths(row, values),
    body: bodies(row, values),
    authorization: mostly(nastyAuthorization),
    type: mostly(contentTypes),
    headers: nastyHeaders as fc.Arbitrary<Record<string, string>>,
    verb: fc.constantFrom(...verbsOf(row), ...(row.method === 'GET' ? ['HEAD'] : [])),
  });
}

/** An empty content type and an empty body mean that there is none. */
function noisyCall(good: Call, made: Noise): Call {
  const type = made.type ?? good.headers['content-type'];
  const headers = Object.fromEntries(
    Object.entries({
      ...good.headers,
      ...made.headers,
      'content-type': type,
      ...(made.authorization === undefined ? {} : { authorization: made.authorization }),
    }).filter((header): header is [string, string] => header[1] !== undefined),
  );
  const body = made.body === undefined || ['GET', 'HEAD'].includes(made.verb) ? {} : { body: made.body };
  return { method: made.verb, path: made.path, headers, ...body };
}

describe(`seed ${SEED}, ${RUNS} calls of each operation`, () => {
  test.each(rows)(
    '%s never fails by itself, and refuses in its own words',
    async (_name, row) => {
      const values = await known(row);
      const good = await authorized(server, row);
      await fc.assert(
        fc.asyncProperty(noise(row, values), async (made) => {
          const call = noisyCall(good, { ...made, body: await refreshed(made.body, values) });
          expectOwnShape(row, call, await raw.exchange(call));
        }),
        { seed: SEED, numRuns: RUNS },
      );
    },
    TIMEOUT_MILLISECONDS,
  );

  const withJson = sample(rows.filter(([, row]) => row.input.json));
  const isOpenEnded = ({ field: { node } }: Gap) => node.type === 'object' && !node.properties;

  test.each(withJson)('%s carries no depth and no size that it cannot bear', async (_name, row) => {
    const values = await known(row);
    const good = { ...(await authorized(server, row)), path: goodPath(row, values) };
    const gaps = row.input.json ? gapsOf(row.input.json, values).filter(isOpenEnded) : [];
    for (const gap of gaps)
      for (const json of DEEP) {
        const body = await refreshed(filledJson(gap, json), values);
        const call: Call = { ...good, ...(body === undefined ? {} : { body }) };
        expectOwnShape(row, call, await raw.exchange(call));
      }
  });

  test('nothing went wrong inside', () => {
    expect(server.internalErrors).toEqual([]);
    expect(server.violations).toEqual([]);
  });
});
