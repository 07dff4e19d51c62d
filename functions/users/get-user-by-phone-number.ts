import { lambda } from '../../shared/aws/lambda.ts';
import { requireUserByIdentifier } from '../../shared/domain/identifiers/find-user.ts';
import { userRecord } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { getUserByPhoneNumber as operation } from './rows.ts';

/** Shows the user of a phone number in international form. */
export const useCase: UseCase<typeof operation> = async ({ path, caller }, ports) => {
  const user = await requireUserByIdentifier(ports, caller.tenant, 'phone_number', path.phoneNumber);
  return { json: { result: userRecord(user) } };
};
export const handler = lambda(operation, useCase);
