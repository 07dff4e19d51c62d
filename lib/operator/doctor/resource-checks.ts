import { type Checks, ok, warn } from './verdict.ts';

/** Tokens for one URI from two tenants differ in `tid` alone. */
export const resourceChecks: Checks = {
  async 'resource-uris'(facts) {
    const problems: string[] = [];
    for await (const { uri, tenantId, owner, hostOf } of facts.resourceUris()) {
      if (owner !== tenantId) problems.push(`${uri}: used by ${tenantId}, belongs to ${owner ?? 'none'}`);
      else if (hostOf !== undefined && hostOf !== tenantId)
        problems.push(`${uri}: used by ${tenantId}, its host is kept for ${hostOf}`);
    }
    if (problems.length === 0) return ok('each belongs to one tenant');
    return warn(
      problems.join('; '),
      'APIs there must check tid. Give each URI to one: otl --tenant <id> resource move-uri --uri <uri>.',
    );
  },
};
