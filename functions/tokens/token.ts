import { resolveAudience } from '../../shared/domain/audience.ts';
import { countCall } from '../../shared/domain/call-window.ts';
import { clientRefused } from '../../shared/domain/client-authentication.ts';
import { grantedScope } from '../../shared/domain/permissions.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { together } from '../../shared/domain/together.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { authenticateClientRequest } from '../../shared/tokens/client-authentication.ts';
import { issueClientToken } from '../../shared/tokens/issue.ts';
import { token as operation } from '../rows/tokens.ts';

/** D. Issues an access token to a client that proves who it is (RFC 6749 §4.4). */
export const useCase: UseCase<typeof operation> = async ({ form, request, settings, audit }, ports) => {
  const client = await authenticateClientRequest(ports, { request, form, settings });
  const { clientId, tenantId, applicationId } = client;
  audit({ clientId, tenantId, ...(applicationId === undefined ? {} : { applicationId }) });
  if (form.grant_type !== 'client_credentials') {
    if (form.grant_type === undefined)
      throw new ServiceError('system_invalid_input', { message: 'grant_type: is required' });
    throw new ServiceError('unsupported_grant_type');
  }
  // RFC 6749 §4.4: a public client has nothing that would tell it from anybody else.
  if (client.authMethod === 'none') throw new ServiceError('unauthorized_client');
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  if (applicationId !== undefined && !application) throw clientRefused();

  const scope = grantedScope(client, form.scope);
  const caller = application ? { client, application } : { client };
  const audience = await resolveAudience(ports, caller, form.resource, settings);
  const at = nowSeconds();
  const [accessToken] = await together(
    issueClientToken(ports, { issuer: settings.issuer, client, audience, scope, at }),
    countCall(ports, client, application, settings),
  );
  return {
    json: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: audience.accessTokenSeconds,
      scope,
    },
  };
};

export const handler = lambda(operation, useCase);
