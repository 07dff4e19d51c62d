import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import type { UseCase } from '../../shared/operation.ts';
import { insufficientPermissionError, tokenScheme } from '../../shared/tokens/challenges.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import type * as rows from './rows.ts';

/** Returns the operator of the access token, and the tenants in which the operator has an active role. */
export const ownOperator: UseCase<typeof rows.ownOperator> = async ({ caller, settings, request }, ports) => {
  if (caller.tenantId !== OPERATORS_TENANT_ID)
    throw insufficientPermissionError('needs the token of an operator', tokenScheme(caller));
  const { userId, email } = await requireOwnUser(ports, caller, settings, request.now);
  const active = (await ports.operators.listOfUser(userId)).filter(({ state }) => state === 'active');
  const tenants = await Promise.all(active.map(({ tenantId }) => ports.tenants.find(tenantId)));
  const grants = active.flatMap(({ tenantId, role }, index) => {
    const tenant = tenants[index];
    return tenant ? [{ tenant_id: tenantId, tenant_name: tenant.name, role }] : [];
  });
  const own = { user_id: userId, ...(email && { email: email.value }), auth_time: caller.authTime, grants };
  return { json: { result: own } };
};
