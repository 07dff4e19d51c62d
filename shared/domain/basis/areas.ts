/**
 * Name of a feature area of the service (see functions/areas.ts). A deployment contains the core areas and the optional areas
 * that its operator has chosen.
 */
export type AreaName =
  | 'one-time'
  | 'oauth'
  | 'sessions'
  | 'users'
  | 'resources'
  | 'management'
  | 'meta'
  | 'events'
  | 'deployment'
  | 'hosted-login'
  | 'passkeys'
  | 'social'
  | 'code-based'
  | 'account'
  | 'approvals'
  | 'organizations'
  | 'webhooks'
  | 'operators'
  | 'console'
  | 'agents'
  | 'moving';

/** Areas of a deployment, or `all` if its operator made no choice. */
export type DeployedAreas = readonly AreaName[] | 'all';

/** Reads the areas of the deployment from the variable `AREAS` of a function. */
export const readAreas = (env: Readonly<Record<string, string | undefined>>): DeployedAreas =>
  env.AREAS ? (env.AREAS.split(',') as AreaName[]) : 'all';

export const hasArea = ({ areas }: { readonly areas: DeployedAreas }, name: AreaName): boolean =>
  areas === 'all' || areas.includes(name);
