import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import type { ApiDocumentObject } from '../../../shared/ports/api-document.ts';
import type { Route } from '../../client/calls.ts';

// Generates lib/client/api.ts, the types and routes of the typed client, from the API document.

type Content = Readonly<Record<string, { readonly schema: JSONSchema; readonly examples?: Examples }>>;
type Examples = Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JSONSchema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JSONSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Request fields that the generated client fills in itself. Callers of the client do not pass them. */
const CREDENTIALS = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

const securitySchemes = ({ security }: DescribedOperation) => new Set(security.flatMap(Object.keys));
const findSuccess = ({ responses }: DescribedOperation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];

/**
 * Returns true for operations that backends call: they require a token or secret, or accept JSON, and respond with JSON or
 * without a body. Operations for browsers are excluded.
 */
function isBackendOperation(operation: DescribedOperation): boolean {
  const success = findSuccess(operation);
  if (!success || (success.content && !(JSON_TYPE in success.content))) return false;
  return securitySchemes(operation).size > 0 || JSON_TYPE in (operation.requestBody?.content ?? {});
}

interface BackendOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
}

function backendOperations({ paths }: Document): readonly BackendOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isBackendOperation(operation))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function requiredProof(kinds: ReadonlySet<string>): Route['proof'] {
  if (kinds.has('ClientAccessToken') || kinds.has('AdminAccessToken')) return 'token';
  return kinds.has('ClientSecretBasic') ? 'secret' : undefined;
}

const asDocument = (document: ApiDocumentObject) => document as unknown as Document;

/** Returns the route of each operation that backends call: its method, path, encoding and credential. */
export function listRoutes(document: ApiDocumentObject): Readonly<Record<string, Route>> {
  const routes = backendOperations(asDocument(document)).map(({ method, path, operation }) => {
    const types = Object.keys(operation.requestBody?.content ?? {});
    const body = types.includes(JSON_TYPE) ? 'json' : types.includes(FORM_TYPE) ? 'form' : undefined;
    const proof = requiredProof(securitySchemes(operation));
    return [operation.operationId, omitUndefined<Route>({ method, path, body, proof })] as const;
  });
  return Object.fromEntries(routes);
}

/** Returns the field `accessToken` if a user may call the operation. The field is optional if the client may also call it. */
function accessTokenField(operation: DescribedOperation): readonly Parameter[] {
  const kinds = securitySchemes(operation);
  if (!kinds.has('UserAccessToken') && !kinds.has('OrgAdminAccessToken')) return [];
  const required = requiredProof(kinds) === undefined;
  const description = `The access token of a user.${required ? '' : ' Default: the access token of the client.'}`;
  return [{ name: 'accessToken', required, description, schema: { type: 'string' } }];
}

/** Returns a single schema with all fields of path, query and body. */
function inputSchema(operation: DescribedOperation): JSONSchema {
  const parameters = [...(operation.parameters ?? []), ...accessTokenField(operation)];
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

function operationSchema({ operation }: BackendOperation): JSONSchema {
  const answer = findSuccess(operation)?.content?.[JSON_TYPE]?.schema ?? { tsType: 'undefined' };
  return {
    type: 'object',
    description: `${operation.summary}.\n\n${operation.description}`,
    properties: { input: inputSchema(operation), answer },
    required: ['input', 'answer'],
  };
}

/** Removes the client's credentials from the body of an operation, because the generated client adds them itself. */
function withoutCredentials(schema: JSONSchema): JSONSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !CREDENTIALS.includes(name));
  const required = ((schema.required || []) as readonly string[]).filter(
    (name) => !CREDENTIALS.includes(name),
  );
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function componentsFor(document: Document, called: readonly BackendOperation[]): Record<string, JSONSchema> {
  const ofSecret = called.filter(({ operation }) => requiredProof(securitySchemes(operation)) === 'secret');
  const names = JSON.stringify(ofSecret.map(({ operation }) => operation.requestBody));
  const entries = Object.entries(document.components.schemas).map(([name, schema]) => {
    const shown = names.includes(`/${name}"`) ? withoutCredentials(schema) : schema;
    return [name, { title: name, ...shown }];
  });
  return Object.fromEntries(entries);
}

function listErrorCodes({ components }: Document): readonly string[] {
  const bodies = Object.values(components.responses).flatMap(({ content }) =>
    Object.values(content[JSON_TYPE]?.examples ?? {}).map(({ value }) => value),
  );
  return [...new Set(bodies.map(({ error, error_code: code }) => String(error ?? code)))].sort();
}

/** Removes all examples from a schema. The generator would repeat them in every docblock, where the types are sufficient. */
const withoutExamples = (schema: JSONSchema): JSONSchema =>
  JSON.parse(JSON.stringify(schema), (name, value) => (name === 'examples' ? undefined : value));

/** Generates the source code of lib/client/api.ts: the types of all operations, the error codes and the routes. */
export async function generateApiSource(document: ApiDocumentObject): Promise<string> {
  const given = asDocument(document);
  const called = backendOperations(given);
  const operations: JSONSchema = {
    type: 'object',
    properties: Object.fromEntries(called.map((each) => [each.operation.operationId, operationSchema(each)])),
    required: called.map(({ operation }) => operation.operationId),
    components: { schemas: componentsFor(given, called) },
  };
  const types = await compile(withoutExamples(operations), 'Operations', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
  });
  const codes = listErrorCodes(given).map((code) => JSON.stringify(code));
  return [
    `import type { Route } from './calls.ts';`,
    types,
    '/** Values of `errorCode` of an `ApiError`. */',
    `export type ErrorCode = ${codes.join(' | ')};`,
    `export const routes: Readonly<Record<keyof Operations, Route>> = ${JSON.stringify(listRoutes(document))};`,
  ].join('\n');
}
