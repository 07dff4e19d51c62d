import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../../functions/operations.ts';
import { OTHER_FUNCTIONS } from '../../../lib/bundle.ts';
import { Cloud, type DeployedFunction } from '../../stacks/support/cloud.ts';
import { synthesized } from '../../stacks/support/synthesized.ts';
import type { AwsCall } from '../../support/aws-calls.ts';
import { refusedBy, unusedIn } from './policy.ts';

export type Calls = Readonly<Record<string, readonly AwsCall[]>>;
/** By statement and action: the entries that are allowed it and have never needed it. */
export type Unused = Readonly<Record<string, readonly string[]>>;

/** What all workers have noted, by entry. */
export function savedCalls(folder: string): Calls {
  const calls: Record<string, AwsCall[]> = {};
  for (const file of readdirSync(folder)) {
    const saved = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Calls;
    for (const [entry, each] of Object.entries(saved)) calls[entry] = [...(calls[entry] ?? []), ...each];
  }
  return calls;
}

/** Every function of an environment. */
export const allEntries: readonly string[] = [
  ...Object.values(operations).map(({ entry }) => entry),
  ...OTHER_FUNCTIONS,
];

/** Journeys sign in both ways, so a call is right where either way allows it. */
export const SIGNING_VARIANTS = ['eu', 'eu with keys that KMS has sealed'] as const;

/** The functions of these entries, by entry. */
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

/** Complaints about calls that no policy of their function allows, and about entries that were never called. */
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

export function unusedActions(functions: ReadonlyMap<string, DeployedFunction>, calls: Calls): Unused {
  const all = [...functions].flatMap(([entry, deployed]) =>
    unusedIn(deployed, calls[entry] ?? []).map((action) => ({ action, entry })),
  );
  const actions = [...new Set(all.map(({ action }) => action))].toSorted();
  return Object.fromEntries(
    actions.map((action) => [action, all.filter((each) => each.action === action).map(({ entry }) => entry)]),
  );
}

/** Complaints about what is allowed, unused, and not in the record. */
export function newlyUnused(unused: Unused, recorded: Unused): string[] {
  return Object.entries(unused).flatMap(([action, entries]) =>
    entries
      .filter((entry) => !recorded[action]?.includes(entry))
      .map((entry) => `${entry}: allowed and never needed: ${action}`),
  );
}

/** Complaints about what the record forgives although no policy allows it any more. */
export function outlived(functions: ReadonlyMap<string, DeployedFunction>, recorded: Unused): string[] {
  const all = unusedActions(functions, {});
  return Object.entries(recorded).flatMap(([action, entries]) =>
    entries
      .filter((entry) => !all[action]?.includes(entry))
      .map((entry) => `${entry}: in unused-actions.json, but not allowed: ${action}`),
  );
}
