import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { selectOperations } from '../../../functions/areas.ts';
import { consoleOperations, operations } from '../../../functions/operations.ts';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import type { Operation } from '../../../shared/operation.ts';
import { type Environment, hasConsole, toNamePrefix } from '../../stacks/environments/environment.ts';
import { undefinedIfNamed } from '../unless-named.ts';

const all = { ...operations, ...consoleOperations };

/** Returns the names of the stacks that contain the functions of these operations. */
const listStacks = (
  environment: Environment,
  table: Readonly<Record<string, Operation>>,
): readonly string[] =>
  [...new Set(Object.values(table).map(({ event }) => event.split('/', 1)[0]))].map(
    (stack) => `${toNamePrefix(environment)}-api-${stack}`,
  );

/**
 * Returns the existing stacks of areas that the environment no longer has, because `cdk deploy` does not delete them. The stack
 * of the console's distribution comes first, because it refers to the console's functions.
 */
export async function findLeftOverStacks(environment: Environment): Promise<readonly string[]> {
  const deployed = listStacks(environment, selectOperations(all, environment.areas ?? 'all'));
  const others = listStacks(environment, all).filter((name) => !deployed.includes(name));
  const edge = hasConsole(environment) ? [] : [`${toNamePrefix(environment)}-console-edge`];
  const client = new CloudFormationClient({ ...CALL_SETTINGS, region: environment.region });
  const found = await Promise.all(
    [...edge, ...others].map(async (StackName) => {
      const call = client.send(new DescribeStacksCommand({ StackName }));
      return (await undefinedIfNamed(call, 'ValidationError')) ? [StackName] : [];
    }),
  );
  return found.flat();
}
