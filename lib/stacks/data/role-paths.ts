import type { PortName } from '../../../shared/ports/index.ts';
import type { Environment } from '../environments/environment.ts';

/*
 * The keys are made before the roles that may use them, and keys that a rotation adds later must admit functions that do not
 * exist yet. So key policies name roles by path, and the path says what a role is for. Unlike a tag a path is fixed when the
 * role is made and cannot be claimed by a session.
 */

const root = (environment: Environment): string => `/otl/${environment.name}/`;

/** The ports that use a key, in the order in which paths name them. */
const USES = [
  ['signer', 'signer/'],
  ['codeMac', 'code-mac/'],
  ['nonceMac', 'nonce-mac/'],
] as const satisfies readonly (readonly [PortName, string])[];

/** The path of the role of a function with these ports: `/otl/<environment>/[signer/][code-mac/][nonce-mac/]`. */
export function rolePath(environment: Environment, ports: readonly PortName[]): string {
  const segments = USES.filter(([port]) => ports.includes(port)).map(([, segment]) => segment);
  return root(environment) + segments.join('');
}

/** Every beginning of a path that has the segment of a port: the segments before it may be there or not. */
function rolesWith(
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

export const signerRoles = (environment: Environment, account: string): readonly string[] =>
  rolesWith('signer', environment, account);

export const codeMacRoles = (environment: Environment, account: string): readonly string[] =>
  rolesWith('codeMac', environment, account);

export const nonceMacRoles = (environment: Environment, account: string): readonly string[] =>
  rolesWith('nonceMac', environment, account);
