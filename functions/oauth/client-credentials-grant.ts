import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { computeGrantedScope } from '../../shared/domain/oauth/permissions.ts';
import { resolveClientAudience } from '../../shared/domain/sessions/audience.ts';
import { spendDpopProof } from '../../shared/tokens/dpop.ts';
import { issueClientToken } from '../../shared/tokens/issue.ts';
import { requireConfidential } from '../../shared/tokens/oauth-caller.ts';
import type { Grant } from './grant.ts';

/**
 * Grant type `client_credentials` (RFC 6749 §4.4, SPEC D): issues a token for the client itself. Rejects public clients,
 * because an attacker can pose as a public client.
 */
export const clientCredentials: Grant = async ({ caller, form, proof, request, settings }, ports) => {
  const { client, application, secretId } = requireConfidential(caller);
  const scope = computeGrantedScope(client, application, form.scope);
  const audience = await resolveClientAudience(ports, caller, form.resource, settings);
  const at = request.now;
  const dpopJkt = proof?.jkt;
  const [accessToken] = await awaitAll(
    issueClientToken(ports, { issuer: settings.issuer, client, secretId, audience, scope, dpopJkt, at }),
    proof ? spendDpopProof(ports, proof, at) : Promise.resolve(),
  );
  return {
    access_token: accessToken,
    token_type: proof ? 'DPoP' : 'Bearer',
    expires_in: audience.accessTokenSeconds,
    scope,
  };
};
