import { beforeAll, describe, expect, test } from '@jest/globals';
import type { GenericSchema } from 'valibot';
import { BODY_MAX_BYTES } from '../../shared/domain/basis/limits.ts';
import type { ServiceError } from '../../shared/errors/service-error.ts';
import { check } from '../../shared/http/parse.ts';
import type { Operation } from '../../shared/operation.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { ADDED } from '../support/tools/added-row.ts';
import {
  authorized,
  authorizedInVain,
  type Call,
  createCall,
  EXTENDED,
  expectError,
  type Input,
  rows,
  send,
  smallestInput,
  withoutIds,
} from '../support/tools/calls.ts';
import {
  badValues,
  type Field,
  isLimited,
  isText,
  listAlternatives,
  listFields,
  longestText,
  smallestValue,
  wrongTypes,
} from '../support/tools/fields.ts';
import { inTurn, sample } from '../support/tools/full-run.ts';

const server = useTestServer(EXTENDED);
/** Path parameters of existing records. With unknown IDs, a 404 response would hide an accepted invalid body. */
let known: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  known = { userId: (await createUser(server, { email: newEmail() })).user_id };
});

const PLACES = ['path', 'query', 'json', 'form'] as const;
type Place = (typeof PLACES)[number];

/** Maximum length of a URL in tests. Servers reject longer URLs, so field limits above this length cannot be tested. */
const ADDRESS_MAX = 5000;

/** Returns true if a field is sent in the URL, or if the operation may return the field in a redirect URL. */
const inAddress = (row: Operation, place: Place) =>
  place === 'path' || place === 'query' || (place === 'form' && row.output.status > 300);
const characterIn = (row: Operation, place: Place) => (inAddress(row, place) ? 'x' : '🙂');

function fits(row: Operation, place: Place, value: unknown): boolean {
  return !inAddress(row, place) || String(value).length < ADDRESS_MAX;
}

interface PlacedInput {
  readonly title: string;
  readonly place: Place;
  readonly field: string;
  readonly input: Input;
}

interface PlacedField {
  readonly place: Place;
  readonly title: string;
  readonly field: Field;
}

/** Lists each field of an operation once, even if several alternatives of the body have it. */
function placedFields({ input }: Operation): readonly PlacedField[] {
  const placed = PLACES.flatMap((place) => {
    const schema = input[place];
    const alternatives = schema ? listAlternatives(schema) : [];
    return alternatives.flatMap((node) =>
      listFields(node).map((field) => ({ place, title: `${place} ${field.name}`, field })),
    );
  });
  return [...new Map(placed.map((each) => [each.title, each])).values()];
}

/** Required fields that are checked only after the client is known, because their errors are sent to the redirect URI. */
const DEMANDED_LATER = new Set(['redirect_uri', 'response_type']);
/** Fields whose values are checked only after the client is known. The fuzz test sends invalid values with a valid client. */
const READ_LATER = new Set([
  ...['response_type', 'response_mode', 'max_age', 'code_challenge', 'code_challenge_method', 'dpop_jkt'],
]);
const OF_DOMAIN = new Set(['of the wrong form', 'none of its values']);
const isCheckedLater = (place: Place, { name }: Field, title: string) =>
  (place === 'form' || place === 'query') &&
  ((title === 'missing' && DEMANDED_LATER.has(name)) || (OF_DOMAIN.has(title) && READ_LATER.has(name)));

function badInputs(row: Operation): readonly PlacedInput[] {
  return placedFields(row).flatMap(({ place, title, field }) => {
    const bad = badValues(field, characterIn(row, place)).filter(
      (each) => !isCheckedLater(place, field, each.title),
    );
    const values = place === 'json' ? [...bad, ...wrongTypes(field)] : bad;
    // A path with an empty or missing parameter is not a path of this operation.
    const possible = values.filter(
      ({ value }) => fits(row, place, value) && (place !== 'path' || (value !== undefined && value !== '')),
    );
    return possible.map((bad) => ({
      title: `${title} ${bad.title}`,
      place,
      field: field.name,
      input: { ...smallestInput(row, place), [place]: field.with(bad.value) },
    }));
  });
}

/** Returns an input for each limited text field, with as many characters as the limit allows. */
function longestInputs(row: Operation): readonly PlacedInput[] {
  return placedFields(row).flatMap(({ place, title, field }) => {
    // Limits count code points, but the length of a JavaScript string counts some code points twice. `state` is always
    // returned in a URL, so its text consists of ASCII letters.
    const text = longestText(field, field.name === 'state' ? 'x' : characterIn(row, place));
    if (text === undefined || !fits(row, place, text)) return [];
    const input = { ...smallestInput(row, place), [place]: field.with(text) };
    return [{ title, place, field: field.name, input }];
  });
}

async function expectRefused(row: Operation, call: Call, begin: string): Promise<void> {
  const answer = await send(server, await authorizedInVain(server, row, call));
  expectError(answer, row.dialect, 'system_invalid_input', begin);
}

