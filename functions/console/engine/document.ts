// Reads the API document (OpenAPI) as the console needs it: operations by ID, with their parameters, bodies and responses.

import { includesRole } from '../../../shared/domain/operators/operators.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Subset of JSON Schema that the API document uses. `x-operator-role` is set on a field that requires another role than its
 * operation.
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly deprecated?: boolean;
  readonly 'x-operator-role'?: RequiredRole;
}

/** Role that an operation or field requires. `guarded` means an admin with a fresh login. */
export type RequiredRole = OperatorRole | 'guarded';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** An operation of the API document, with the schemas of its request body and response. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** Lowest role that may call the operation. Undefined if no operator may call it. */
  readonly role?: RequiredRole | undefined;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema | undefined;
  readonly answer?: Schema | undefined;
}

export interface ApiDocument {
  readonly operations: ReadonlyMap<string, ApiOperation>;
  /** Resolves the `$ref` of a schema. If only one alternative of an `anyOf` is not null, merges it into the schema. */
  resolve(schema: Schema | undefined): Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | undefined>>;
  readonly 'x-operator-role'?: RequiredRole;
}

interface Source {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const COMPONENTS = '#/components/schemas/';

const schemaIn = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema;

function toApiOperation(path: string, method: string, described: Described): ApiOperation {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = described;
  return {
    ...{ id, method: method.toUpperCase(), path, summary, description, parameters },
    role: described['x-operator-role'],
    body: schemaIn(requestBody),
    answer: schemaIn(responses[200] ?? responses[201]),
  };
}

/** Parses the OpenAPI document that was generated from the table of operations. */
export function readDocument(given: Json): ApiDocument {
  const { paths, components } = given as unknown as Source;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toApiOperation(path, method, described)),
  );
  const resolve = (schema: Schema = {}): Schema => {
    const { $ref, anyOf, ...own } = schema;
    if ($ref !== undefined) return resolve({ ...components.schemas[$ref.slice(COMPONENTS.length)], ...own });
    const real = anyOf?.filter(({ type }) => type !== 'null') ?? [];
    return real.length === 1 ? { ...resolve(real[0]), ...own } : schema;
  };
  return { operations: new Map(all.map((operation) => [operation.id, operation])), resolve };
}

/** Returns true if a role permits an operation or field. Treats `guarded` as admin; the login's age is checked elsewhere. */
export const isPermitted = (role: OperatorRole, needed: RequiredRole | undefined): boolean =>
  needed !== undefined && includesRole(role, needed === 'guarded' ? 'admin' : needed);

/** Lists the fields of an object schema with their resolved schemas. */
export const listFields = (
  document: ApiDocument,
  schema: Schema | undefined,
): readonly (readonly [string, Schema])[] =>
  Object.entries(document.resolve(schema).properties ?? {}).map(([name, field]) => [
    name,
    document.resolve(field),
  ]);

/** Returns the schema of the record in a successful response or, if the response is a list, of each record in that list. */
export function findRecordSchema(document: ApiDocument, operation: ApiOperation): Schema {
  const answer = document.resolve(operation.answer);
  const result = document.resolve(answer.properties?.result ?? answer);
  return result.type === 'array' ? document.resolve(result.items) : result;
}

export const isList = (document: ApiDocument, operation: ApiOperation): boolean => {
  const answer = document.resolve(operation.answer);
  return document.resolve(answer.properties?.result ?? answer).type === 'array';
};

/** Converts the name of a path parameter to the name of the record's field: `appId` to `app_id`. */
export const toFieldName = (parameter: string): string =>
  parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Lists the names of the parameters in a path such as `/v1/users/{userId}`. */
export const listPathParameters = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
