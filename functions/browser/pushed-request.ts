import { resolveAudience } from '../../shared/domain/audience.ts';
import { readAuthorizationRequest } from '../../shared/domain/authorization-request.ts';
import { counted } from '../../shared/domain/call-window.ts';
import { keepPushedRequest } from '../../shared/domain/pushed-request.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import { authenticateClientRequest } from '../../shared/tokens/client-authentication.ts';
import type { pushRequest } from '../rows/browser.ts';

/**
 * F. Authenticates the client, validates the request as the authorization endpoint would, and keeps it (RFC 9126 §2.1).
 * Errors: `invalid_client`, and all that an authorization request can be refused for.
 */
export async function takePushedRequest(
  {
    form,
    request,
    settings,
    audit,
  }: Pick<InputOf<typeof pushRequest>, 'form' | 'request' | 'settings' | 'audit'>,
  ports: PortsOf<typeof pushRequest>,
): Promise<{ readonly request_uri: string; readonly expires_in: number }> {
  const client = await authenticateClientRequest(ports, { request, form, settings });
  const { clientId, tenantId, applicationId } = client;
  audit({ clientId, tenantId });
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  if (!application) throw new ServiceError('invalid_client');
  if (form.request_uri !== undefined)
    throw new ServiceError('system_invalid_input', { message: 'request_uri: must not be pushed' });

  const { client_secret: _, client_assertion: __, client_assertion_type: ___, ...given } = form;
  const parameters = { ...given, client_id: clientId, scope: given.scope ?? 'openid' };
  const read = readAuthorizationRequest(parameters, { client, application }, settings);
  for (const resource of read.resources)
    await resolveAudience(ports, { client, application }, resource, settings);
  const { requestUri, expiresIn } = await counted(ports, { client, application }, settings, () =>
    keepPushedRequest(ports, client, parameters),
  );
  return { request_uri: requestUri, expires_in: expiresIn };
}
