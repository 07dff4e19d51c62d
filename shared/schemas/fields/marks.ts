import { type GenericSchema, getMetadata } from 'valibot';
import type { Masked } from './described.ts';

// Properties of an operation that are derived from its schemas, such as the operator role that a field requires.

type Need = keyof typeof RANK;
interface Row {
  readonly operators?: Need;
  readonly input: { readonly json?: GenericSchema };
  readonly output: object;
}

const RANK = { viewer: 0, support: 1, developer: 1, admin: 2, guarded: 3 } as const;

/** Returns the body fields for which an operator needs a higher role than for the call itself. */
export function findFieldRoles({
  operators = 'guarded',
  input: { json },
}: Row): Readonly<Record<string, Need>> | undefined {
  const { entries = {} } = (json ?? {}) as { readonly entries?: Readonly<Record<string, GenericSchema>> };
  const needs = Object.entries(entries)
    .map(([field, schema]) => [field, getMetadata(schema)['x-operator-role'] as Need | undefined] as const)
    .filter(([, need]) => need !== undefined && RANK[need] > RANK[operators]);
  return needs.length > 0 ? (Object.fromEntries(needs) as Readonly<Record<string, Need>>) : undefined;
}

/** Structure of a valibot schema, as far as this module reads it. */
type Parts = GenericSchema & {
  readonly entries?: Readonly<Record<string, Parts>>;
  readonly item?: Parts;
  readonly wrapped?: Parts;
};

function listMarks(schema: Parts, path = ''): readonly (readonly [string, string])[] {
  const { entries = {}, item, wrapped } = schema;
  const own = getMetadata(schema)['x-operator-masked'];
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(typeof own === 'string' ? [[path, own] as const] : []),
    ...Object.entries(entries).flatMap(([name, each]) => listMarks(each, inner(name))),
    ...(item ? listMarks(item, inner('*')) : []),
    ...(wrapped ? listMarks(wrapped, path) : []),
  ];
}

export function findMaskedFields({ operators, output }: Row): Readonly<Record<string, Masked>> | undefined {
  if (operators === undefined || !('json' in output)) return undefined;
  const marks = Object.fromEntries(listMarks(output.json as Parts));
  return Object.keys(marks).length > 0 ? (marks as Readonly<Record<string, Masked>>) : undefined;
}
