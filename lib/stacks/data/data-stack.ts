import { Duration, Stack, Tags } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Alias, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { envelopeAlias, signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import { type TableLayout, type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';
import {
  type Environment,
  toKeyAlias,
  toNamePrefix,
  toQualifier,
  toStackArguments,
  toTableName,
} from '../environments/environment.ts';
import { envelopeKeyPolicy, macKeyPolicy, signingKeyPolicy, tableKeyPolicy } from './key-policies.ts';
import { rolesWith } from './role-paths.ts';

/** Number of days for which a table can be restored to any point in time. DynamoDB allows at most 35. */
const RECOVERY_DAYS = 35;
const KEY_DELETION_DAYS = 30;

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** Stack with the tables and keys, which must never be lost. All other stacks can be deleted and deployed again. */
export class DataStack extends Stack {
  readonly tableKey: Key;
  readonly codeMacKey: Key;
  readonly webhookMacKey: Key;
  readonly signingKey: Key;
  /** KMS key that encrypts private signing keys. Absent without the mode `kms-envelope`. */
  readonly envelopeKey: Key | undefined;
  /** All KMS keys of this stack. The envelope key is included if the environment has one. */
  readonly keys: readonly Key[];
  /** ARNs of the tables in use, built from fixed names because a reference between stacks slows a deployment by a second. */
  readonly tableArns: Readonly<Record<TableName, string>>;

  constructor(scope: Construct, environment: Environment) {
    const { protection: terminationProtection } = environment;
    super(scope, ...toStackArguments(environment, 'data', 'tables and keys', { terminationProtection }));
    const { account } = this;
    const deployer = { account, qualifier: toQualifier(environment) };
    const users = {
      codes: rolesWith('codeMac', environment, account),
      // The key policy admits the whole account. IAM policies decide who may use the key: the function that signs events, and
      // operators who create a webhook.
      webhooks: [`arn:aws:iam::${account}:*`],
    };
    const kept = {
      removalPolicy: environment.removalPolicy,
      pendingWindow: Duration.days(KEY_DELETION_DAYS),
    };
    // These keys are multi-Region keys, because an existing key cannot become one later. Multi-Region keys cost the same, and
    // have no replica until a deployment creates one.
    const regional = { ...kept, multiRegion: true };
    // This key has a single region, because DynamoDB treats every key as a single-Region key.
    this.tableKey = new Key(this, 'TableKey', {
      ...kept,
      description: 'Encrypts the tables',
      enableKeyRotation: true,
      policy: tableKeyPolicy(environment.region),
    });
    const macKey = (id: string, description: string, roleArns: readonly string[]) =>
      new Key(this, id, {
        ...regional,
        description,
        keySpec: KeySpec.HMAC_256,
        keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
        policy: macKeyPolicy(deployer, roleArns),
      });
    this.codeMacKey = macKey('CodeMacKey', 'Derives the keys of one-time codes', users.codes);
    this.webhookMacKey = macKey('WebhookMacKey', 'Derives the secrets of webhooks', users.webhooks);
    this.signingKey = new Key(this, 'SigningKey', {
      ...regional,
      description: 'Signs tokens',
      keySpec: KeySpec.RSA_2048,
      keyUsage: KeyUsage.SIGN_VERIFY,
      policy: signingKeyPolicy(deployer, rolesWith('signer', environment, account)),
    });
    for (const [tag, value] of Object.entries(signingTags(environment.name)))
      Tags.of(this.signingKey).add(tag, value);
    this.envelopeKey = environment.signingModes.includes('kms-envelope')
      ? new Key(this, 'EnvelopeKey', {
          ...regional,
          alias: envelopeAlias(toNamePrefix(environment)),
          description: 'Encrypts the private keys that sign tokens',
          enableKeyRotation: true,
          policy: envelopeKeyPolicy(deployer, environment.name, rolesWith('signer', environment, account)),
        })
      : undefined;
    this.nameKeys(environment);
    this.keys = [
      this.tableKey,
      this.codeMacKey,
      this.webhookMacKey,
      this.signingKey,
      ...(this.envelopeKey ? [this.envelopeKey] : []),
    ];
    this.tableArns = {
      directory: this.addTable('directory', environment),
      people: this.addTable('people', environment),
      flows: this.addTable('flows', environment),
    };
  }

  /** Creates aliases for the keys, by which the command line finds them. */
  private nameKeys(environment: Environment): void {
    const named = [
      ['TableKeyAlias', 'tables', this.tableKey],
      ['CodeMacKeyAlias', 'codes', this.codeMacKey],
      ['WebhookMacKeyAlias', 'webhooks', this.webhookMacKey],
    ] as const;
    for (const [id, use, targetKey] of named) {
      const aliasName = toKeyAlias(environment, use);
      new Alias(this, id, { aliasName, targetKey, removalPolicy: environment.removalPolicy });
    }
  }

  /**
   * Creates a table and returns the ARN of the table that functions use: this table, or the restored table that replaces it. A
   * deployment deletes neither table.
   */
  private addTable(name: TableName, environment: Environment): string {
    const layout: TableLayout = tableLayouts[name];
    new TableV2(this, `${name[0]?.toUpperCase()}${name.slice(1)}`, {
      tableName: `${toNamePrefix(environment)}-${name}`,
      partitionKey: text(layout.partitionKey),
      sortKey: text(layout.sortKey),
      globalSecondaryIndexes: layout.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.KEYS_ONLY,
      })),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.tableKey),
      pointInTimeRecoverySpecification: layout.durable
        ? { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: RECOVERY_DAYS }
        : { pointInTimeRecoveryEnabled: false },
      deletionProtection: environment.protection,
      removalPolicy: environment.removalPolicy,
      ...(layout.timeToLive === undefined ? {} : { timeToLiveAttribute: layout.timeToLive }),
    });
    const resourceName = toTableName(environment, name);
    return this.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
  }
}
