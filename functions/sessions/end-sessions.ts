import { lambda } from '../../shared/aws/lambda.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { endSessions as operation } from './rows.ts';

/** Ends all sessions of a user of the caller's tenant, or the caller's own, with their refresh tokens. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  await requireReachableUser(ports, caller, path.userId, settings);
  await ports.sessions.endAllOf(path.userId, nowSeconds());
  return { none: true };
};

export const handler = lambda(operation, useCase);
