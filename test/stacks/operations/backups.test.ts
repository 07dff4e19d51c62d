import { describe, expect, test } from '@jest/globals';
import { Cloud, toTableArn } from '../support/cloud.ts';
import { synthesized } from '../support/synthesized.ts';

const eu = synthesized('eu');
const cloud = new Cloud(eu.templates);
const compliant = synthesized('eu with a zone, and copies in another region under a compliance lock');

const listVaults = ({ templates }: typeof eu) =>
  new Cloud(templates)
    .resources('AWS::Backup::BackupVault')
    .map(({ stack, properties }) => [stack, properties.BackupVaultName, properties.LockConfiguration]);

describe('backups of the database tables', () => {
  test('backups of the tables `directory` and `people` are kept for 35 days', () => {
    const [selection] = cloud.resources('AWS::Backup::BackupSelection');
    expect(selection?.properties.BackupSelection).toMatchObject({
      Resources: [toTableArn('otl-eu-directory'), toTableArn('otl-eu-people')],
    });
    const [plan] = cloud.resources('AWS::Backup::BackupPlan');
    expect(JSON.stringify(plan?.properties)).toContain('"DeleteAfterDays":35');
    expect(JSON.stringify(plan?.properties)).not.toContain('CopyActions');
    const template = eu.templates['otl-eu-backup']?.Resources ?? {};
    const kept = Object.values(template).find(({ Type }) => Type === 'AWS::Backup::BackupVault');
    expect(kept?.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('the backup vault lock requires a retention of 34 to 35 days and is in governance mode by default', () => {
    const governance = { MinRetentionDays: 34, MaxRetentionDays: 35 };
    const compliance = { ...governance, ChangeableForDays: 3 };
    expect(listVaults(eu)).toEqual([['otl-eu-backup', 'otl-eu', governance]]);
    expect(listVaults(compliant)).toEqual([
      ['otl-eu-backup', 'otl-eu', compliance],
      ['otl-eu-backup-copy', 'otl-eu-copy', compliance],
    ]);
  });

  test('the backup vault policy denies changes to the copies but still allows operators to change the vault', () => {
    for (const { properties } of new Cloud(compliant.templates).resources('AWS::Backup::BackupVault'))
      expect(properties.AccessPolicy).toMatchObject({
        Statement: [
          {
            Effect: 'Deny',
            Action: ['backup:DeleteRecoveryPoint', 'backup:UpdateRecoveryPointLifecycle'],
          },
        ],
      });
  });

  test('with OTL_COPY_REGION, each backup is copied to a vault in the copy region and kept there for 35 days', () => {
    const [plan] = new Cloud(compliant.templates).resources('AWS::Backup::BackupPlan');
    expect(plan?.properties.BackupPlan).toMatchObject({
      BackupPlanRule: [
        {
          CopyActions: [
            {
              DestinationBackupVaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:otl-eu-copy',
              Lifecycle: { DeleteAfterDays: 35 },
            },
          ],
        },
      ],
    });
    const { stacks } = compliant;
    expect(stacks['otl-eu-backup-copy']?.region).toBe('eu-west-1');
    expect(stacks['otl-eu-backup']?.after).toContain('otl-eu-backup-copy');
  });

  test('the role that restores backups may use the KMS key of the tables only through DynamoDB', () => {
    const [role] = cloud
      .resources('AWS::IAM::Role')
      .filter(({ stack, id }) => stack === 'otl-eu-backup' && id.startsWith('RestoreRole'));
    expect(JSON.stringify(role?.properties)).toContain('AWSBackupServiceRolePolicyForRestores');
    expect(JSON.stringify(role?.properties.AssumeRolePolicyDocument)).toContain('backup.amazonaws.com');
    const uses = JSON.stringify(role?.properties.Policies);
    expect(uses).toContain('AWS::KMS::Key:TableKey');
    expect(uses).toContain('"kms:ViaService":"dynamodb.eu-central-1.amazonaws.com"');
    expect(eu.templates['otl-eu-backup']?.Outputs).toHaveProperty('RestoreRoleArn');
  });
});
