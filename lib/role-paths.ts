import type { PortName } from '../shared/ports/index.ts';
import type { Environment } from './environments.ts';

/*
 * The keys are made before the roles that may use them, and keys that a rotation adds later must admit functions that do not
 * exist yet. So key policies name roles by path, and the path says what a role is for. Unlike a tag a path is fixed when the
 * role is made and cannot be claimed by a session.
 */

const root = (environment: Environment): string => `/otl/${environment.name}/`;

/** The path of the role of a function with these ports: `/otl/<environment>/[signer/][code-mac/]`. */
export function rolePath(environment: Environment, ports: readonly PortName[]): string {
  const signer = ports.includes('signer') ? 'signer/' : '';
  const codeMac = ports.includes('codeMac') ? 'code-mac/' : '';
  return `${root(environment)}${signer}${codeMac}`;
}

const roleArns = (account: string, paths: readonly string[]): readonly string[] =>
  paths.map((path) => `arn:aws:iam::${account}:role${path}*`);

export const signerRoles = (environment: Environment, account: string): readonly string[] =>
  roleArns(account, [`${root(environment)}signer/`]);

export const codeMacRoles = (environment: Environment, account: string): readonly string[] =>
  roleArns(account, [`${root(environment)}code-mac/`, `${root(environment)}signer/code-mac/`]);