const withInput = rows.filter(([, row]) => Object.keys(row.input).length > 0);
const withBody = sample(rows.filter(([, row]) => row.input.json || row.input.form));
const withJson = sample(rows.filter(([, row]) => row.input.json));
const withPairs = sample(rows.filter(([, row]) => row.input.form || row.input.query));

/** Text fields without a maximum length, because their values are compared with a fixed list. */
const COMPARED = new Set(['grant_type', 'identifier_type']);
/** Fields that the domain layer parses, because the validation library silently drops the key `__proto__`. */
const BY_DOMAIN = new Set(['approval_data', 'custom_app_data']);

test.each(withInput)('every text field of the operation %s has a maximum length', (_name, row) => {
  const texts = placedFields(row)
    .map(({ field }) => field)
    .filter((field) => isText(field) && !isLimited(field));
  expect(texts.map(({ name }) => name).filter((name) => !COMPARED.has(name))).toEqual([]);
});

/** Returns the error messages with which a schema rejects a value, or an empty list if it accepts the value. */
function complaintsOf(schema: GenericSchema | undefined, value: unknown): readonly string[] {
  try {
    if (schema) check(schema, value);
    return [];
  } catch (error) {
    return (error as ServiceError).detail.messages ?? [];
  }
}

test.each(withInput)(
  'the input schema of %s rejects each invalid field and names the field in the error',
  (_name, row) => {
    const accepted = badInputs(row).filter(({ place, field, input }) => {
      const complaints = complaintsOf(row.input[place], input[place]);
      return !BY_DOMAIN.has(field) && !complaints.some((each) => each.startsWith(`${field}: `));
    });
    expect(accepted.map(({ title }) => title)).toEqual([]);
  },
);

test.each(withInput)('the input schema of %s accepts each field at its maximum length', (_name, row) => {
  const tooLong = longestInputs(row).filter(({ place, field, input }) =>
    complaintsOf(row.input[place], input[place]).some((each) => each.startsWith(`${field}: must have`)),
  );
  expect(tooLong.map(({ title }) => title)).toEqual([]);
});

/** Returns a sample of invalid inputs to send over HTTP. The tests above validate all invalid inputs against the schemas. */
function sentBadInputs(name: string, row: Operation): readonly (readonly [string, PlacedInput])[] {
  const bad = badInputs(row);
  const chosen = new Set([...inTurn(name, bad), ...bad.filter(({ field }) => BY_DOMAIN.has(field))]);
  return [...chosen].map((each) => [each.title, each] as const);
}

describe.each(sample(withInput))('invalid fields of the operation %s', (name, row) => {
  test.each(sentBadInputs(name, row))(
    'the error response to a request with an invalid field names the field: %s',
    async (_title, bad) => {
      const path = bad.place === 'path' ? bad.input.path : { ...bad.input.path, ...known };
      await expectRefused(row, createCall(row, { ...bad.input, ...(path && { path }) }), `${bad.field}: `);
    },
  );
});

describe.each(sample(withInput))('valid input of the operation %s', (name, row) => {
  const smallest = smallestInput(row);
  const longest = inTurn(name, longestInputs(row)).map((each) => [each.title, each] as const);

  if (longest.length > 0)
    test.each(longest)(
      'a field whose value has the maximum length is accepted: %s',
      async (_title, { input, field }) => {
        const { body } = await send(server, await authorized(server, row, createCall(row, input)));
        expect(JSON.stringify(body) ?? '').not.toContain(`${field}: must have`);
      },
    );

  test('unknown fields in a request do not change the response', async () => {
    const unknown = { 'un known': 'x', __proto: 'x', login_hint: 'undefined', constructor: 'x' };
    const extended = Object.fromEntries(
      Object.entries(smallest).map(([place, fields]) => [place, { ...(fields as object), ...unknown }]),
    );
    // The first call may change the result of later calls, for example because a URI is then taken.
    await send(server, await authorized(server, row, createCall(row, smallest)));
    const [one, other] = await Promise.all(
      [smallest, extended].map(async (input) =>
        send(server, await authorized(server, row, createCall(row, input))),
      ),
    );
    const told = (answer: typeof one) => [answer?.status, withoutIds(JSON.stringify(answer?.body ?? ''))];
    expect(told(other)).toEqual(told(one));
  });
});

