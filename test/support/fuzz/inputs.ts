import fc from 'fast-check';
import { listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Call } from '../tools/calls.ts';
import type { Described, Opinion, readDocument } from './document.ts';
import { ADDRESS_MAX } from './noise.ts';
import type { RawAnswer } from './raw-exchange.ts';
import { knownAt } from './records.ts';
import { bentFrom, filled, generateValues, type SchemaNode } from './schema-values.ts';

// Generates inputs that are valid according to the OpenAPI document, and inputs with one change to a valid input.

type Document = ReturnType<typeof readDocument>;
type Fields = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Parts of an input, by their place in the request. */
interface Places {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

export interface MadeInput {
  readonly path: string;
  readonly verb: string;
  readonly places: Places;
}

function listPlaces(document: Document, operation: Described): Readonly<Record<string, SchemaNode>> {
  const [media] = Object.values(operation.requestBody?.content ?? {});
  return { ...document.parameters(operation), ...(media && { body: media.schema }) };
}

/** Generates inputs of an operation. At most one of path, query and body is invalid, which explains the response. */
export function inputs(document: Document, row: Operation): fc.Arbitrary<MadeInput> {
  const all = listPaths(row).flatMap((path) => listNamedMethods(row).map((verb) => ({ path, verb })));
  const choices = all.map(({ path, verb }) => {
    const operation = document.operation(path, verb);
    const nodes = operation ? listPlaces(document, operation) : {};
    const vocabulary = { resolve: document.resolve, known: knownAt(path) };
    const values = Object.entries(nodes).map(
      ([place, node]) => [place, generateValues(node, vocabulary)] as const,
    );
    const good = fc.record(Object.fromEntries(values)) as fc.Arbitrary<Places>;
    const bent = values
      .filter(([place]) => place !== 'path')
      .map(([place, value]) =>
        fc.tuple(good, bentFrom(value)).map(([others, one]) => ({ ...others, [place]: one })),
      );
    return fc
      .oneof({ weight: 2, arbitrary: good }, ...bent.map((arbitrary) => ({ weight: 2, arbitrary })))
      .map((places) => ({ path, verb, places }));
  });
  return fc.oneof(...choices);
}

function asText(fields: unknown): Record<string, string> | undefined {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined;
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return Object.fromEntries(entries);
}

/** Removes parameters without a value, which count as absent (RFC 6749 §3.1). */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Builds the call that sends an input, and validates the input. Returns undefined if the input cannot be sent over HTTP. */
export async function sentInput(
  document: Document,
  operation: Described,
  { path, verb, places }: MadeInput,
  good: Call,
  find: (name: string) => Promise<unknown>,
): Promise<{ readonly call: Call; readonly opinion: Opinion } | undefined> {
  const nodes = listPlaces(document, operation);
  const given = (await filled(places, find)) as Places;
  const opinions: Opinion[] = [];
  const judge = (place: string, value: unknown, text: boolean) => {
    const node = nodes[place];
    if (!node) return;
    const opinion = document.opinion(node, value, text);
    const other = text ? document.opinion(node, withoutEmpty(value as Fields), text) : opinion;
    opinions.push(opinion === other ? opinion : undefined);
  };

  const inPath = asText(given.path ?? {}) ?? {};
  if (Object.values(inPath).some((value) => ['', '.', '..'].includes(value) || value.includes('/')))
    return undefined;
  if (nodes.path) judge('path', inPath, true);
  const query = asText(given.query ?? {});
  if (!query) return undefined;
  if (nodes.query) judge('query', query, true);
  const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const target = search === '' ? address : `${address}?${search}`;
  if (target.length > ADDRESS_MAX) return undefined;

  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const { 'content-type': _, ...headers } = good.headers;
  const withCookie = path.includes('{loginId}')
    ? { ...headers, cookie: String(await find('cookie')) }
    : headers;
  const call = { method: verb, path: target, headers: withCookie };
  const opinion = () =>
    opinions.includes('invalid') ? 'invalid' : opinions.includes(undefined) ? undefined : 'valid';
  if (type === undefined) return { call, opinion: opinion() };
  const typed = { ...call, headers: { ...withCookie, 'content-type': type } };
  if (type === FORM_TYPE) {
    const form = asText(given.body);
    if (!form) return undefined;
    judge('body', form, true);
    return { call: { ...typed, body: new URLSearchParams(form).toString() }, opinion: opinion() };
  }
  if (type !== JSON_TYPE) throw new Error(`no bodies are made of type ${type}`);
  const body = JSON.stringify(given.body);
  judge('body', JSON.parse(body), false);
  return { call: { ...typed, body }, opinion: opinion() };
}

const OF_A_FIELD = /^[\w.[\]-]+: /;

/** Patterns of error messages that a schema cannot predict, because the errors depend on records, other fields or text. */
const BEYOND_SCHEMAS: Readonly<Record<string, RegExp>> = {
  'what the service has given out':
    /^(?:cursor: invalid|token: is not valid, or has expired|(?:code|refresh_token|request_uri): is (?:invalid|unknown), |request_uri: must have been issued|id_token_hint: is not an ID|code_verifier: does|redirect_uri: differs from|scope: must be among those of the grant)/,
  'what the tenant has':
    /^(?:client_id: is unknown|scope: the client may request |post_logout_redirect_uri: is not one|resources\.\d+: is not the ID|(?:external_application|applications): must be )/,
  'fields that depend on each other':
    /^(?:client_assertion\w*: (?:use it|is required with)|client_id: (?:is not|differs from) |code_challenge_method: must be S256|scope: must include openid|\w+: is required(?: with \w+(?:, unless \w+ is given)?| unless \w+ is \w+)?$|(?:\S+\.directories|beginning): cannot be combined with |body: one of|(?:roles|scopes|openid_providers)\.\d+\.name: must be unique|openid_providers\.\d+\.(?:name: must not be|issuer: must be)|\S+\.issuer: cannot be set|scopes\.\d+\.name: is a scope of the service|brand\.on_primary_color(?:_dark)?: )/,
  'what depends on other settings of a record':
    /^(?:\w+: must be .+ with the profile |refresh_token_rotation: may be false with|jwks: is required with|session_\w+_seconds: must be at most|access_token_ttl: must be at most \d+ for a|(?:permissions|roles|auth_method): a management client)/,
  'what is inside of a text':
    /^(?:claims[\w.]*: |since: is not a date|username: must not|webauthn_encoded_result: |(?:email_content|brand)\.base64logo: must be)/,
  'addresses, by the rules of mail, of numbers and of the web':
    /is not an? (?:valid|email|international) |must be (?:a|an absolute|a public https) (?:address|URI)|^origins\.\d+: (?:must be an https origin|needs an app)|^(?:brand\.(?:help|terms|privacy)_uri|url|home_uri|backchannel_logout_uri|(?:post_logout_)?redirect_uris\.\d+): must /,
  'what is refused wherever it comes, as its description says':
    /^(?:request: request objects|request_uri: must not be pushed)/,
  'headers of browsers': /^Secure-Session-Response: /,
  'the form of a key': /^(?:public_key|jwks\.keys(?:\.\d+)?): /,
  'the size in bytes': /^\S+ must be at most \d+ bytes|^state: must have at most/,
};

/** Returns the error message about an invalid input field, from the body or the redirect URL of a response. */
export function shapeComplaint({ status, body, type, location }: RawAnswer): string | undefined {
  const said = location === undefined ? undefined : URL.parse(location, 'http://localhost')?.searchParams;
  if (said?.has('error')) {
    const description = said.get('error_description') ?? '';
    return said.get('error') === 'invalid_request' && OF_A_FIELD.test(description) ? description : undefined;
  }
  if (status !== 400 || type !== JSON_TYPE) return undefined;
  const { message } = JSON.parse(body) as Fields;
  return [message]
    .flat()
    .map(String)
    .find((line) => OF_A_FIELD.test(line));
}

export const isBeyondSchemas = (complaint: string): boolean =>
  Object.values(BEYOND_SCHEMAS).some((pattern) => pattern.test(complaint));
