import type { GenericSchema } from 'valibot';
import {
  REQUEST_HEAD_MAX_BYTES,
  REQUEST_MAX_BYTES,
  URL_MAX_BYTES,
} from '../../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import { authOf } from '../../../shared/http/effective-ports.ts';
import { DEFAULT_PATH, pathsOf, verbsOf } from '../../../shared/http/path.ts';
import type { Method, Operation } from '../../../shared/operation.ts';
import type { ApiDocumentObject } from '../../../shared/ports/api-document.ts';
import { answerHeaders, answersOf, errorResponses, errorSchemas } from './answers.ts';
import { exampleOf, type Schemas, withoutSamples } from './examples.ts';
import { bodySchemas, COMPONENTS, namedBodies, parametersOf, type SchemaNames } from './json-schemas.ts';
import { securityOf, securitySchemes } from './security.ts';
import { tagOf, tagsOf } from './tags.ts';

type Table = Readonly<Record<string, Operation>>;
type Json = Readonly<Record<string, unknown>>;

interface Bodies {
  readonly named: ReadonlyMap<GenericSchema, string>;
  readonly schemas: Schemas;
}

const DESCRIPTION = [
  'A self-hosted service that logs end users in without passwords.',
  'Every path is served under `/cis` and at the root. Operations with GET answer HEAD as well.',
  'Unknown fields of requests are ignored.',
  `AWS refuses long requests before the service. A URL of more than ${URL_MAX_BYTES} bytes, or a request line with headers of more than ${REQUEST_MAX_BYTES}, is 413. A request line with values of headers of more than ${REQUEST_HEAD_MAX_BYTES} bytes is refused where an HTTP API is behind the path; AWS names no status, the local server answers 431.`,
].join('\n\n');

/** In a row with query and form, GET reads the query and POST the form. */
function inputOf({ input, method }: Operation, verb: Method): Operation['input'] {
  const { query, form, ...rest } = input;
  if (typeof method === 'string' || !query || !form) return input;
  return verb === 'POST' ? { ...rest, form } : { ...rest, query };
}

/** One of several paths may have fewer parameters; all that it has are required. */
function parameters(input: Operation['input'], path: string): readonly Json[] {
  const inPath = (input.path ? parametersOf(input.path) : [])
    .filter(({ name }) => path.includes(`{${name}}`))
    .map((parameter) => ({ in: 'path', ...parameter, required: true }));
  const inQuery = (input.query ? parametersOf(input.query) : []).map((parameter) => ({
    in: 'query',
    ...parameter,
  }));
  return [...inPath, ...inQuery];
}

/** By the name of the variant, where a body has variants. */
function examplesOf(name: string, schemas: Schemas): Json {
  const variants = schemas[name]?.oneOf?.flatMap((each) =>
    typeof each === 'object' ? (each.$ref ?? []) : [],
  );
  if (!variants) return omitUndefined({ example: exampleOf(schemas[name] ?? {}, schemas) });
  const examples = variants.map((variant) => [
    variant.slice(COMPONENTS.length),
    omitUndefined({ value: exampleOf({ $ref: variant }, schemas) }),
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
    return [[type, { schema: { $ref: COMPONENTS + name }, ...examplesOf(name, schemas) }] as const];
  });
  return content.length > 0 ? { required: true, content: Object.fromEntries(content) } : undefined;
}

interface Place {
  readonly path: string;
  readonly verb: Method;
}

const pascal = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/** IDs are unique: further paths of one operation are told apart by their own segments, further methods by theirs. */
function suffixOf(place: Place, first: Place): string {
  const known = first.path.split('/');
  const own = place.path.split('/').filter((segment) => !known.includes(segment));
  const ofPath = own.length === 0 && place.path !== first.path ? 'Default' : own.map(pascal).join('');
  return `${ofPath}${place.verb === first.verb ? '' : `By${pascal(place.verb.toLowerCase())}`}`;
}

function descriptionOf({ description, permissions }: Operation): string | undefined {
  const names = permissions?.map((name) => `\`${name}\``).join(', ');
  const needed =
    names === undefined
      ? []
      : [
          `A client with permissions of its own needs one of ${names}; \`[appId]\` stands for its application.`,
        ];
  return [description ?? [], needed].flat().join('\n\n') || undefined;
}

function operationObject(operationId: string, row: Operation, { path, verb }: Place, bodies: Bodies): Json {
  const input = inputOf(row, verb);
  const given = parameters(input, path);
  return omitUndefined<Json>({
    operationId,
    tags: [tagOf(row)],
    summary: row.summary,
    description: descriptionOf(row),
    security: securityOf(authOf(row)),
    parameters: given.length > 0 ? given : undefined,
    requestBody: requestBody(input, bodies),
    responses: answersOf(row, bodies.named),
    'x-operator-role': row.operators,
  });
}

function pathItems(table: Table, bodies: Bodies): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const row of Object.values(table)) {
    const places = pathsOf(row).flatMap((path) => verbsOf(row).map((verb) => ({ path, verb })));
    const [first] = places;
    for (const place of places) {
      const operationId = `${row.operationId}${first ? suffixOf(place, first) : ''}`;
      paths[place.path] = {
        ...paths[place.path],
        [place.verb.toLowerCase()]: operationObject(operationId, row, place, bodies),
      };
    }
  }
  return paths;
}

/** A table of operations as OpenAPI 3.1 document. The same table gives the same document, byte for byte. */
export function openApiDocument(
  table: Table,
  names: SchemaNames,
  about: { readonly name: string; readonly version: string; readonly license: string },
): ApiDocumentObject {
  const rows = Object.fromEntries(Object.entries(table).filter(([, row]) => row.path !== DEFAULT_PATH));
  const named = namedBodies(rows, names);
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
    tags: tagsOf(Object.values(rows)),
    paths: pathItems(rows, { named, schemas }),
    components: {
      schemas: { ...errorSchemas, ...withoutSamples(schemas) },
      responses: errorResponses(Object.values(rows)),
      headers: answerHeaders,
      securitySchemes,
    },
  };
}
