import { lambda } from '../../shared/aws/lambda.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { startPasskeyLogin } from '../../shared/domain/passkeys/passkey-login.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { startPasskeyLogin as operation } from './rows.ts';

/** Opens a login by passkey, or an approval, from a page of the application. */
export const useCase: UseCase<typeof operation> = async ({ json, settings, audit, allowOrigins }, ports) => {
  const approvalData = readApprovalData(json.approval_data);
  const client = await ports.clients.find(json.client_id);
  const [application, tenant] = await Promise.all([
    client?.applicationId === undefined ? undefined : ports.applications.find(client.applicationId),
    client && ports.tenants.find(client.tenantId),
  ]);
  if (!tenant || application?.tenantId !== tenant.tenantId)
    throw new ServiceError('system_invalid_input', { message: 'client_id: is unknown' });
  audit({ clientId: json.client_id, applicationId: application.applicationId, tenantId: tenant.tenantId });
  const relyingParty = relyingPartyOf(application, settings);
  allowOrigins(relyingParty.origins);
  const place = { tenant, application, relyingParty };
  return { json: await startPasskeyLogin(ports, place, { username: json.username, approvalData }) };
};

export const handler = lambda(operation, useCase);
