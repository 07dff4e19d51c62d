import type { Application } from '../../ports/directory.ts';
import type { MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { authenticationContext, isHalfLogin } from '../credentials/mfa.ts';
import { isAskedFor } from '../credentials/open-factors.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { kindOf, needsCompany } from '../trust/kinds.ts';
import { bindingMaxAge } from '../trust/lack.ts';
import { isShownSince } from '../trust/login-time.ts';

/** What a login still needs before it gets a code. */
export type Missing = 'login' | 'second-factor' | 'phone';

/** Proven, and not reported at risk. */
export function hasTrustedPhone(user: User | undefined, place: Pick<Application, 'applicationId'>): boolean {
  const number = user?.phoneNumber;
  return user !== undefined && number !== undefined && !number.risk && isAskedFor(user, number, place);
}

/** Half a login by a text to a number that is at risk since: no factor may be added to it. */
export function isHalfLoginByRiskyNumber(session: Session, user: User | undefined): boolean {
  const byText = session.methods.some(({ method }) => kindOf(method) === 'phone');
  return isHalfLogin(session) && byText && session.userId === user?.userId && !!user.phoneNumber?.risk;
}

/**
 * Returns the factors of a session that a request takes: those of the last `max_age` seconds (OIDC Core §3.1.2.1), each by its own
 * time. None if they are logins at providers that do not show when the person authenticated.
 */
export function freshFactors(
  { maxAge }: Pick<AuthorizationRequest, 'maxAge'>,
  { methods }: Session,
  at: number,
): readonly MethodUse[] {
  if (maxAge === undefined) return methods;
  const recent = methods.filter((use) => at - use.at <= maxAge);
  return isShownSince(recent, at - maxAge) ? recent : [];
}

/**
 * Returns how old a proof may be when a login begins, in seconds; undefined if the login need not be fresh. A login that joins a
 * session on the way to the account page confirms its user.
 */
export function maxAgeOfLogin(
  { prompts, maxAge, account }: Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'account'>,
  application: Application,
  joinsSession: boolean,
): number | undefined {
  if (prompts.includes('login')) return 0;
  const confirms = joinsSession && account !== undefined && account.login !== 'session';
  return maxAge ?? (confirms ? bindingMaxAge(application) : undefined);
}

type FactorRequest = Pick<AuthorizationRequest, 'requireMfa' | 'preferMfa' | 'requirePhone'>;

/**
 * What the request asks for and these methods do not give. A phone number is verified on the user's record, or by a code
 * of this login.
 */
export function missingFactor(
  request: FactorRequest,
  methods: readonly MethodUse[],
  phoneIsVerified: boolean,
): Exclude<Missing, 'login'> | undefined {
  if (needsCompany(methods)) return 'second-factor';
  const isAsked = request.requireMfa || request.preferMfa;
  if (isAsked && authenticationContext(methods).acr !== 'mfa') return 'second-factor';
  return request.requirePhone && !phoneIsVerified ? 'phone' : undefined;
}

/**
 * What a browser's session lacks to answer an authorization request (single sign-on); undefined when it suffices. A request
 * may want a fresh login (OIDC Core §3.1.2.1), and a cookie approves nothing. What is preferred cannot be asked for with
 * `prompt=none`.
 */
export function missingFor(
  request: FactorRequest &
    Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'approvalData' | 'expectedUserId'>,
  { session, user }: { readonly session?: Session | undefined; readonly user?: User | undefined },
  { application, now }: { readonly application: Pick<Application, 'applicationId'>; readonly now: number },
): Missing | undefined {
  const { prompts, maxAge, approvalData, expectedUserId } = request;
  const isForced = ['login', 'create', 'select_account'].some((prompt) => prompts.includes(prompt));
  if (!session || !user || isForced || approvalData) return 'login';
  if (isHalfLoginByRiskyNumber(session, user)) return 'login';
  if (expectedUserId !== undefined && expectedUserId !== user.userId) return 'login';
  const fresh = freshFactors(request, session, now);
  if (maxAge === 0 || fresh.length === 0) return 'login';
  const { preferMfa, ...required } = request;
  const asked = prompts.includes('none') ? required : request;
  const isTrusted = hasTrustedPhone(user, application);
  // Half a login answers nothing that only prefers the other half.
  if (isHalfLogin(session) && missingFactor(required, fresh, isTrusted) !== 'second-factor') return 'login';
  return missingFactor(asked, fresh, isTrusted);
}
