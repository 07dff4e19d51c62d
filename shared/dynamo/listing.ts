import { BatchGetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { nowSeconds } from '../domain/basis/time.ts';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import { type Item, isPast } from './attributes.ts';
import type { Database } from './database.ts';
import { LIST_INDEX } from './keys.ts';
import { fromStored, toStored } from './stored.ts';
import { orUnavailable, unavailable } from './unavailable.ts';

interface Found {
  readonly items: readonly Item[];
  /** The key to go on behind, if there may be more. */
  readonly last: Item | undefined;
}

type Query = Omit<QueryCommandInput, 'ExclusiveStartKey' | 'ExpressionAttributeValues'>;

async function run(database: Database, query: Query, values: Item, from: Item | undefined): Promise<Found> {
  try {
    const { Items = [], LastEvaluatedKey } = await database.send(
      new QueryCommand({
        ...query,
        ExpressionAttributeValues: toStored(values),
        ExclusiveStartKey: from && toStored(from),
      }),
    );
    return { items: Items.map(fromStored), last: LastEvaluatedKey && fromStored(LastEvaluatedKey) };
  } catch (error) {
    throw orUnavailable(error);
  }
}

/** All items of one partition, strongly consistent, in the order of their sort key. */
export async function readPartition(database: Database, table: string, pk: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next: Item | undefined;
  do {
    const query = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
    };
    const found = await run(database, query, { ':pk': pk }, next);
    items.push(...found.items);
    next = found.last;
  } while (next !== undefined);
  return items;
}

/** Items by their keys, at most 100, strongly consistent and in no order; those that are gone are missing. */
async function readBatch(database: Database, table: string, keys: readonly Item[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  let left = keys.map(({ pk, sk }) => toStored({ pk, sk }));
  while (left.length > 0)
    try {
      const { Responses, UnprocessedKeys } = await database.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
      );
      const found = Responses?.[table] ?? [];
      const unread = UnprocessedKeys?.[table]?.Keys ?? [];
      // A long batch comes in parts. One that does not get shorter is throttled.
      if (unread.length === left.length) throw unavailable();
      items.push(...found.map(fromStored));
      left = unread;
    } catch (error) {
      throw orUnavailable(error);
    }
  return items;
}

/**
 * One page of a list: the keys of its items, from the index, and then the items. The index is late: an item that has gone to
 * another list meanwhile is left out.
 */
export async function readPage(
  database: Database,
  table: string,
  listPk: string,
  page: PageRequest,
): Promise<Page<Item>> {
  const { items: keys, ...rest } = await readKeys(database, table, listPk, page);
  const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk]);
  const found = new Map((await readBatch(database, table, keys)).map((item) => [nameOf(item), item]));
  const items = keys.map((key) => found.get(nameOf(key))).filter((item) => item !== undefined);
  return { ...rest, items: items.filter((item) => item.list_pk === listPk) };
}

/** One page of the index `by-parent`. One item more than asked for tells whether there is a next page. */
export async function readKeys(
  database: Database,
  table: string,
  listPk: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const query = {
    TableName: table,
    IndexName: LIST_INDEX,
    Limit: limit + 1,
    KeyConditionExpression: '#list_pk = :list_pk',
    ExpressionAttributeNames: { '#list_pk': 'list_pk' },
  };
  const from = cursor === undefined ? undefined : { ...readCursor(cursor), list_pk: listPk };
  const found = await run(database, query, { ':list_pk': listPk }, from);
  const items = found.items.slice(0, limit);
  const last = found.items.length > limit ? items.at(-1) : found.last;
  return { items, ...(last !== undefined && { nextCursor: writeCursor(last) }) };
}

/** The cursor of `readNewest` behind this item. */
export const newestCursor = ({ sk }: Item): string => Buffer.from(String(sk)).toString('base64url');

/** One page of a partition, last sort key first; the cursor is the sort key where it ended. */
export async function readNewest(
  database: Database,
  table: string,
  pk: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const sk = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  if (sk !== undefined && (sk === '' || sk.length > CURSOR_MAX || !sk.isWellFormed()))
    throw invalidInput('cursor: invalid');
  const query = {
    TableName: table,
    Limit: limit + 1,
    ScanIndexForward: false,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
  };
  const found = await run(database, query, { ':pk': pk }, sk === undefined ? undefined : { pk, sk });
  const items = found.items.slice(0, limit);
  const last = found.items.length > limit ? items.at(-1) : found.last;
  const at = nowSeconds();
  return {
    items: items.filter((item) => !isPast(item, at)),
    ...(last !== undefined && { nextCursor: newestCursor(last) }),
  };
}

const CURSOR_KEYS = ['pk', 'sk', 'list_sk'] as const;
/** Far above any key of a listed item, far below what DynamoDB allows. */
const CURSOR_MAX = 1000;

/** The list itself is not in the cursor, so a forged one stays in the caller's list. */
export function writeCursor(item: Item): string {
  return Buffer.from(JSON.stringify(CURSOR_KEYS.map((name) => item[name]))).toString('base64url');
}

function readCursor(cursor: string): Item {
  const parts = cursor.length <= CURSOR_MAX ? parse(Buffer.from(cursor, 'base64url').toString()) : undefined;
  if (!Array.isArray(parts) || parts.length !== CURSOR_KEYS.length || !parts.every(isKeyPart))
    throw invalidInput('cursor: invalid');
  return Object.fromEntries(CURSOR_KEYS.map((name, index) => [name, parts[index]]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isKeyPart = (part: unknown): boolean => typeof part === 'string' && part !== '' && part.isWellFormed();
