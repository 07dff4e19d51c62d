import { readApprovalData } from '../../shared/domain/approval-data.ts';
import { requireUser } from '../../shared/domain/find-user.ts';
import { startApproval } from '../../shared/domain/signed-approval.ts';
import { requireActive } from '../../shared/domain/user-status.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { startApproval as operation } from '../rows/approvals.ts';

/** Opens an approval: a challenge that carries what is approved, for a key on the user's device to sign. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  audit({ userId: json.user_id });
  const approvalData = readApprovalData(json.approval_data) ?? {};
  const user = requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
  return { json: await startApproval(ports, caller, user, { approvalData, keyId: json.key_id }) };
};

export const handler = lambda(operation, useCase);
