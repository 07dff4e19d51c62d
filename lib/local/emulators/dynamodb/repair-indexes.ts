import { isDeepStrictEqual } from 'node:util';
import type { TableLayout } from '../../../../shared/dynamo/keys.ts';
import { callJson } from '../basis/call-json.ts';
import { type Item, scan } from './scan.ts';

/**
 * Repairs the indexes of all tables and returns the number of wrong or missing entries. dynalite writes an index entry before
 * its item. A `kill -9` between the two writes leaves an entry for an item that was never written.
 */
export async function repairIndexes(
  endpoint: string,
  layouts: Readonly<Record<string, TableLayout>>,
): Promise<number> {
  let repaired = 0;
  for (const [table, { indexes }] of Object.entries(layouts))
    for (const { name, partitionKey } of indexes)
      repaired += await repairIndex(endpoint, table, name, partitionKey);
  return repaired;
}

async function repairIndex(
  endpoint: string,
  table: string,
  index: string,
  attribute: string,
): Promise<number> {
  const put = (item: Item) =>
    callJson(endpoint, 'DynamoDB_20120810.PutItem', { TableName: table, Item: item });
  const items = new Map<string, Item>();
  const missing = new Map<string, Item>();
  for await (const item of scan(endpoint, { TableName: table })) {
    items.set(itemKey(item), item);
    if (attribute in item) missing.set(itemKey(item), item);
  }
  const wrong: Item[] = [];
  for await (const entry of scan(endpoint, { TableName: table, IndexName: index }))
    if (matchesItem(entry, items.get(itemKey(entry)))) missing.delete(itemKey(entry));
    else wrong.push(entry);
  for (const entry of wrong) {
    const item = items.get(itemKey(entry));
    // dynalite removes an index entry only together with its item. The item is therefore written with the values of the wrong
    // entry, and then restored or deleted.
    await put({ ...item, ...entry });
    const { pk, sk } = entry;
    if (item) await put(item);
    else await callJson(endpoint, 'DynamoDB_20120810.DeleteItem', { TableName: table, Key: { pk, sk } });
  }
  for (const item of missing.values()) await put(item);
  return wrong.length + missing.size;
}

/** Returns true if every attribute of an index entry has the same value in the item. */
const matchesItem = (entry: Item, item: Item = {}): boolean =>
  Object.entries(entry).every(([name, value]) => isDeepStrictEqual(value, item[name]));

function itemKey({ pk, sk }: Item): string {
  return JSON.stringify([pk, sk]);
}
