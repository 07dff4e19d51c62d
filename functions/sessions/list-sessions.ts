import { sessionRecord } from '../../shared/domain/session-record.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { together } from '../../shared/domain/together.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { listSessions as operation } from '../rows/sessions.ts';

/** Lists the living sessions of a user of the caller's tenant. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  const [, sessions] = await together(
    requireReachableUser(ports, caller, path.userId, settings),
    ports.sessions.listOf(path.userId, nowSeconds()),
  );
  return { json: sessions.map(sessionRecord) };
};

export const handler = lambda(operation, useCase);
