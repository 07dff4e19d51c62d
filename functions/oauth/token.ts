import { hasArea } from '../../shared/domain/basis/areas.ts';
import { withoutEmpty } from '../../shared/domain/oauth/authorization-request.ts';
import { isDocumentId } from '../../shared/domain/oauth/client-document.ts';
import { runCounted } from '../../shared/domain/rate-limits/call-window.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import type { Settings, UseCase } from '../../shared/operation.ts';
import { requireDocumentCaller } from '../../shared/tokens/document-caller.ts';
import { verifyTokenRequestProof } from '../../shared/tokens/dpop.ts';
import { requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { authorizationCode } from './authorization-code-grant.ts';
import { clientCredentials } from './client-credentials-grant.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token-grant.ts';
import type * as rows from './rows.ts';
import { tokenExchange } from './token-exchange-grant.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['client_credentials', clientCredentials],
  ['authorization_code', authorizationCode],
  ['refresh_token', refreshToken],
  [TOKEN_EXCHANGE, tokenExchange],
]);

/**
 * Returns the handler of a grant type.
 * @throws `system_invalid_input` if the grant type is missing, `unsupported_grant_type` if the deployment does not include it
 */
function findGrant(type: string | undefined, settings: Settings): Grant {
  if (type === undefined) throw invalidInput('grant_type: is required');
  const isDeployed = (name: string) => name !== TOKEN_EXCHANGE || hasArea(settings, 'moving');
  const grant = isDeployed(type) ? GRANTS.get(type) : undefined;
  if (!grant)
    throw new ServiceError('unsupported_grant_type', {
      message: `grant_type must be one of ${[...GRANTS.keys()].filter(isDeployed).join(', ')}`,
    });
  return grant;
}

/**
 * Handles the token endpoint: issues tokens to an authenticated client, depending on the grant type (RFC 6749 §3.2, SPEC D).
 */
export const token: UseCase<typeof rows.token> = async ({ request, settings, audit, ...input }, ports) => {
  const form = withoutEmpty(input.form);
  const caller = isDocumentId(form.client_id ?? '')
    ? await requireDocumentCaller(ports, { form, request, audit })
    : await requireOAuthCaller(ports, { form, request, settings, audit });
  const grant = findGrant(form.grant_type, settings);
  return runCounted(ports, caller, { request, settings }, async (confirmed) => {
    const proof = await verifyTokenRequestProof(ports, caller.client, {
      request,
      settings,
      now: request.now,
    });
    return { json: await grant({ caller: confirmed, form, proof, request, settings, audit }, ports) };
  });
};
