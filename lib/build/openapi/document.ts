import type { GenericSchema } from 'valibot';
import {
  REQUEST_HEAD_MAX_BYTES,
  REQUEST_MAX_BYTES,
  URL_MAX_BYTES,
} from '../../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import { listAuth } from '../../../shared/http/effective-ports.ts';
import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { Method, Operation } from '../../../shared/operation.ts';
import type { ApiDocumentObject } from '../../../shared/ports/api-document.ts';
import { answerHeaders, describeAnswers, errorResponses, errorSchemas } from './answers.ts';
import { createExample, removeOwnKeywords, type Schemas } from './examples.ts';
import { bodySchemas, COMPONENTS, convertParameters, namedBodies, type SchemaNames } from './json-schemas.ts';
import { describeSecurity, securitySchemes } from './security.ts';
import { senderBodies, senderWebhook } from './sender.ts';
import { findTag, listTags } from './tags.ts';

type Table = Readonly<Record<string, Operation>>;
type Json = Readonly<Record<string, unknown>>;

interface Bodies {
  readonly named: ReadonlyMap<GenericSchema, string>;
  readonly schemas: Schemas;
}

const DESCRIPTION = [
  'A self-hosted service that logs end users in without passwords.',
  'Every path is served under `/cis` and at the root. Operations with GET also accept HEAD.',
  'Unknown fields of requests are ignored.',
  `AWS rejects long requests before they reach the service. A URL of more than ${URL_MAX_BYTES} bytes gets 413, as does a request line with headers of more than ${REQUEST_MAX_BYTES} bytes. If an HTTP API handles the path, a request line with header values of more than ${REQUEST_HEAD_MAX_BYTES} bytes is also rejected. AWS does not document the status; the local server responds with 431.`,
].join('\n\n');

/** Returns the input of an operation for one method. If it has a query and a form, GET reads the query and POST the form. */
function inputForMethod({ input, method }: Operation, verb: Method): Operation['input'] {
  const { query, form, ...rest } = input;
  if (typeof method === 'string' || !query || !form) return input;
  return verb === 'POST' ? { ...rest, form } : { ...rest, query };
}

/** Describes the path and query parameters. If an operation has several paths, includes only those of the given path. */
function parameters(input: Operation['input'], path: string): readonly Json[] {
  const inPath = (input.path ? convertParameters(input.path) : [])
    .filter(({ name }) => path.includes(`{${name}}`))
    .map((parameter) => ({ in: 'path', ...parameter, required: true }));
  const inQuery = (input.query ? convertParameters(input.query) : []).map((parameter) => ({
    in: 'query',
    ...parameter,
  }));
  return [...inPath, ...inQuery];
}

/** Returns the example of a body. If the body has variants, returns one example for each variant, by name. */
function bodyExamples(name: string, schemas: Schemas): Json {
  const variants = schemas[name]?.oneOf?.flatMap((each) =>
    typeof each === 'object' ? (each.$ref ?? []) : [],
  );
  if (!variants) return omitUndefined({ example: createExample(schemas[name] ?? {}, schemas) });
  const examples = variants.map((variant) => [
    variant.slice(COMPONENTS.length),
    omitUndefined({ value: createExample({ $ref: variant }, schemas) }),
  ]);
  return { examples: Object.fromEntries(examples) };
}

function requestBody(input: Operation['input'], { named, schemas }: Bodies): Json | undefined {
  const bodies = [
    ['application/json', input.json],
    ['application/x-www-form-urlencoded', input.form],
  ] as const;
  const content = bodies.flatMap(([type, schema]) => {
    const name = schema && named.get(schema);
    if (name === undefined) return [];
    return [[type, { schema: { $ref: COMPONENTS + name }, ...bodyExamples(name, schemas) }] as const];
  });
  return content.length > 0 ? { required: true, content: Object.fromEntries(content) } : undefined;
}

interface PathAndMethod {
  readonly path: string;
  readonly verb: Method;
}

const pascal = (text: string): string =>
  text.replace(/(?:[^A-Za-z0-9]+|^)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the suffix that makes an operation ID unique: the path segments that the operation's first path does not have, and
 * the method if it differs.
 */
function operationIdSuffix(place: PathAndMethod, first: PathAndMethod): string {
  const known = first.path.split('/');
  const own = place.path.split('/').filter((segment) => !known.includes(segment));
  const ofPath = own.length === 0 && place.path !== first.path ? 'Default' : own.map(pascal).join('');
  return `${ofPath}${place.verb === first.verb ? '' : `By${pascal(place.verb.toLowerCase())}`}`;
}

function fullDescription({ description, permissions }: Operation): string | undefined {
  const names = permissions?.map((name) => `\`${name}\``).join(', ');
  const needed =
    names === undefined
      ? []
      : [
          `A client with its own permissions needs one of ${names}. \`[appId]\` is the ID of its application.`,
        ];
  return [description ?? [], needed].flat().join('\n\n') || undefined;
}

function operationObject(
  operationId: string,
  row: Operation,
  { path, verb }: PathAndMethod,
  bodies: Bodies,
): Json {
  const input = inputForMethod(row, verb);
  const given = parameters(input, path);
  return omitUndefined<Json>({
    operationId,
    tags: [findTag(row)],
    summary: row.summary,
    description: fullDescription(row),
    security: describeSecurity(listAuth(row)),
    parameters: given.length > 0 ? given : undefined,
    requestBody: requestBody(input, bodies),
    responses: describeAnswers(row, bodies.named),
    'x-operator-role': row.operators,
  });
}

function pathItems(table: Table, bodies: Bodies): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of Object.values(table)) {
    const places = listPaths(row).flatMap((path) => listNamedMethods(row).map((verb) => ({ path, verb })));
    const [first] = places;
    for (const place of places) {
      const operationId = `${row.operationId}${first ? operationIdSuffix(place, first) : ''}`;
      paths[place.path] = {
        ...paths[place.path],
        [place.verb.toLowerCase()]: operationObject(operationId, row, place, bodies),
      };
    }
  }
  return paths;
}

/** Generates the OpenAPI 3.1 document of a table of operations. The result is deterministic, byte for byte. */
export function openApiDocument(
  table: Table,
  names: SchemaNames,
  about: { readonly name: string; readonly version: string; readonly license: string },
): ApiDocumentObject {
  const rows = Object.fromEntries(Object.entries(table).filter(([, row]) => row.path !== DEFAULT_PATH));
  const named = new Map([...namedBodies(rows, names), ...senderBodies]);
  const schemas = bodySchemas(named, names);
  return {
    openapi: '3.1.0',
    info: {
      title: about.name,
      version: about.version,
      description: DESCRIPTION,
      license: { name: about.license, identifier: about.license },
    },
    servers: [{ url: '/cis' }],
    tags: listTags(Object.values(rows)),
    paths: pathItems(rows, { named, schemas }),
    webhooks: senderWebhook,
    components: {
      schemas: { ...errorSchemas, ...removeOwnKeywords(schemas) },
      responses: errorResponses(Object.values(rows)),
      headers: answerHeaders,
      securitySchemes,
    },
  };
}
