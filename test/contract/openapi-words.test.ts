import { beforeAll, expect, test } from '@jest/globals';
import type { JsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operations } from '../../functions/operations.ts';
import { createExample } from '../../lib/build/openapi/examples.ts';
import { exportedSchemas } from '../../lib/build/schemas.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import { DEFAULT_PATH, listNamedMethods, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: JsonSchema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const rows = Object.values<Operation>(operations).filter(({ path }) => path !== DEFAULT_PATH);
const names = await exportedSchemas();
let document: ApiDocument;
let fits: (value: unknown, schema: JsonSchema) => boolean;

/** Copies a schema and changes its references, so that they point to the components of the schema `api` in Ajv. */
const inApi = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));

beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await generateServiceDocument()));
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  // Ajv gets the components only once. If each field's schema contained all components, Ajv would compile them for each field.
  ajv.addSchema(inApi({ $id: 'api', components: document.components }));
  fits = (value, schema) => ajv.validate<unknown>(inApi(schema), value);
});

/** Returns complaints about a description of fewer than three words, and about an example that the schema rejects. */
function complaints(where: string, description: string | undefined, example: unknown, schema: JsonSchema) {
  return [
    ...((description?.trim().split(/\s+/).length ?? 0) >= 3 ? [] : [`${where}: no description`]),
    ...exampleComplaints(where, example, schema),
  ];
}

function exampleComplaints(where: string, example: unknown, schema: JsonSchema): readonly string[] {
  if (example === undefined) return [`${where}: no example`];
  return fits(example, schema) ? [] : [`${where}: the example ${JSON.stringify(example)} does not validate`];
}

/** Returns complaints about the properties at any depth. Does not check referenced schemas, which are checked separately. */
function aboutProperties(where: string, schema: JsonSchema): readonly string[] {
  const { schemas } = document.components;
  const parts = [schema.items, schema.additionalProperties, schema.oneOf, schema.anyOf].flat();
  const inParts = parts.flatMap((part) => (typeof part === 'object' ? aboutProperties(where, part) : []));
  const inProperties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return [];
    const own = `${where}.${name}`;
    const referred = schemas[property.$ref?.split('/').at(-1) ?? ''];
    const description = property.description ?? referred?.description;
    const example = createExample(property, schemas);
    return [...complaints(own, description, example, property), ...aboutProperties(own, property)];
  });
  return [...inParts, ...inProperties];
}

function aboutOperation(row: Operation): readonly string[] {
  const sentences = row.description?.match(/[^.]\.(?=\s|$)/g)?.length ?? 0;
  const own = sentences >= 2 && sentences <= 4 ? [] : [`${row.event}: a description has 2 to 4 sentences`];
  const items = listPaths(row).flatMap((path) =>
    listNamedMethods(row).flatMap((verb) => document.paths[path]?.[verb.toLowerCase()] ?? []),
  );
  const parts = items.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...parameters.flatMap(({ name, description, example, schema }) =>
      complaints(`${operationId} ${name}`, description, example, schema),
    ),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema, example, examples }) =>
      (examples ? Object.values(examples) : [{ value: example }]).flatMap(({ value }) =>
        exampleComplaints(`${operationId} body`, value, schema),
      ),
    ),
  ]);
  return [...own, ...parts];
}

const fileByName = new Map([...names.values()].map(({ name, file }) => [name, file]));
const files = [...new Set(fileByName.values()), 'errors'];
const areas = [...new Set(rows.map(({ file }) => `functions/${file.split('/')[0]}`))];

function collectComplaints(group: string): readonly string[] {
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => (fileByName.get(name) ?? 'errors') === group)
    .flatMap(([name, schema]) => aboutProperties(name, schema));
  const inArea = rows.filter(({ file }) => `functions/${file.split('/')[0]}` === group);
  return [...schemas, ...inArea.flatMap(aboutOperation)];
}

test.each([...files, ...areas])(
  'every field and operation of %s has a description and valid examples in the OpenAPI document',
  (group) => {
    expect(collectComplaints(group)).toEqual([]);
  },
);
