import { OPERATORS_TENANT_ID } from '../../shared/domain/basis/operators.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { CONSOLE_APPLICATION_ID, CONSOLE_CLIENT_ID } from '../../shared/domain/operators/operators.ts';
import { answerBinding } from '../../shared/flows/browser/bind-session.ts';
import { CONSOLE_HOST } from '../../shared/flows/browser/device-binding-answer.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';
import { CONSOLE_COOKIE, endCopiedSession } from './session.ts';

/**
 * Binds a console session to a key on the operator's device, or renews the short-lived cookie that proves possession of the
 * key.
 */
export const consoleBinding: UseCase<typeof rows.consoleBinding> = (
  { request: { cookies, headers, now }, settings, audit },
  { consoleSessions },
) => {
  const find = async (sessionId: string) => {
    const session = await consoleSessions.find(sessionId, now);
    if (!session) return undefined;
    const { userId } = session;
    const client = { applicationId: CONSOLE_APPLICATION_ID, clientId: CONSOLE_CLIENT_ID };
    audit({ tenantId: OPERATORS_TENANT_ID, ...client, ...(userId !== undefined && { userId }) });
    const secret = cookies[CONSOLE_COOKIE];
    const end = async () => {
      await endCopiedSession({ consoleSessions }, settings, { ...session, secret: secret ?? '' }, now);
      audit({ events: ['session.binding_failed'] });
    };
    return {
      ...session,
      sessionId,
      isOfOtherLogin: secret !== undefined && hashSecret(secret) !== sessionId,
      end,
    };
  };
  const origin = settings.consoleOrigin;
  return answerBinding({ host: CONSOLE_HOST, origin, headers, now, bindings: consoleSessions, find });
};
