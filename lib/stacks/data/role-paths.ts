import type { PortName } from '../../../shared/ports/index.ts';
import type { Environment } from '../environments/environment.ts';

/*
 * Keys exist before the roles that may use them, and keys of later rotations must admit functions that do not exist yet. So
 * key policies name roles by path. Unlike a tag, a path is fixed when the role is made, and a session cannot claim it.
 */

const root = (environment: Environment): string => `/otl/${environment.name}/`;

/** The ports that use a key, in the order of path segments. */
const USES = [
  ['signer', 'signer/'],
  ['codeMac', 'code-mac/'],
] as const satisfies readonly (readonly [PortName, string])[];

/** The path of the role of a function with these ports: `/otl/<environment>/[signer/][code-mac/]`. */
export function rolePath(environment: Environment, ports: readonly PortName[]): string {
  const segments = USES.filter(([port]) => ports.includes(port)).map(([, segment]) => segment);
  return root(environment) + segments.join('');
}

/** ARN patterns of all roles with the segment of a port: each segment before it is optional. */
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
