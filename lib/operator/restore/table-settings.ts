import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import type { Check } from '../../../shared/domain/management/restore-check.ts';
import { type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';

const formatKeys = (keys: TableDescription['KeySchema']): string =>
  (keys ?? []).map(({ AttributeName }) => AttributeName).join(', ');

/**
 * Checks the settings that a restored table needs before it replaces the original. Point-in-time recovery restores keys,
 * indexes and encryption. Deletion protection, recovery and time to live must be set again ("Restoring a table" in the DynamoDB
 * guide).
 */
export async function checkTableSettings(
  table: Exclude<TableName, 'flows'>,
  original: string,
  restored: string,
): Promise<readonly Check[]> {
  const client = new DynamoDBClient(CALL_SETTINGS);
  const describe = async (TableName: string) =>
    (await client.send(new DescribeTableCommand({ TableName }))).Table ?? {};
  const [before, after, backups, timeToLive] = await Promise.all([
    describe(original),
    describe(restored),
    client.send(new DescribeContinuousBackupsCommand({ TableName: restored })),
    client.send(new DescribeTimeToLiveCommand({ TableName: restored })),
  ]);
  const layout = tableLayouts[table];
  const indexes = (after.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName, IndexStatus }) => `${IndexName} ${IndexStatus}`,
  );
  const wanted = layout.indexes.map(({ name }) => `${name} ACTIVE`);
  const keyArn = after.SSEDescription?.KMSMasterKeyArn;
  const recovery =
    backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  const ttl = timeToLive.TimeToLiveDescription?.TimeToLiveStatus ?? 'DISABLED';
  const expires = ttl === 'ENABLED' || ttl === 'ENABLING';
  return [
    { name: 'table is active', ok: after.TableStatus === 'ACTIVE', found: `${after.TableStatus}` },
    {
      name: 'keys are those of the service',
      ok: formatKeys(after.KeySchema) === `${layout.partitionKey}, ${layout.sortKey}`,
      found: formatKeys(after.KeySchema),
    },
    { name: 'indexes exist and are active', ok: indexes.join() === wanted.join(), found: indexes.join(', ') },
    {
      name: 'table is encrypted with our key',
      ok: keyArn !== undefined && keyArn === before.SSEDescription?.KMSMasterKeyArn,
      found: keyArn ?? 'not our key',
    },
    { name: 'point-in-time recovery is on', ok: recovery === 'ENABLED', found: recovery ?? 'DISABLED' },
    {
      name: 'table is protected from deletion like the original',
      ok: after.DeletionProtectionEnabled === before.DeletionProtectionEnabled,
      found: after.DeletionProtectionEnabled ? 'protected' : 'not protected',
    },
    { name: 'items expire where they should', ok: expires === (layout.timeToLive !== undefined), found: ttl },
  ];
}
