import { setTimeout as delay } from 'node:timers/promises';
import type { TableLayout } from '../../../../shared/dynamo/keys.ts';
import { callJson } from '../basis/call-json.ts';

/** Creates the tables that do not exist and returns their names. */
export async function createTables(
  endpoint: string,
  layouts: Readonly<Record<string, TableLayout>>,
): Promise<readonly string[]> {
  const names = Object.entries(layouts).map(async ([name, layout]) =>
    (await createTable(endpoint, name, layout)) ? [name] : [],
  );
  return (await Promise.all(names)).flat();
}

async function createTable(endpoint: string, name: string, layout: TableLayout): Promise<boolean> {
  const keyAttributes = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => [
    partitionKey,
    sortKey,
  ];
  const indexes = layout.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: { ProjectionType: 'KEYS_ONLY' },
  }));
  try {
    await callJson(endpoint, 'DynamoDB_20120810.CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [layout, ...layout.indexes]
        .flatMap(keyAttributes)
        .map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema(layout),
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    });
    await untilActive(endpoint, name);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceInUseException') return false;
    throw error;
  }
}

async function untilActive(endpoint: string, name: string): Promise<void> {
  const described = () =>
    callJson<{ Table: { TableStatus: string } }>(endpoint, 'DynamoDB_20120810.DescribeTable', {
      TableName: name,
    });
  while ((await described()).Table.TableStatus !== 'ACTIVE') await delay(1);
}

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }): object[] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}
