import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

/** Everything that a table holds, as text: what somebody reads who has got hold of a copy. */
export async function dumpTable(name: 'directory' | 'people' | 'flows'): Promise<string> {
  const client = new DynamoDBClient({});
  try {
    const { Items } = await client.send(new ScanCommand({ TableName: name }));
    return JSON.stringify(Items);
  } finally {
    client.destroy();
  }
}
