import { suffices } from '../../../shared/domain/operators/operators.ts';
import type { OperatorRole } from '../../../shared/ports/operators.ts';

/** The API document as the console reads it: operations by ID, with what they take and answer. */

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What of JSON Schema the document uses, and the role that a field takes where it is not that of its operation. */
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
  readonly maxLength?: number;
  readonly deprecated?: boolean;
  readonly 'x-operator-role'?: NeededRole;
}

/** `guarded`: an admin whose login is fresh. */
export type NeededRole = OperatorRole | 'guarded';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string | undefined;
  /** Absent: no operator may call it. */
  readonly role?: NeededRole | undefined;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema | undefined;
  readonly answer?: Schema | undefined;
}

export interface ApiDocument {
  readonly operations: ReadonlyMap<string, ApiOperation>;
  /** The schema itself, without references, alternatives with null, and the type of its only alternative. */
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
  readonly 'x-operator-role'?: NeededRole;
}

interface Source {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const COMPONENTS = '#/components/schemas/';

const schemaIn = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema;

function operationOf(path: string, method: string, described: Described): ApiOperation {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = described;
  return {
    ...{ id, method: method.toUpperCase(), path, summary, description, parameters },
    role: described['x-operator-role'],
    body: schemaIn(requestBody),
    answer: schemaIn(responses[200] ?? responses[201]),
  };
}

/** Reads an OpenAPI document that the table of operations gave. */
export function readDocument(given: Json): ApiDocument {
  const { paths, components } = given as unknown as Source;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
  const resolve = (schema: Schema = {}): Schema => {
    const { $ref, anyOf, ...own } = schema;
    if ($ref !== undefined) return resolve({ ...components.schemas[$ref.slice(COMPONENTS.length)], ...own });
    const real = anyOf?.filter(({ type }) => type !== 'null') ?? [];
    return real.length === 1 ? { ...resolve(real[0]), ...own } : schema;
  };
  return { operations: new Map(all.map((operation) => [operation.id, operation])), resolve };
}

/** Whether a role may call or set it. `guarded` is a matter of the login's age, of which the caller is told. */
export const permits = (role: OperatorRole, needed: NeededRole | undefined): boolean =>
  needed !== undefined && suffices(role, needed === 'guarded' ? 'admin' : needed);

/** The fields of an object, those of a reference too. */
export const fieldsOf = (
  document: ApiDocument,
  schema: Schema | undefined,
): readonly (readonly [string, Schema])[] =>
  Object.entries(document.resolve(schema).properties ?? {}).map(([name, field]) => [
    name,
    document.resolve(field),
  ]);

/** What a successful answer holds: the record, or the records of a list. */
export function contentOf(document: ApiDocument, operation: ApiOperation): Schema {
  const answer = document.resolve(operation.answer);
  const result = document.resolve(answer.properties?.result ?? answer);
  return result.type === 'array' ? document.resolve(result.items) : result;
}

export const isList = (document: ApiDocument, operation: ApiOperation): boolean => {
  const answer = document.resolve(operation.answer);
  return document.resolve(answer.properties?.result ?? answer).type === 'array';
};

/** `app_id` for `appId`, as records name what paths name. */
export const recordName = (parameter: string): string =>
  parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
