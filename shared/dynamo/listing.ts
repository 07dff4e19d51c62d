import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import type { Item } from './attributes.ts';
import { LIST_INDEX } from './keys.ts';
import { orUnavailable } from './unavailable.ts';

async function run(client: DynamoDBDocumentClient, input: QueryCommandInput) {
  try {
    return await client.send(new QueryCommand(input));
  } catch (error) {
    throw orUnavailable(error);
  }
}

/** All items of one partition, strongly consistent, in the order of their sort key. */
export async function readPartition(
  client: DynamoDBDocumentClient,
  table: string,
  pk: string,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next: Item | undefined;
  do {
    const answer = await run(client, {
      TableName: table,
      ConsistentRead: true,
      ExclusiveStartKey: next,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': pk },
    });
    items.push(...(answer.Items ?? []));
    next = answer.LastEvaluatedKey;
  } while (next !== undefined);
  return items;
}

/** One page of the index `by-parent`. One item more than asked for tells whether there is a next page. */
export async function readPage(
  client: DynamoDBDocumentClient,
  table: string,
  listPk: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const answer = await run(client, {
    TableName: table,
    IndexName: LIST_INDEX,
    Limit: limit + 1,
    ExclusiveStartKey: cursor === undefined ? undefined : { ...readCursor(cursor), list_pk: listPk },
    KeyConditionExpression: '#list_pk = :list_pk',
    ExpressionAttributeNames: { '#list_pk': 'list_pk' },
    ExpressionAttributeValues: { ':list_pk': listPk },
  });
  const found = answer.Items ?? [];
  const items = found.slice(0, limit);
  // A page is cut short at 1 MB too.
  const last = found.length > limit ? items.at(-1) : answer.LastEvaluatedKey;
  return { items, ...(last !== undefined && { nextCursor: writeCursor(last) }) };
}

/** The cursor of `readNewest` behind this item. */
export const newestCursor = ({ sk }: Item): string => Buffer.from(String(sk)).toString('base64url');

/** One page of a partition, last sort key first; the cursor is the sort key where it ended. */
export async function readNewest(
  client: DynamoDBDocumentClient,
  table: string,
  pk: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Item>> {
  const sk = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  if (sk !== undefined && (sk === '' || sk.length > CURSOR_MAX || !sk.isWellFormed()))
    throw invalidInput('cursor: invalid');
  const answer = await run(client, {
    TableName: table,
    Limit: limit + 1,
    ScanIndexForward: false,
    ExclusiveStartKey: sk === undefined ? undefined : { pk, sk },
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':pk': pk },
  });
  const found = answer.Items ?? [];
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : answer.LastEvaluatedKey;
  return {
    items,
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
