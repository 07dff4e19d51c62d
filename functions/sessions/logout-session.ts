import { findSessionOfClient } from '../../shared/domain/session-of-client.ts';
import { nowSeconds } from '../../shared/domain/time.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { logoutSession as operation } from '../rows/sessions.ts';

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
