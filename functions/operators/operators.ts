import { readPageQuery, toListRecord } from '../../shared/domain/basis/paging.ts';
import * as grants from '../../shared/domain/operators/grants.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

export const listOperators: UseCase<typeof rows.listOperators> = async ({ query, caller }, ports) => {
  const page = await grants.listOperators(ports, caller.tenant, readPageQuery(query));
  return { json: toListRecord(page, grants.operatorRecord) };
};

/** Invites a person to operate the tenant, by email. */
export const inviteOperator: UseCase<typeof rows.inviteOperator> = async (
  { json, caller, request, audit },
  ports,
) => {
  const asked = { ...json, invitedBy: caller.operator.userId };
  const made = await grants.inviteOperator(ports, caller.tenant, asked, request.now);
  audit({ recordId: made.grant.userId });
  return { json: { result: grants.operatorRecord(made) } };
};

export const setOperatorRole: UseCase<typeof rows.setOperatorRole> = async (
  { path: { userId }, json, caller, request },
  ports,
) => {
  const name = { userId, tenantId: caller.tenant.tenantId };
  const grant = await grants.setOperatorRole(ports, name, json.role, request.now);
  return { json: { result: grants.operatorRecord({ grant, user: await ports.users.find(userId) }) } };
};

/** Confirms the role of an invited operator who has enrolled. */
export const confirmOperator: UseCase<typeof rows.confirmOperator> = async (
  { path: { userId }, caller, request },
  ports,
) => {
  const grant = await grants.confirmOperator(
    ports,
    { userId, tenantId: caller.tenant.tenantId },
    request.now,
  );
  return { json: { result: grants.operatorRecord({ grant, user: await ports.users.find(userId) }) } };
};

export const removeOperator: UseCase<typeof rows.removeOperator> = async (
  { path: { userId }, caller, request },
  ports,
) => {
  await grants.removeOperator(ports, { userId, tenantId: caller.tenant.tenantId }, request.now);
  return { none: true };
};
