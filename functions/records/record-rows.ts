import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import type { Auth, Method, OperationInput, OperationRow, OperatorNeed } from '../../shared/operation.ts';
import type { PortMethod } from '../../shared/ports/uses.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';

/** Definition fields shared by the operations that administer records. An operation can override them. */
export const administration = {
  section: 'management',
  reach: 'api',
  auth: ['admin', 'operator'],
  operators: 'guarded',
  cors: 'none',
  dialect: 'numeric',
} as const satisfies Partial<OperationRow>;

type Schema = NonNullable<OperationInput['json']>;
type Common = Omit<OperationRow, 'summary' | 'uses' | keyof Shape>;
type Shape = Pick<OperationRow, 'path' | 'input' | 'output' | 'errors'> & { readonly method: Method };

/**
 * Fields in which the operations on a record type differ: the texts, the store operations used, and exceptions to the common
 * fields.
 */
interface Own<Uses> extends Partial<Common> {
  readonly summary: string;
  readonly description: string;
  readonly output?: { readonly status: 204; readonly orLater: true };
  /** Error keys in addition to those for an unknown record. */
  readonly errors?: readonly ErrorKey[];
  readonly uses: Uses;
}

/** Creates the definitions of the operations that create, list, return, update and delete records of one type. */
export function recordRows<
  const Callers extends readonly Auth[],
  Create extends Schema,
  Update extends Schema,
  One extends Schema,
  List extends Schema,
  Item extends Schema,
  const Outer extends { readonly path?: Schema } = Record<never, never>,
>(table: {
  readonly common: Common & { readonly auth: Callers };
  /** API path of the record list. */
  readonly path: string;
  /** Name of the path parameter that contains a record's ID. */
  readonly id: string;
  /** Schema of the parameters in the path of the record list. */
  readonly outer?: Outer;
  /** Schema of the path parameters of the operations on one record. */
  readonly item: Item;
  readonly create: Create;
  readonly update: Update;
  readonly one: One;
  readonly list: List;
  /** Errors for an unknown parent record. */
  readonly outerErrors?: readonly ErrorKey[];
  /** Errors for an unknown record of this type. */
  readonly itemErrors: readonly ErrorKey[];
}) {
  const { common, path, one: json, outer = {} as Outer } = table;
  const ofList = { path, errors: table.outerErrors ?? [] };
  const ofItem = { path: `${path}/{${table.id}}`, errors: table.itemErrors };
  const item = { path: table.item };
  const reads = { method: 'GET', operators: 'viewer' as OperatorNeed, unguarded: 'reads' } as const;
  const audit = 'management.changed';

  /**
   * Creates an operation definition from the common fields and those of the operation. The literal types are kept, because the
   * type of the use case depends on them.
   */
  const row =
    <Of extends Shape>(shape: Of) =>
    <const Uses extends readonly PortMethod[]>(own: Own<Uses>) =>
      ({
        ...common,
        ...shape,
        ...own,
        errors: [...shape.errors, ...(own.errors ?? [])],
      }) as Omit<Common, 'auth'> &
        Of & { readonly auth: Callers; readonly summary: string; readonly uses: Uses };

  return {
    create: row({
      ...ofList,
      method: 'POST',
      input: { ...outer, json: table.create },
      output: { status: 201, json },
      audit,
    }),
    list: row({
      ...ofList,
      ...reads,
      input: { ...outer, query: PageQuery },
      output: { status: 200, json: table.list },
    }),
    get: row({ ...ofItem, ...reads, input: item, output: { status: 200, json } }),
    update: row({
      ...ofItem,
      method: 'PUT',
      input: { ...item, json: table.update },
      output: { status: 200, json },
      audit,
    }),
    delete: row({ ...ofItem, method: 'DELETE', input: item, output: { status: 204 }, audit }),
  };
}
