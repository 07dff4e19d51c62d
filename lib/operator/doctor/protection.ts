import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import { type Environment, listProtectedStacks, toTableName } from '../../stacks/environments/environment.ts';

/**
 * Returns the names of the tables and stacks in AWS without deletion protection. If the environment's setting `protection` is
 * off, also returns the setting, because the next deployment would remove the protection in AWS.
 */
export async function unprotected(environment: Environment): Promise<readonly string[]> {
  const { name, region, protection } = environment;
  const config = { ...CALL_SETTINGS, region };
  const [formation, database] = [new CloudFormationClient(config), new DynamoDBClient(config)];
  const tables = (Object.keys(tableLayouts) as (keyof typeof tableLayouts)[]).map((table) =>
    toTableName(environment, table),
  );
  const isProtected = await Promise.all([
    ...tables.map(async (TableName) => {
      const { Table } = await database.send(new DescribeTableCommand({ TableName }));
      return Table?.DeletionProtectionEnabled === true;
    }),
    ...listProtectedStacks(environment).map(async (StackName) => {
      const { Stacks = [] } = await formation.send(new DescribeStacksCommand({ StackName }));
      return Stacks[0]?.EnableTerminationProtection === true;
    }),
  ]);
  const asked = [...tables, ...listProtectedStacks(environment)];
  return [
    ...(protection ? [] : [`OTL_PROTECTION_${name.toUpperCase()}`]),
    ...asked.filter((_, index) => !isProtected[index]),
  ];
}
