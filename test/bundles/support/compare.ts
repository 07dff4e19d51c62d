import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The functions of these entries as `eu` has them, by entry; with every way to sign where `anyKey` says so. */
export function deployedFunctions(entries: readonly string[], anyKey = false): Map<string, DeployedFunction> {
  const { templates } = synthesized(anyKey ? 'eu with keys that KMS has sealed' : 'eu');
  const functions = new Map(new Cloud(templates).functions().map((each) => [each.name, each]));
  return new Map(
    entries.map((entry) => {
      const deployed = functions.get(`otl-eu-${entry.replaceAll('/', '-')}`);
      if (!deployed) throw new Error(`There is no function of ${entry}.`);
      return [entry, deployed];
    }),
  );
}

/** Complaints about calls that the policy of their function does not allow, and about entries that were never called. */
export function forbiddenCalls(functions: ReadonlyMap<string, DeployedFunction>, calls: Calls): string[] {
  return [...functions].flatMap(([entry, deployed]) => {
    const own = calls[entry];
    if (!own) return [`${entry}: no journey calls it`];
    return refusedBy(deployed, own).map(
      (call) => `${entry}: its policy does not allow the call that it makes: ${JSON.stringify(call)}`,
    );
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
