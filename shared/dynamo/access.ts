import type { PortName, Ports } from '../ports/index.ts';
import { type BEGINNING_INDEX, LIST_INDEX, type TableName } from './keys.ts';

// Table access of port methods: each folder of stores lists the access of its ports in its file access.ts. IAM policies are
// generated from this plain data; the stores themselves do not read it.

type DynamoAction =
  | 'dynamodb:GetItem'
  | 'dynamodb:BatchGetItem'
  | 'dynamodb:PutItem'
  | 'dynamodb:UpdateItem'
  | 'dynamodb:DeleteItem'
  | 'dynamodb:Query';

export interface Access {
  readonly table: TableName;
  /** Index that the DynamoDB `actions` use. Undefined if the actions use the table itself. */
  readonly index?: typeof LIST_INDEX | typeof BEGINNING_INDEX;
  /** Beginning of the partition keys that the DynamoDB `actions` may access, in the index or the table. */
  readonly prefix: string;
  readonly actions: readonly DynamoAction[];
  /**
   * Attributes that a write and its condition may name; `user` means the attributes of a user record. If undefined, all
   * attributes are allowed. Without this limit, functions that unauthenticated callers can call could store values that another
   * function accepts as proof: login progress, a session secret or a passkey's public key.
   */
  readonly attributes?: readonly string[] | 'user';
}

/** Table access of the ports of one folder. The type requires an entry for each method of a listed port. */
export type PortAccess = {
  readonly [Port in PortName]?: { readonly [Method in keyof Ports[Port]]: readonly Access[] };
};

export const get = 'dynamodb:GetItem';
export const batchGet = 'dynamodb:BatchGetItem';
export const put = 'dynamodb:PutItem';
export const update = 'dynamodb:UpdateItem';
export const remove = 'dynamodb:DeleteItem';
export const query = 'dynamodb:Query';

/** Returns a function that describes actions on the items of a table whose partition keys begin with `prefix`. */
export const onTable =
  (table: TableName) =>
  (prefix: string, ...actions: readonly DynamoAction[]): Access => ({ table, prefix, actions });

/** Returns the access for queries of the index partitions that begin with `prefix`. */
export const queryIndex = (
  table: TableName,
  prefix: string,
  index: Access['index'] = LIST_INDEX,
): Access => ({ table, index, prefix, actions: [query] });

/**
 * Returns the table access for lists: queries of the index partitions that begin with `parent`, and reads of the items whose
 * partition keys begin with `prefix`.
 */
export const list = (table: TableName, parent: string, prefix: string): readonly Access[] => [
  queryIndex(table, parent),
  onTable(table)(prefix, batchGet),
];

/** Restricts a write to the key and the named attributes of an item. */
export const onlyAttributes =
  (...names: readonly string[]) =>
  (access: Access): Access => ({ ...access, attributes: ['pk', 'sk', ...names] });

/** Restricts a write to the device binding of a session, because unauthenticated callers can trigger this write. */
export const binds = onlyAttributes('binding', 'bound_by', 'ended_at', 'expires_at', 'ends_at');
