import fc from 'fast-check';
import type { Call } from '../tools/calls.ts';
import {
  bytes,
  encodedPiece,
  hugeJson,
  nastyAuthorization,
  nastyHeaders,
  nastyJson,
  nastyText,
  rawQuery,
} from './nasty.ts';

// Generates changes that corrupt a valid call: in its URL, its headers or its body.

/** Placeholder in JSON that `filledJson` replaces. */
export const MARK = '@mark@';

/** Serialises a JSON value and replaces the placeholder `MARK` with `text`. */
export const filledJson = (json: unknown, text: string): string =>
  JSON.stringify(json).replace(JSON.stringify(MARK), () => text);

/** Replaces one value in a JSON body, or the whole body, by `text`. */
function bentJson(body: string, at: number, text: string): string {
  let places = 0;
  const good: unknown = JSON.parse(body, (_, value) => {
    places += 1;
    return value;
  });
  let left = at % places;
  const isHere = () => left-- === 0;
  return filledJson(JSON.parse(JSON.stringify(good, (_, value) => (isHere() ? MARK : value))), text);
}

/** Replaces the value of one `name=value` pair by `text`. */
function bentPairs(pairs: string, at: number, text: string): string {
  const form = [...new URLSearchParams(pairs)];
  const chosen = form[at % Math.max(1, form.length)];
  if (chosen) chosen[1] = text;
  return new URLSearchParams(form).toString();
}

type Bend = (call: Call, template: string) => Call;

const inBody: fc.Arbitrary<Bend> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(), nastyJson, nastyText).map(
      ([at, json, text]): Bend =>
        (call) => {
          if (typeof call.body !== 'string' || call.body === '') return call;
          const isJson = call.headers['content-type'] === 'application/json';
          return { ...call, body: isJson ? bentJson(call.body, at, json) : bentPairs(call.body, at, text) };
        },
    ),
  },
  fc.oneof(hugeJson, fc.string({ unit: 'binary', maxLength: 60 }), rawQuery, bytes).map(
    (body): Bend =>
      (call) =>
        call.body === undefined ? call : { ...call, body },
  ),
);

/** Maximum URL length that Node and API Gateway read. */
export const ADDRESS_MAX = 8000;

const inAddress: fc.Arbitrary<Bend> = fc.oneof(
  encodedPiece.map(
    (piece): Bend =>
      (call, template) => {
        const path = template.replace(/\{\w+\}/g, () => piece);
        return template.includes('{') ? { ...call, path } : call;
      },
  ),
  fc.tuple(fc.nat(), nastyText).map(
    ([at, text]): Bend =>
      (call) => {
        const [path = '', query = ''] = call.path.split('?');
        return query
          ? { ...call, path: `${path}?${bentPairs(query, at, text)}`.slice(0, ADDRESS_MAX) }
          : call;
      },
  ),
  rawQuery.map(
    (query): Bend =>
      (call) => ({ ...call, path: `${call.path.split('?')[0]}?${query}` }),
  ),
);

const inHeaders: fc.Arbitrary<Bend> = fc.oneof(
  nastyHeaders.map(
    (headers): Bend =>
      (call) => ({ ...call, headers: { ...call.headers, ...headers } }),
  ),
  nastyAuthorization.map(
    (authorization): Bend =>
      (call) => ({ ...call, headers: { ...call.headers, authorization } }),
  ),
);

export const noise: fc.Arbitrary<Bend> = fc.oneof(
  { weight: 4, arbitrary: inBody },
  { weight: 3, arbitrary: inAddress },
  { weight: 2, arbitrary: inHeaders },
);
