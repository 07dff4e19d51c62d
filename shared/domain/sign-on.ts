import type { Session } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { authenticationContext } from './mfa.ts';

/** What still stands between a person and a code. */
export type Missing = 'login' | 'second-factor' | 'phone';

/** When the person last proved anything in this session (`auth_time`). */
export function authTimeOf(session: Session): number {
  return session.methods.at(-1)?.at ?? session.startedAt;
}

/**
 * Whether a browser's session answers an authorization request without anybody being asked (single sign-on), or what is
 * missing. A request that wants fresh authentication is not answered by an old one (OIDC Core §3.1.2.1).
 */
export function missingFor(
  request: Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'requireMfa' | 'requirePhone'>,
  session: Session | undefined,
  user: User | undefined,
  at: number,
): Missing | undefined {
  if (!session || !user || request.prompts.includes('login')) return 'login';
  const { maxAge } = request;
  if (maxAge !== undefined && (maxAge === 0 || at - authTimeOf(session) > maxAge)) return 'login';
  if (request.requireMfa && authenticationContext(session.methods).acr !== 'mfa') return 'second-factor';
  if (request.requirePhone && !user.phoneNumber?.verified) return 'phone';
  return undefined;
}