describe.each(withBody)('request body of the operation %s', (name, row) => {
  const smallest = createCall(row);
  const call = { ...smallest, body: smallest.body || 'a=1' };
  const own = call.headers['content-type'] ?? '';
  const others = [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'x',
  ];
  const other = row.input.json ? 'application/x-www-form-urlencoded' : 'application/json';

  test.each(inTurn(name, [...others, other]))(
    'N028 a request body with the wrong content type %s gets a 415 response',
    async (type) => {
      const wrong = { ...call, headers: { 'content-type': type } };
      const answer = await send(server, await authorizedInVain(server, row, wrong));
      expectError(answer, row.dialect, 'unsupported_media_type', `Content-Type must be ${own}`);
    },
  );

  test('N028 a request body without a content type gets a 415 response', async () => {
    const untyped = { ...call, headers: {}, body: Buffer.from(call.body ?? '') };
    const answer = await send(server, await authorizedInVain(server, row, untyped));
    expectError(answer, row.dialect, 'unsupported_media_type');
  });

  test.each([`${own}; charset=utf-8`, own.toUpperCase(), ` ${own} ;x=y`])(
    'N028 a request body with the content type %j is accepted',
    async (type) => {
      const answer = await send(
        server,
        await authorized(server, row, { ...call, headers: { 'content-type': type } }),
      );
      expect(answer.status).not.toBe(415);
    },
  );

  test('N028 a request without a body needs no content type', async () => {
    const empty = { method: call.method, path: call.path, headers: {} };
    const answer = await send(server, await authorized(server, row, empty));
    expect(answer.status).not.toBe(415);
    if (row.input.json) expectError(answer, row.dialect, 'system_invalid_input', 'body: must be JSON');
  });

  const padded = (bytes: number) =>
    row.input.json
      ? JSON.stringify({ pad: 'x'.repeat(bytes - JSON.stringify({ pad: '' }).length) })
      : `pad=${'x'.repeat(bytes - 'pad='.length)}`;

  test('a request body of more than 256 KB gets a 413 response', async () => {
    const large = { ...call, body: padded(BODY_MAX_BYTES + 1) };
    const answer = await send(server, await authorizedInVain(server, row, large));
    expectError(answer, row.dialect, 'body_too_large');
  });

  test('a request body of exactly 256 KB is accepted', async () => {
    const answer = await send(
      server,
      await authorized(server, row, { ...call, body: padded(BODY_MAX_BYTES) }),
    );
    expect(answer.status).not.toBe(413);
  });

  const noUtf8: readonly (readonly [string, readonly number[]])[] = [
    ['an incomplete character', [0xc3]],
    ['an invalid byte', [0xff]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ];
  test.each(inTurn(name, noUtf8))(
    'a request body that is not valid UTF-8 gets a 400 response: %s',
    async (_title, bytes) => {
      const [before, after] = row.input.json ? ['{"pad":"', '"}'] : ['pad=', ''];
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
      await expectRefused(row, { ...call, body }, 'body: must be UTF-8');
    },
  );
});

describe.each(withJson)('JSON request body of the operation %s', (name, row) => {
  const broken = [
    ['incomplete object', '{"a":'],
    ['only a space', ' '],
    ['trailing comma', '{"a":1,}'],
    ['two documents', '{} {}'],
    ['single quotes', "{'a': 1}"],
    ['unpaired surrogate in a value', '{"a":"\\ud800"}'],
    ['unpaired surrogate in a name', '{"\\udc00":1}'],
    ['NaN', '{"a":NaN}'],
    ['raw control character', '{"a":"\n"}'],
  ] as const;
  test.each(inTurn(name, broken))('a malformed JSON body gets a 400 response: %s', async (_title, body) => {
    await expectRefused(row, { ...createCall(row), body }, 'body: must be JSON');
  });

  test.each(inTurn(name, [['null'], ['[]'], ['"text"'], ['5'], ['true'], ['[{}]']]))(
    'the JSON body %s gets a 400 response, because the body is not an object',
    async (body) => {
      await expectRefused(row, { ...createCall(row), body }, 'body: must be a JSON object');
    },
  );
});

describe.each(withPairs)('N021 repeated parameters of the operation %s', (name, row) => {
  test.each(inTurn(name, [['a=1&a=2'], ['a=1&a=1'], ['a&a'], ['a=1&%61=2'], ['a=&b=1&a=']]))(
    'a request with a repeated parameter is rejected: %s',
    async (pairs) => {
      const call = createCall(row);
      const repeated = row.input.form
        ? { ...call, body: pairs }
        : { ...call, path: `${call.path.split('?')[0]}?${pairs}` };
      await expectRefused(row, repeated, 'a parameter: must not be given more than once');
    },
  );
});

test('the input tests also test operations that are added to the operation table', () => {
  const row = rows.find(([name]) => name === ADDED)?.[1];
  const titles = row ? badInputs(row).map(({ title }) => title) : [];
  expect(titles).toEqual(
    expect.arrayContaining([
      'path thingId too long',
      'json size missing',
      'json size null',
      'json label too long',
    ]),
  );
});

test('the schema of each request body accepts the sample that the tests generate', () => {
  for (const [, row] of rows)
    for (const schema of Object.values(row.input))
      for (const node of listAlternatives(schema))
        expect(schema['~run']({ value: smallestValue(node) }, {}).issues).toBe(undefined);
});
