import { requireUserByIdentifier } from '../../shared/domain/find-user.ts';
import { userRecord } from '../../shared/domain/user-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUserByPhoneNumber as operation } from '../rows/users.ts';

/** Shows the user of a phone number in international form. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'phone_number', path.phoneNumber);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
