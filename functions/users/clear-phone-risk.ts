import { lambda } from '../../shared/aws/lambda.ts';
import { clearPhoneRisk } from '../../shared/domain/users/phone-risk.ts';
import type { UseCase } from '../../shared/operation.ts';
import { clearPhoneRisk as operation } from './rows.ts';

/** Takes the signals about the number of a user back; that there are none is no error. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  const { wasAtRisk } = await clearPhoneRisk(ports, caller.tenant, path.userId);
  if (wasAtRisk) audit({ events: ['user.phone_risk_cleared'] });
  return { none: true };
};
export const handler = lambda(operation, useCase);
