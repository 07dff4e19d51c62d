import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SchemaNode } from './schema-values.ts';

// Reads from the OpenAPI document what a call may send and receive.

interface Media {
  readonly schema: SchemaNode;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

export interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

export interface DocumentedAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/**
 * Result of validating a value against the OpenAPI document. Undefined means that only a `format` is violated, which the
 * validator does not check exactly as the service does.
 */
export type Opinion = 'valid' | 'invalid' | undefined;

const lastSegment = (reference: string) => reference.split('/').at(-1) ?? '';

/** Forbids additional properties in object schemas, because a response may contain only documented fields. */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const entries = Object.entries(value).map(([name, each]) => [name, closed(each)]);
  const node = Object.fromEntries(entries);
  const isOpen =
    typeof node.properties !== 'object' || 'additionalProperties' in node || node.type !== 'object';
  return isOpen ? node : { ...node, additionalProperties: false };
}

export function readDocument(document: Document) {
  const { schemas, responses } = document.components;
  const compiler = (components: unknown, options: object) => {
    const ajv = new Ajv2020({ strict: false, allErrors: false, ...options });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'document', components: { schemas: components } });
    const compiled = new WeakMap<SchemaNode, ValidateFunction>();
    return (node: SchemaNode): ValidateFunction => {
      const known =
        compiled.get(node) ??
        ajv.compile(JSON.parse(JSON.stringify(node).replaceAll('"#/components/', '"document#/components/')));
      compiled.set(node, known);
      return known;
    };
  };
  const answers = compiler(closed(schemas), {});
  const exact = compiler(schemas, {});
  const lenient = compiler(schemas, { validateFormats: false });
  const exactText = compiler(schemas, { coerceTypes: true });
  const lenientText = compiler(schemas, { coerceTypes: true, validateFormats: false });

  const asObjects = new Map<readonly Parameter[], Readonly<Record<string, SchemaNode>>>();
  const anyError = {
    anyOf: Object.keys(schemas)
      .filter((name) => name.endsWith('Error'))
      .map((name) => ({ $ref: `#/components/schemas/${name}` })),
  };

  return {
    resolve: (node: SchemaNode): SchemaNode =>
      node.$ref === undefined ? node : (schemas[lastSegment(node.$ref)] ?? {}),
    operation: (path: string, verb: string): Described | undefined =>
      document.paths[path]?.[verb.toLowerCase()],
    /** Returns one object schema for all query parameters of an operation, and one for all path parameters. */
    parameters({ parameters = [] }: Described): Readonly<Record<string, SchemaNode>> {
      const known =
        asObjects.get(parameters) ??
        Object.fromEntries(
          [...Map.groupBy(parameters, (each) => each.in)].map(([place, own]) => [
            place,
            {
              type: 'object',
              properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
              required: own.filter(({ required }) => required).map(({ name }) => name),
            },
          ]),
        );
      asObjects.set(parameters, known);
      return known;
    },
    /** Validates a value against a schema. Set `text` if values are sent as text, as in a query or form. */
    opinion(node: SchemaNode, value: unknown, text: boolean): Opinion {
      const copy = () => structuredClone(value);
      if (!(text ? lenientText : lenient)(node)(copy())) return 'invalid';
      return (text ? exactText : exact)(node)(copy()) ? 'valid' : undefined;
    },
    /** Describes how a response violates the document. Returns undefined if the response complies with the document. */
    complaint(operation: Described, answer: DocumentedAnswer): string | undefined {
      const given = operation.responses[answer.status];
      if (!given) return `status ${answer.status} is not in the document`;
      const { content } = given.$ref === undefined ? given : (responses[lastSegment(given.$ref)] ?? {});
      if (answer.body === '') return undefined;
      const type = answer.type?.split(';')[0] ?? '';
      const media = content?.[type];
      if (!media) return `${type} is not in the document for ${answer.status}`;
      if (type !== 'application/json') return undefined;
      const validate = answers(media.schema);
      if (validate(JSON.parse(answer.body))) return undefined;
      return JSON.stringify(
        validate.errors
          ?.slice(0, 3)
          .map(({ instancePath, message, params }) => [instancePath, message, params]),
      );
    },
    /** Returns true if a response has the documented error format of any operation. */
    isError: ({ body }: DocumentedAnswer): boolean => answers(anyError)(JSON.parse(body)),
  };
}
