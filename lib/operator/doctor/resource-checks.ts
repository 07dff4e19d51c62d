import { type Check, ok, warn } from './verdict.ts';

/** Tokens for one URI from two tenants differ in `tid` alone. */
export const resourceUris: Check = {
  name: 'resource-uris',
  async examine(facts) {
    const problems: string[] = [];
    let unreserved = 0;
    for await (const { uri, tenantId, owner, hostOf } of facts.resourceUris()) {
      if (owner === undefined) unreserved += 1;
      else if (owner !== tenantId) problems.push(`${uri}: used by ${tenantId}, belongs to ${owner}`);
      else if (hostOf !== undefined && hostOf !== tenantId)
        problems.push(`${uri}: used by ${tenantId}, its host is kept for ${hostOf}`);
    }
    if (unreserved > 0)
      return warn(`${unreserved} URIs are older than their rule`, 'Reserve them: otl resource reserve-uris.');
    if (problems.length === 0) return ok('each belongs to one tenant');
    return warn(
      problems.join('; '),
      'APIs there must check tid. Give each URI to one: otl --tenant <id> resource move-uri --uri <uri>.',
    );
  },
};
