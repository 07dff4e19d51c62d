import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import type { ApiDocumentObject } from '../../../shared/ports/api-document.ts';
import type { Route } from '../../client/calls.ts';

/** The typed client's knowledge of the API, from the API document. */

type Content = Readonly<Record<string, { readonly schema: JSONSchema; readonly examples?: Examples }>>;
type Examples = Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JSONSchema;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JSONSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** The client fills them in. */
const CREDENTIALS = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

const kindsOf = ({ security }: Described) => new Set(security.flatMap(Object.keys));
const successOf = ({ responses }: Described) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];

/** Those that a backend calls: they take a token, a secret or JSON, and answer with JSON or nothing. */
function isCalled(operation: Described): boolean {
  const success = successOf(operation);
  if (!success || (success.content && !(JSON_TYPE in success.content))) return false;
  return kindsOf(operation).size > 0 || JSON_TYPE in (operation.requestBody?.content ?? {});
}

interface Called {
  readonly method: string;
  readonly path: string;
  readonly operation: Described;
}

function calledIn({ paths }: Document): readonly Called[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isCalled(operation))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function proofOf(kinds: ReadonlySet<string>): Route['proof'] {
  if (kinds.has('ClientAccessToken') || kinds.has('AdminAccessToken')) return 'token';
  return kinds.has('ClientSecretBasic') ? 'secret' : undefined;
}

const asDocument = (document: ApiDocumentObject) => document as unknown as Document;

/** How each operation is called. */
export function routesOf(document: ApiDocumentObject): Readonly<Record<string, Route>> {
  const routes = calledIn(asDocument(document)).map(({ method, path, operation }) => {
    const types = Object.keys(operation.requestBody?.content ?? {});
    const body = types.includes(JSON_TYPE) ? 'json' : types.includes(FORM_TYPE) ? 'form' : undefined;
    const proof = proofOf(kindsOf(operation));
    return [operation.operationId, omitUndefined<Route>({ method, path, body, proof })] as const;
  });
  return Object.fromEntries(routes);
}

/** Of a user, where one may call; without it the client shows its own. */
function accessTokenOf(operation: Described): readonly Parameter[] {
  const kinds = kindsOf(operation);
  if (!kinds.has('UserAccessToken') && !kinds.has('OrgAdminAccessToken')) return [];
  const required = proofOf(kinds) === undefined;
  const description = `The access token of a user${required ? '' : '; without it the client shows its own'}.`;
  return [{ name: 'accessToken', required, description, schema: { type: 'string' } }];
}

/** Path, query and body in one. */
function inputOf(operation: Described): JSONSchema {
  const parameters = [...(operation.parameters ?? []), ...accessTokenOf(operation)];
  const fields: JSONSchema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  if (!body) return fields;
  return parameters.length > 0 ? { allOf: [body, fields] } : body;
}

function schemaOfOperation({ operation }: Called): JSONSchema {
  const answer = successOf(operation)?.content?.[JSON_TYPE]?.schema ?? { tsType: 'undefined' };
  return {
    type: 'object',
    description: `${operation.summary}.\n\n${operation.description}`,
    properties: { input: inputOf(operation), answer },
    required: ['input', 'answer'],
  };
}

/** The body of an operation that takes the client's secret, as its caller writes it. */
function withoutCredentials(schema: JSONSchema): JSONSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !CREDENTIALS.includes(name));
  const required = ((schema.required || []) as readonly string[]).filter(
    (name) => !CREDENTIALS.includes(name),
  );
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function componentsFor(document: Document, called: readonly Called[]): Record<string, JSONSchema> {
  const ofSecret = called.filter(({ operation }) => proofOf(kindsOf(operation)) === 'secret');
  const names = JSON.stringify(ofSecret.map(({ operation }) => operation.requestBody));
  const entries = Object.entries(document.components.schemas).map(([name, schema]) => {
    const shown = names.includes(`/${name}"`) ? withoutCredentials(schema) : schema;
    return [name, { title: name, ...shown }];
  });
  return Object.fromEntries(entries);
}

function errorCodesIn({ components }: Document): readonly string[] {
  const bodies = Object.values(components.responses).flatMap(({ content }) =>
    Object.values(content[JSON_TYPE]?.examples ?? {}).map(({ value }) => value),
  );
  return [...new Set(bodies.map(({ error, error_code: code }) => String(error ?? code)))].sort();
}

/** The generator writes descriptions, and examples below them: of those the types tell enough. */
const withoutExamples = (schema: JSONSchema): JSONSchema =>
  JSON.parse(JSON.stringify(schema), (name, value) => (name === 'examples' ? undefined : value));

/** The source of lib/client/api.ts: types of all operations, codes of errors, routes. */
export async function sourceOfApi(document: ApiDocumentObject): Promise<string> {
  const given = asDocument(document);
  const called = calledIn(given);
  const operations: JSONSchema = {
    type: 'object',
    properties: Object.fromEntries(
      called.map((each) => [each.operation.operationId, schemaOfOperation(each)]),
    ),
    required: called.map(({ operation }) => operation.operationId),
    components: { schemas: componentsFor(given, called) },
  };
  const types = await compile(withoutExamples(operations), 'Operations', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
  });
  const codes = errorCodesIn(given).map((code) => JSON.stringify(code));
  return [
    `import type { Route } from './calls.ts';`,
    types,
    '/** What `errorCode` of an `ApiError` may be. */',
    `export type ErrorCode = ${codes.join(' | ')};`,
    `export const routes: Readonly<Record<keyof Operations, Route>> = ${JSON.stringify(routesOf(document))};`,
  ].join('\n');
}
