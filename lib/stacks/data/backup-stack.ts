import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toNamePrefix, toStackProps } from '../environments/environment.ts';
import { TABLE_WRITE } from './key-policies.ts';

/** Retention of the copies in days, as for point-in-time recovery. A longer retention would keep data of erased users. */
const KEPT_DAYS = 35;

/** Name of the stack output with the ARN of the restore role, which `otl restore vault` reads. */
export const RESTORE_ROLE_OUTPUT = 'RestoreRoleArn';

/**
 * Stack with daily copies of the tables that cannot be recreated, in a vault that protects its copies from deletion.
 * Point-in-time recovery can restore any second, but an intruder can switch it off. The table `flows` is not backed up.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, environment: Environment, tableArns: readonly string[], tableKeyArn: string) {
    super(scope, `${toNamePrefix(environment)}-backup`, {
      ...toStackProps(environment, 'backups of directory and people'),
      terminationProtection: environment.protection,
    });
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: toNamePrefix(environment),
      blockRecoveryPointDeletion: environment.production,
      removalPolicy: environment.removalPolicy,
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: toNamePrefix(environment),
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
          deleteAfter: Duration.days(KEPT_DAYS),
        }),
      ],
    });
    plan.addSelection('Tables', {
      backupSelectionName: 'directory-and-people',
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
    });
    this.addRestoreRole(environment, tableKeyArn);
    for (const work of ['Backup', 'Restores'])
      acknowledge(this, {
        [`IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyFor${work}]`]:
          'AWS maintains this policy, because it knows what AWS Backup needs; only AWS Backup can assume this role.',
      });
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
