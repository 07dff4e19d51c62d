import { lambda } from '../../shared/aws/lambda.ts';
import { together } from '../../shared/domain/basis/await-all.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { sessionRecord } from '../../shared/domain/sessions/session-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { listSessions as operation } from './rows.ts';

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
