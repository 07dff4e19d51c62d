import { describe, expect, test } from '@jest/globals';
import { listProtectedStacks } from '../../lib/stacks/environments/environment.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';
import { environmentsInRun } from './support/variants.ts';

const eu = synthesized('eu');
const sandbox = synthesized('sandbox');

type Fields = Readonly<Record<string, unknown>>;

const listTables = (environment: typeof eu): Readonly<Record<string, Fields>> =>
  Object.fromEntries(
    new Cloud(environment.templates)
      .resources('AWS::DynamoDB::GlobalTable')
      .map(({ properties }) => [String(properties.TableName).split('-').at(-1), properties]),
  );
const findReplica = (table: Fields | undefined) => {
  const replicas = table?.Replicas as readonly Fields[];
  expect(replicas).toHaveLength(1);
  return replicas[0];
};

describe('DynamoDB tables of the data stack', () => {
  const tables = listTables(eu);

  test('the deployed DynamoDB tables have the keys and indexes that the code defines', () => {
    expect(Object.keys(tables).toSorted()).toEqual(Object.keys(tableLayouts).toSorted());
    for (const [name, layout] of Object.entries(tableLayouts)) {
      // Strongly consistent global tables do not support local secondary indexes.
      expect(tables[name]).not.toHaveProperty('LocalSecondaryIndexes');
      expect(tables[name]?.KeySchema).toEqual([
        { AttributeName: layout.partitionKey, KeyType: 'HASH' },
        { AttributeName: layout.sortKey, KeyType: 'RANGE' },
      ]);
      const indexes = (tables[name]?.GlobalSecondaryIndexes ?? []) as readonly Fields[];
      expect(indexes).toMatchObject(
        layout.indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: [
            { AttributeName: index.partitionKey, KeyType: 'HASH' },
            { AttributeName: index.sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
      );
    }
  });

  test('the DynamoDB tables are billed per request, encrypted with a customer managed key and not replicated', () => {
    for (const table of Object.values(tables)) {
      expect(table).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      });
      const replica = findReplica(table);
      expect(replica?.Region).toBe('eu-central-1');
      expect(replica?.SSESpecification).toEqual({
        KMSMasterKeyId: expect.stringMatching(/^AWS::KMS::Key:TableKey/),
      });
    }
  });

  test('only tables with items that expire have the TTL attribute purge_at', () => {
    expect(tables.flows?.TimeToLiveSpecification).toEqual({ AttributeName: 'purge_at', Enabled: true });
    expect(tables.directory).not.toHaveProperty('TimeToLiveSpecification');
    // The table `people` contains items that expire, such as timeline events, and users, who have no `purge_at`.
    expect(tables.people?.TimeToLiveSpecification).toEqual({ AttributeName: 'purge_at', Enabled: true });
  });

  test('the tables `directory` and `people` have 35 days of point-in-time recovery, and `flows` has none', () => {
    const recovery = (name: string) => findReplica(tables[name])?.PointInTimeRecoverySpecification;
    const on = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 };
    expect(recovery('directory')).toEqual(on);
    expect(recovery('people')).toEqual(on);
    expect(recovery('flows')).toEqual({ PointInTimeRecoveryEnabled: false });
  });
});

describe('deletion protection of tables and stacks', () => {
  const on = synthesized('eu with its protection, in the SES sandbox');
  const listProtections = (environment: typeof eu) =>
    Object.values(listTables(environment)).map((table) => findReplica(table)?.DeletionProtectionEnabled);

  test.each(environmentsInRun)(
    'deletion protection of %s is off by default, so that a failed first deployment can be repeated',
    (name) => {
      const first = synthesized(name);
      expect([first.protected, listProtections(first)]).toEqual([[], [false, false, false]]);
    },
  );

  test('one environment variable enables deletion protection for all tables and stacks that hold data', () => {
    expect(listProtections(on)).toEqual([true, true, true]);
    expect(on.protected.toSorted()).toEqual(
      ['otl-eu-api', 'otl-eu-backup', 'otl-eu-data', 'otl-eu-mail'].toSorted(),
    );
    const [environment] = environments('eu', {});
    expect(environment && listProtectedStacks(environment).toSorted()).toEqual(on.protected.toSorted());
  });
});

describe('data that remains after a stack was deleted', () => {
  const policies = (environment: typeof eu, stack: string) =>
    Object.values(environment.templates[stack]?.Resources ?? {}).map(({ DeletionPolicy }) => DeletionPolicy);

  test("deleting the data stack keeps the stack's resources", () => {
    expect(new Set(policies(eu, 'otl-eu-data'))).toEqual(new Set(['RetainExceptOnCreate']));
  });

  test('deleting the stacks of the sandbox environment also deletes their resources', () => {
    for (const { id, Type, DeletionPolicy = 'Delete' } of Object.values(sandbox.templates).flatMap(
      ({ Resources }) => Object.entries(Resources).map(([id, resource]) => ({ id, ...resource })),
    )) {
      expect([id, DeletionPolicy]).toEqual([id, 'Delete']);
      expect([id, Type]).not.toEqual([
        id,
        expect.stringMatching(/^AWS::(?:S3::Bucket|Backup::BackupVault|ECR::)/),
      ]);
    }
  });

  test('only the data stack holds data, except for the CloudFront log, the mail identity and replaceable secrets', () => {
    const elsewhere = Object.entries(eu.templates).flatMap(([name, { Resources }]) =>
      Object.values(Resources).map(({ Type, DeletionPolicy }) => [name, Type, DeletionPolicy] as const),
    );
    const stateful = elsewhere.filter(
      ([name, type]) =>
        name !== 'otl-eu-data' && /DynamoDB|KMS|S3::Bucket$|RDS|SecretsManager|SES::Email/.test(type),
    );
    expect(stateful.toSorted()).toEqual([
      ['otl-eu-api', 'AWS::SecretsManager::Secret', 'Delete'],
      ['otl-eu-edge', 'AWS::S3::Bucket', 'Retain'],
      ['otl-eu-mail', 'AWS::SES::EmailIdentity', 'RetainExceptOnCreate'],
    ]);
  });
});

test('each KMS key has the key type and the usage that its port needs', () => {
  const keys = new Cloud(eu.templates).resources('AWS::KMS::Key').map(({ id, properties }) => {
    const { KeySpec, KeyUsage, EnableKeyRotation } = properties;
    return [id.replace(/[0-9A-F]{8}$/, ''), KeySpec, KeyUsage, EnableKeyRotation];
  });
  expect(keys).toEqual([
    ['TableKey', undefined, undefined, true],
    ['CodeMacKey', 'HMAC_256', 'GENERATE_VERIFY_MAC', undefined],
    ['WebhookMacKey', 'HMAC_256', 'GENERATE_VERIFY_MAC', undefined],
    ['SigningKey', 'RSA_2048', 'SIGN_VERIFY', undefined],
  ]);
});
