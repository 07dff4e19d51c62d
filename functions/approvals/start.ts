import { lambda } from '../../shared/aws/lambda.ts';
import { readApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import { startApproval } from '../../shared/domain/credentials/signed-approval.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import type { UseCase } from '../../shared/operation.ts';
import { startApproval as operation } from './rows.ts';

/** Opens an approval: a challenge that carries what is approved, for a key on the user's device to sign. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  audit({ userId: json.user_id });
  const approvalData = readApprovalData(json.approval_data) ?? {};
  const user = requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
  return { json: await startApproval(ports, caller, user, { approvalData, keyId: json.key_id }) };
};

export const handler = lambda(operation, useCase);
