import { findMissingStep } from '../../domain/hosted-login/sign-on.ts';
import type { Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { findSignedInUser } from '../browser/signed-in-user.ts';
import type { LoginContext } from './login-context.ts';

/**
 * Finds a session that another tab has started while this login asked for the first factor. Returns the session only if it
 * satisfies the request, so that the user need not log in again.
 */
export async function findNewSession(
  ports: PortsWith<'sessions.find' | 'users.find'>,
  context: LoginContext,
): Promise<Session | undefined> {
  const { request, progress } = context.login;
  // A passkey registration and a login that undoes a change name their user from the beginning.
  if (progress.userId !== undefined || request.passkeyFirst) return undefined;
  const signedIn = await findSignedInUser(ports, context);
  return findMissingStep(request, signedIn, context) === undefined ? signedIn.session : undefined;
}
