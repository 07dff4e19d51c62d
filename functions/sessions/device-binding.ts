import { readLoginCookie } from '../../shared/domain/basis/browser.ts';
import { areSecretsEqual } from '../../shared/domain/basis/random.ts';
import { answerBinding } from '../../shared/flows/browser/bind-session.ts';
import { LOGIN_HOST } from '../../shared/flows/browser/device-binding-answer.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Binds the session of a login to a key of the device, or renews the bound cookie of a session. */
export const bindSession: UseCase<typeof rows.bindSession> = ({ request, settings, audit }, { sessions }) => {
  const { cookies, headers, now } = request;
  const find = async (id: string) => {
    const session = await sessions.find(id, now);
    if (session?.browserHash === undefined) return undefined;
    const { sessionId, userId, tenantId, applicationId, clientId, browserHash } = session;
    audit({ sessionId, userId, tenantId, applicationId, clientId });
    const held = readLoginCookie(session, cookies);
    const isOfOtherLogin = held !== undefined && !areSecretsEqual(held.browserHash, browserHash);
    const end = async () => {
      await sessions.end(sessionId, now);
      audit({ events: ['session.binding_failed', 'session.ended'] });
    };
    return { ...session, isOfOtherLogin, end };
  };
  return answerBinding({
    host: LOGIN_HOST,
    origin: settings.browserOrigin,
    headers,
    now,
    bindings: sessions,
    find,
  });
};
