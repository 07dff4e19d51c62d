import { lambda } from '../../shared/aws/lambda.ts';
import { reportPhoneRisk } from '../../shared/domain/users/phone-risk.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { setPhoneRisk as operation } from './rows.ts';

/** Takes a signal about the number of a user of the caller's tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, audit }, ports) => {
  audit({ userId: path.userId });
  const user = await reportPhoneRisk(ports, caller.tenant, path.userId, json);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
