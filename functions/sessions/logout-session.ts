import { lambda } from '../../shared/aws/lambda.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { findSessionOfClient } from '../../shared/domain/sessions/session-of-client.ts';
import type { UseCase } from '../../shared/operation.ts';
import { logoutSession as operation } from './rows.ts';

/** Ends a session of the caller's application with its refresh tokens; one that is over already is no error. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, audit }, ports) => {
  const session = await findSessionOfClient(ports, caller, json.session_id);
  if (session) {
    const { sessionId, userId } = session;
    audit({ sessionId, userId });
    await ports.sessions.end(sessionId, nowSeconds());
  }
  return { none: true };
};

export const handler = lambda(operation, useCase);
