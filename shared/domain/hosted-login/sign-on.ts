import type { MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { authenticationContext, isHalfLogin } from '../credentials/mfa.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';

/** What still stands between a person and a code. */
export type Missing = 'login' | 'second-factor' | 'phone';

/** When the person last proved anything in this session (`auth_time`). */
function authTimeOf(session: Session): number {
  return session.methods.at(-1)?.at ?? session.startedAt;
}

/** A number that has been proven, and that nobody has told to be in other hands. */
export function hasTrustedPhone(user: User | undefined): boolean {
  return user?.phoneNumber?.verified === true && user.phoneNumber.risk === undefined;
}

/** Half a login by a text to a number that has come to be at risk since: nothing may be built on it. */
export function isHollow(session: Session, user: User | undefined): boolean {
  const byText = session.methods.some(({ method }) => method === 'sms');
  return isHalfLogin(session) && byText && session.userId === user?.userId && !!user.phoneNumber?.risk;
}

type Asked = Pick<AuthorizationRequest, 'requireMfa' | 'requirePhone'>;

/**
 * What these methods leave to be given of what a request asks for. A phone number is verified on the user's record, or by
 * a code of this very login.
 */
export function missingFactor(
  request: Asked,
  methods: readonly MethodUse[],
  phoneIsVerified: boolean,
): Exclude<Missing, 'login'> | undefined {
  if (request.requireMfa && authenticationContext(methods).acr !== 'mfa') return 'second-factor';
  return request.requirePhone && !phoneIsVerified ? 'phone' : undefined;
}

/**
 * Whether a browser's session answers an authorization request without anybody being asked (single sign-on), or what is
 * missing. A request that wants fresh authentication is not answered by an old one (OIDC Core §3.1.2.1), and what a person
 * shall approve is not approved by a cookie.
 */
export function missingFor(
  request: Asked & Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'approvalData' | 'expectedUserId'>,
  session: Session | undefined,
  user: User | undefined,
  at: number,
): Missing | undefined {
  const { prompts, maxAge, approvalData, expectedUserId } = request;
  if (!session || !user || prompts.includes('login') || approvalData) return 'login';
  if (isHollow(session, user)) return 'login';
  if (expectedUserId !== undefined && expectedUserId !== user.userId) return 'login';
  if (maxAge !== undefined && (maxAge === 0 || at - authTimeOf(session) > maxAge)) return 'login';
  const missing = missingFactor(request, session.methods, hasTrustedPhone(user));
  return isHalfLogin(session) && missing !== 'second-factor' ? 'login' : missing;
}
