import { findSessionOfCookie } from '../../domain/basis/browser.ts';
import { filterValidSession } from '../../domain/sessions/session.ts';
import { meetsSessionSettings } from '../../domain/sessions/session-lifetimes.ts';
import { canLogInAt } from '../../domain/users/test-user.ts';
import { isSessionValid } from '../../domain/users/user-status.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { BrowserContext } from './browser-context.ts';

export interface SignedIn {
  readonly session?: Session;
  readonly user?: User;
}

/**
 * Finds the session of this browser and its user. Returns an empty object if the session is too old for the application, or if
 * the user may not log in to it.
 */
export async function findSignedInUser(
  ports: PortsWith<'sessions.find' | 'users.find'>,
  {
    tenant,
    application,
    cookieSession,
    now,
  }: Pick<BrowserContext, 'tenant' | 'application' | 'cookieSession' | 'now'>,
): Promise<SignedIn> {
  const session = filterValidSession(await findSessionOfCookie(ports, cookieSession, now), application);
  if (session?.tenantId !== tenant.tenantId || !meetsSessionSettings(session, application, now)) return {};
  const user = await ports.users.find(session.userId);
  return isSessionValid(user, session) && canLogInAt(user, application) ? { session, user } : {};
}
