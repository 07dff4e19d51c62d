import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundNames } from '../../../functions/background.ts';
import { consoleOperations, operations } from '../../../functions/operations.ts';
import type { AwsCall } from '../../../lib/local/playground/aws-call.ts';
import { Cloud, type DeployedFunction } from '../../stacks/support/cloud.ts';
import { synthesized } from '../../stacks/support/synthesized.ts';
import { refusedBy, unusedIn } from './policy.ts';

export type Calls = Readonly<Record<string, readonly AwsCall[]>>;

/** Reads the AWS calls that all test workers recorded, by function, from the files whose names contain `part`. */
export function savedCalls(folder: string, part = ''): Calls {
  const calls: Record<string, AwsCall[]> = {};
  for (const file of readdirSync(folder).filter((name) => name.includes(part))) {
    const saved = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Calls;
    for (const [entry, each] of Object.entries(saved)) calls[entry] = [...(calls[entry] ?? []), ...each];
  }
  return calls;
}

/** Names of all Lambda functions of an environment, such as `one-time/send-otp`. */
export const allEntries: readonly string[] = [
  ...[operations, consoleOperations].flatMap((table) => Object.values(table).map(({ event }) => event)),
  ...backgroundNames,
];

/** Template variants of both signing modes. Tests use both modes, so a call is correct if one of the variants allows it. */
const SIGNING_VARIANTS = ['eu', 'eu with keys that KMS has sealed'] as const;

/** Returns the synthesized Lambda functions with these names, by name. */
export function deployedFunctions(
  entries: readonly string[],
  variant: (typeof SIGNING_VARIANTS)[number] = 'eu',
): Map<string, DeployedFunction> {
  const { templates } = synthesized(variant);
  const functions = new Map(new Cloud(templates).functions().map((each) => [each.name, each]));
  return new Map(
    entries.map((entry) => {
      const deployed = functions.get(`otl-eu-${entry.replaceAll('/', '-')}`);
      if (!deployed) throw new Error(`There is no function of ${entry}.`);
      return [entry, deployed];
    }),
  );
}

/** Reports each AWS call that the IAM policy of its function does not allow, and each function that no test called. */
export function forbiddenCalls(entries: readonly string[], calls: Calls): string[] {
  const variants = SIGNING_VARIANTS.map((variant) => deployedFunctions(entries, variant));
  return entries.flatMap((entry) => {
    const own = calls[entry];
    if (!own) return [`${entry}: no journey calls it`];
    const deployed = variants.flatMap((functions) => functions.get(entry) ?? []);
    return deployed
      .reduce((refused, each) => refusedBy(each, refused), own)
      .map((call) => `${entry}: its policy does not allow the call that it makes: ${JSON.stringify(call)}`);
  });
}

/** Lists the IAM permissions of functions in the environment `eu` that no recorded AWS call needs. */
export function unusedActions(entries: readonly string[], calls: Calls): string[] {
  return [...deployedFunctions(entries)].flatMap(([entry, deployed]) =>
    unusedIn(deployed, calls[entry] ?? []).map((action) => `${entry}: allowed and never needed: ${action}`),
  );
}
