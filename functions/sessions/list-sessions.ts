import { nowSeconds, wireDate } from '../../shared/domain/time.ts';
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
  return {
    json: sessions.map(({ sessionId, startedAt, expiresAt, endsAt }) => ({
      session_id: sessionId,
      start_time: wireDate(startedAt),
      expiration_time: wireDate(Math.min(expiresAt, endsAt)),
    })),
  };
};

export const handler = lambda(operation, useCase);
