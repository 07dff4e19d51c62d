import { type DeployedAreas, hasArea } from '../../domain/basis/areas.ts';
import type { Application } from '../../ports/directory.ts';
import { PROVIDERS } from '../../records/providers.ts';

export interface Deployment {
  readonly areas: DeployedAreas;
  /** True if the environment allows test identities. */
  readonly testIdentities: boolean;
  /** ID of the only application that may send magic links. Undefined if all applications may send them. */
  readonly linkApplicationId?: string | undefined;
}

/**
 * Returns an application without the settings that its deployment does not support. The record keeps these settings, so that
 * they apply again as soon as the deployment supports them.
 */
export function limitToDeployment(application: Application, deployment: Deployment): Application {
  const { applicationId, loginPreferences } = application;
  const { linkApplicationId = applicationId } = deployment;
  const isOffered = ([name]: readonly [string, unknown]) =>
    (name !== 'link' || linkApplicationId === applicationId) &&
    (hasArea(deployment, 'social') || !(PROVIDERS as readonly string[]).includes(name));
  return {
    ...application,
    ...(loginPreferences && {
      loginPreferences: Object.fromEntries(Object.entries(loginPreferences).filter(isOffered)),
    }),
    ...(hasArea(deployment, 'social') ? {} : { openidProviders: [] }),
    ...(hasArea(deployment, 'agents') ? {} : { clientDocumentHosts: [] }),
    ...(deployment.testIdentities ? {} : { testIdentities: false }),
  };
}
