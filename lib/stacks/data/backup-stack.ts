import { ArnFormat, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  BackupPlan,
  type BackupPlanCopyActionProps,
  BackupPlanRule,
  BackupResource,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from '../environments/acknowledge.ts';
import {
  type Environment,
  toNamePrefix,
  toStackArguments,
  toTableName,
} from '../environments/environment.ts';
import { TABLE_WRITE } from './key-policies.ts';

/** Retention of the copies, the same as that of point-in-time recovery. A longer retention would keep data of erased users. */
const KEPT = Duration.days(35);
/** Shortest retention that a lock allows. CDK requires it to be less than the longest retention. */
const KEPT_AT_LEAST = Duration.days(34);
/** Time in which a lock in compliance mode can still be removed. AWS requires at least three days. */
const CHANGEABLE = Duration.days(3);

/** Maximum length of the name of a backup selection. */
const MAX_SELECTION_NAME = 50;

/** Name of the stack output with the ARN of the restore role, which `otl restore vault` reads. */
export const RESTORE_ROLE_OUTPUT = 'RestoreRoleArn';

const toCopyVaultName = (environment: Environment): string => `${toNamePrefix(environment)}-copy`;

/**
 * Adds a vault whose lock prevents earlier deletion and longer retention of copies. The policy of the vault also denies
 * deletions, but the permission `backup:DeleteBackupVaultAccessPolicy` suffices to remove that policy.
 */
function addVault(stack: Stack, environment: Environment, backupVaultName: string): BackupVault {
  return new BackupVault(stack, 'Vault', {
    backupVaultName,
    blockRecoveryPointDeletion: true,
    lockConfiguration: {
      minRetention: KEPT_AT_LEAST,
      maxRetention: KEPT,
      ...(environment.vaultLock === 'compliance' && { changeableFor: CHANGEABLE }),
    },
    removalPolicy: environment.removalPolicy,
  });
}

/** Stack with the vault for second copies of the backups, in another region. */
export class BackupCopyStack extends Stack {
  constructor(scope: Construct, environment: Environment, region: string) {
    const content = 'second copies of the backups';
    super(scope, ...toStackArguments({ ...environment, region }, 'backup-copy', content));
    addVault(this, environment, toCopyVaultName(environment));
  }
}

/**
 * Returns the name of the backup selection: `directory-and-people`, or another name for restored tables. A change of the tables
 * replaces the selection, and CloudFormation creates the new selection while the old selection still has its name.
 */
const toSelectionName = (environment: Environment): string =>
  [toTableName(environment, 'directory'), toTableName(environment, 'people')]
    .map((name) => name.replace(`${toNamePrefix(environment)}-`, ''))
    .join('-and-')
    .slice(-MAX_SELECTION_NAME);

/**
 * Stack with daily copies of the tables that cannot be recreated, in a vault that protects its copies from deletion.
 * Point-in-time recovery can restore any second, but an intruder can switch it off. The table `flows` is not backed up.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, environment: Environment, tableArns: readonly string[], tableKeyArn: string) {
    const { protection: terminationProtection } = environment;
    const content = 'backups of directory and people';
    super(scope, ...toStackArguments(environment, 'backup', content, { terminationProtection }));
    const vault = addVault(this, environment, toNamePrefix(environment));
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: toNamePrefix(environment),
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
          deleteAfter: KEPT,
          ...(environment.copyRegion !== undefined && {
            copyActions: [this.copyTo(environment, environment.copyRegion)],
          }),
        }),
      ],
    });
    plan.addSelection('Tables', {
      backupSelectionName: toSelectionName(environment),
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
    });
    this.addRestoreRole(environment, tableKeyArn);
    for (const work of ['Backup', 'Restores'])
      acknowledge(this, {
        [`IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyFor${work}]`]:
          'AWS maintains this policy, because it knows what AWS Backup needs; only AWS Backup can assume this role.',
      });
  }

  private copyTo(environment: Environment, region: string): BackupPlanCopyActionProps {
    const arn = this.formatArn({
      service: 'backup',
      region,
      resource: 'backup-vault',
      resourceName: toCopyVaultName(environment),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return {
      destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'CopyVault', arn),
      deleteAfter: KEPT,
    };
  }

  /** Creates the role with which AWS Backup restores a table. The role may use the key of the tables only through DynamoDB. */
  private addRestoreRole({ region }: Environment, tableKeyArn: string): void {
    const StringEquals = { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` };
    const statements = [
      new PolicyStatement({ actions: TABLE_WRITE, resources: [tableKeyArn], conditions: { StringEquals } }),
      new PolicyStatement({
        actions: ['kms:CreateGrant'],
        resources: [tableKeyArn],
        conditions: { StringEquals, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
      }),
    ];
    const role = new Role(this, 'RestoreRole', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForRestores'),
      ],
      inlinePolicies: { 'key-of-tables': new PolicyDocument({ statements }) },
    });
    new CfnOutput(this, RESTORE_ROLE_OUTPUT, { value: role.roleArn });
  }
}
