import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import { pathsOf, verbsOf } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import { createUser, newEmail } from '../fixtures/people.ts';
import type { TestServer } from '../server/test-server.ts';
import { type Call, callOf, smallestInput } from '../tools/calls.ts';
import { alternativesOf, type Field, fieldsOf } from '../tools/fields.ts';
import {
  brokenJson,
  bytes,
  contentTypes,
  encodedPiece,
  nastyAuthorization,
  nastyHeaders,
  nastyJson,
  nastyText,
  rawQuery,
} from './nasty.ts';

/** Calls that go near an operation and are mostly broken: addresses, headers and bodies of bytes. */

const MARK = '@mark@';

/** Values that lead somewhere, so that what is nasty gets past the first question. */
type Known = Readonly<Record<string, unknown>>;

/** Stands in a body for what is good only once, and is made for each call. */
const FRESH = { passcode: '@passcode@', code: '@code@', email: '@email@' };

export async function known(server: TestServer, row: Operation): Promise<Known> {
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
export async function refreshed(
  server: TestServer,
  body: Call['body'],
  { identifier }: Known,
): Promise<Call['body']> {
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

export function gapsOf(schema: GenericSchema, values: Known): readonly Gap[] {
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

export const filledJson = ({ fields }: Gap, json: string) =>
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

export function goodPath(row: Operation, values: Known): string {
  const input = smallestInput(row);
  return callOf(row, input.path ? { ...input, path: { ...input.path, ...values } } : input).path;
}

/** Node reads no longer addresses, and neither does API Gateway. */
export const ADDRESS_MAX = 8000;

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

export function noise(row: Operation, values: Known): fc.Arbitrary<Noise> {
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
export function noisyCall(good: Call, made: Noise): Call {
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
