import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';

/** Returns all items of a table as text, as an attacker with a copy of the table would see them. */
export async function dumpTable(name: 'directory' | 'people' | 'flows'): Promise<string> {
  const client = new DynamoDBClient({});
  try {
    const items: unknown[] = [];
    // DynamoDB returns at most 1 MB per page, so all pages are read.
    for await (const { Items = [] } of paginateScan({ client }, { TableName: name })) items.push(...Items);
    return JSON.stringify(items);
  } finally {
    client.destroy();
  }
}
