import { BatchGetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { nowSeconds } from '../domain/basis/time.ts';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import { type Item, isPast } from './attributes.ts';
import type { Database } from './database.ts';
import { beginningIndex, type IndexLayout, listIndex } from './keys.ts';
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
  const items = await readItems(database, table, keys);
  return { ...rest, items: items.filter((item) => item.list_pk === listPk) };
}

/** Items by their keys, at most 100, strongly consistent and in the order of the keys, without those that are gone. */
export async function readItems(
  database: Database,
  table: string,
  keys: readonly Item[],
): Promise<readonly Item[]> {
  const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk, sk]);
  const found = new Map((await readBatch(database, table, keys)).map((item) => [nameOf(item), item]));
  return keys.map((key) => found.get(nameOf(key))).filter((item) => item !== undefined);
}

/** A partition of an index, or of it what begins so. */
interface Listed {
  readonly index: IndexLayout;
  readonly partition: string;
  readonly beginning?: string;
}

/** One page of an index. One item more than asked for tells whether there is a next page. */
async function readIndex(
  database: Database,
  table: string,
  { index, partition, beginning }: Listed,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const { name, partitionKey, sortKey } = index;
  const begins = beginning === undefined ? '' : ` AND begins_with(#${sortKey}, :beginning)`;
  const query = {
    TableName: table,
    IndexName: name,
    Limit: limit + 1,
    KeyConditionExpression: `#${partitionKey} = :${partitionKey}${begins}`,
    ExpressionAttributeNames: {
      [`#${partitionKey}`]: partitionKey,
      ...(begins && { [`#${sortKey}`]: sortKey }),
    },
  };
  const from =
    cursor === undefined ? undefined : { ...readCursor(cursor, sortKey), [partitionKey]: partition };
  const values = { [`:${partitionKey}`]: partition, ...(begins && { ':beginning': beginning }) };
  const found = await run(database, query, values, from);
  const items = found.items.slice(0, limit);
  const last = found.items.length > limit ? items.at(-1) : found.last;
  return { items, ...(last !== undefined && { nextCursor: writeCursor(last, sortKey) }) };
}

/** The keys of one page of a list. */
export const readKeys = (database: Database, table: string, listPk: string, page: PageRequest) =>
  readIndex(database, table, { index: listIndex, partition: listPk }, page);

/** The keys of one page of what begins so. */
export const readBeginnings = (
  database: Database,
  table: string,
  listed: { readonly partition: string; readonly beginning: string },
  page: PageRequest,
) => readIndex(database, table, { index: beginningIndex, ...listed }, page);

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

/** Far above any key of a listed item, far below what DynamoDB allows. */
const CURSOR_MAX = 1000;

/** The list itself is not in the cursor, so a forged one stays in the caller's list. */
export function writeCursor({ pk, sk, ...item }: Item, sortKey: string = listIndex.sortKey): string {
  return Buffer.from(JSON.stringify([pk, sk, item[sortKey]])).toString('base64url');
}

function readCursor(cursor: string, sortKey: string): Item {
  const parts = cursor.length <= CURSOR_MAX ? parse(Buffer.from(cursor, 'base64url').toString()) : undefined;
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every(isKeyPart))
    throw invalidInput('cursor: invalid');
  const [pk, sk, sort] = parts;
  return { pk, sk, [sortKey]: sort };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isKeyPart = (part: unknown): boolean => typeof part === 'string' && part !== '' && part.isWellFormed();
