import { lambda } from '../../shared/aws/lambda.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import type { UseCase } from '../../shared/operation.ts';
import { logout as operation } from './rows.ts';

/** C. Ends the session of the access token, for whatever resource the token is; the second time there is none to end. */
export const useCase: UseCase<typeof operation> = async ({ caller }, ports) => {
  const ended = await ports.sessions.end(caller.sessionId, nowSeconds());
  return { json: { sessions_count: ended ? 1 : 0 } };
};

export const handler = lambda(operation, useCase);
