import { type Checks, ok, warn } from './verdict.ts';

/**
 * Checks that each resource URI belongs to only one tenant. Otherwise tokens of two tenants would differ only in their `tid`.
 */
export const resourceChecks: Checks = {
  async 'resource-uris'(facts) {
    const problems: string[] = [];
    for await (const { uri, tenantId, owner, hostTenantId } of facts.resourceUris()) {
      if (owner !== tenantId)
        problems.push(`${uri}: used by ${tenantId}, belongs to ${owner ?? 'no tenant'}`);
      else if (hostTenantId !== undefined && hostTenantId !== tenantId)
        problems.push(`${uri}: used by ${tenantId}, its host is reserved for ${hostTenantId}`);
    }
    if (problems.length === 0) return ok('each belongs to one tenant');
    return warn(
      problems.join('; '),
      'Until this is settled, their APIs must check tid. Assign each URI to one tenant: otl --tenant <id> resource move-uri --uri <uri>.',
    );
  },
};
