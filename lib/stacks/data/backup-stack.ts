import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';

/** As long as point-in-time recovery; longer would keep erased users. */
const KEPT_DAYS = 35;

/**
 * A daily copy of what cannot be made again, in a vault that allows no deletion. Point-in-time recovery goes back to any
 * second, but an intruder can switch it off. `flows` is in no backup.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, environment: Environment, tableArns: readonly string[]) {
    super(scope, `${prefixOf(environment)}-backup`, {
      ...stackPropsOf(environment, 'backups of directory and people'),
      terminationProtection: environment.deletionProtection,
    });
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: prefixOf(environment),
      blockRecoveryPointDeletion: environment.deletionProtection,
      removalPolicy: environment.removalPolicy,
    });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: prefixOf(environment),
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
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason:
        'What AWS Backup needs is its own to say, and changes with it; only AWS Backup can take this role.',
    });
  }
}
