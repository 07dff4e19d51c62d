import { BatchGetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { nowSeconds } from '../domain/basis/time.ts';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import { type Item, isPurgeable } from './attributes.ts';
import type { Database } from './database.ts';
import { beginningIndex, type IndexLayout, listIndex } from './keys.ts';
import { fromStored, toStored } from './stored.ts';
import { toUnavailable, unavailable } from './unavailable.ts';

interface Found {
  readonly items: readonly Item[];
  /** Key from which the next query continues. Undefined on the last page. */
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
    throw toUnavailable(error);
  }
}

/** Reads all items of a partition in the order of their sort keys, strongly consistent. */
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

/** Reads at most 100 items by their keys, strongly consistent. The result is unordered and omits missing items. */
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
      // DynamoDB may return only a part of the requested items. If it returns none of them, the table is throttled.
      if (unread.length === left.length) throw unavailable();
      items.push(...found.map(fromStored));
      left = unread;
    } catch (error) {
      throw toUnavailable(error);
    }
  return items;
}

/**
 * Reads a page of a list: first the keys from the index, then the items. The index is eventually consistent, so the page omits
 * items that have moved to another list.
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

/** Reads at most 100 items by their keys, strongly consistent. The result has the order of the keys, without missing items. */
export async function readItems(
  database: Database,
  table: string,
  keys: readonly Item[],
): Promise<readonly Item[]> {
  const toItemName = ({ pk, sk }: Item) => JSON.stringify([pk, sk]);
  const found = new Map((await readBatch(database, table, keys)).map((item) => [toItemName(item), item]));
  return keys.map((key) => found.get(toItemName(key))).filter((item) => item !== undefined);
}

/** Partition of an index, optionally restricted to sort keys with a given prefix. */
interface Listed {
  readonly index: IndexLayout;
  readonly partition: string;
  readonly beginning?: string;
}

/** Reads a page of an index. Requests one item more than the limit, to find out if there is a next page. */
async function readIndex(
  database: Database,
  table: string,
  { index, partition, beginning }: Listed,
  { limit, cursor, isNewestFirst }: PageRequest,
): Promise<Page<Item>> {
  const { name, partitionKey, sortKey } = index;
  const begins = beginning === undefined ? '' : ` AND begins_with(#${sortKey}, :beginning)`;
  const query = {
    TableName: table,
    IndexName: name,
    Limit: limit + 1,
    ...(isNewestFirst && { ScanIndexForward: false }),
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

/** Reads the keys of one page of a list. */
export const readKeys = (database: Database, table: string, listPk: string, page: PageRequest) =>
  readIndex(database, table, { index: listIndex, partition: listPk }, page);

/** Reads the keys of one page of the items whose search text begins with `beginning`. */
export const readByBeginning = (
  database: Database,
  table: string,
  listed: { readonly partition: string; readonly beginning: string },
  page: PageRequest,
) => readIndex(database, table, { index: beginningIndex, ...listed }, page);

/** Returns the cursor from which `readNewest` continues after this item. */
export const newestCursor = ({ sk }: Item): string => Buffer.from(String(sk)).toString('base64url');

/**
 * Reads a page of a partition in descending order of the sort key, down to the key `from` if it is given. The cursor is the
 * last sort key of the page.
 */
export async function readNewest(
  database: Database,
  table: string,
  { pk, from }: { readonly pk: string; readonly from?: string | undefined },
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const sk = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  if (sk !== undefined && (sk === '' || sk.length > CURSOR_MAX)) throw invalidInput('cursor: invalid');
  // DynamoDB rejects a start key outside the range of the query, and there is no item left in this range.
  if (sk !== undefined && sk < (from ?? '')) return { items: [] };
  const query = {
    TableName: table,
    Limit: limit + 1,
    ScanIndexForward: false,
    KeyConditionExpression: `#pk = :pk${from === undefined ? '' : ' AND #sk >= :from'}`,
    ExpressionAttributeNames: { '#pk': 'pk', ...(from !== undefined && { '#sk': 'sk' }) },
  };
  const values = { ':pk': pk, ...(from !== undefined && { ':from': from }) };
  const found = await run(database, query, values, sk === undefined ? undefined : { pk, sk });
  const items = found.items.slice(0, limit);
  const last = found.items.length > limit ? items.at(-1) : found.last;
  const at = nowSeconds();
  return {
    items: items.filter((item) => !isPurgeable(item, at)),
    ...(last !== undefined && { nextCursor: newestCursor(last) }),
  };
}

/** Maximum length of a cursor in characters. The key of a listed item is always shorter, and DynamoDB's limit is far higher. */
const CURSOR_MAX = 1000;

/** Encodes a cursor. The cursor does not contain the list's key, so a forged cursor cannot lead to another list. */
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
