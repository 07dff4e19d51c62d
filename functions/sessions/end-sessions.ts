import { requireUser } from '../../shared/domain/find-user.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { endSessions as operation } from '../rows/sessions.ts';

/** Ends all sessions of a user of the caller's tenant, with their refresh tokens. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, audit }, ports) => {
  audit({ userId: path.userId });
  await requireUser(ports.users, caller.tenant, path.userId);
  await ports.sessions.endAllOf(path.userId, nowSeconds());
  return { none: true };
};

export const handler = lambda(operation, useCase);
