// Key policies name roles by path, because the keys exist before the roles. Keys of later rotations must also admit functions
// that do not exist yet. Unlike a tag, a path is fixed when the role is created, and no session can choose it.

import type { PortName } from '../../../shared/ports/index.ts';
import type { Environment } from '../environments/environment.ts';

const root = (environment: Environment): string => `/otl/${environment.name}/`;

/** Ports that use a KMS key, in the order in which role paths name them. */
const USES = [
  ['signer', 'signer/'],
  ['codeMac', 'code-mac/'],
] as const satisfies readonly (readonly [PortName, string])[];

/** Returns the path of the role for a function with these ports: `/otl/<environment>/[signer/][code-mac/]`. */
export function rolePath(environment: Environment, ports: readonly PortName[]): string {
  const segments = USES.filter(([port]) => ports.includes(port)).map(([, segment]) => segment);
  return root(environment) + segments.join('');
}

/**
 * Returns ARN patterns that match the roles of all functions that use a port. The path of each of these roles contains the
 * port's segment, before or after the segments of other ports.
 */
export function rolesWith(
  port: (typeof USES)[number][0],
  environment: Environment,
  account: string,
): readonly string[] {
  let beginnings = [root(environment)];
  for (const [name, segment] of USES) {
    const named = beginnings.map((beginning) => beginning + segment);
    if (name === port) return named.map((path) => `arn:aws:iam::${account}:role${path}*`);
    beginnings = [...beginnings, ...named];
  }
  throw new Error(`no path names ${port}`);
}
