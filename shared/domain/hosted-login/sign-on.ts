import type { Application } from '../../ports/directory.ts';
import type { MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { authenticationContext, isIncompleteLogin } from '../credentials/mfa.ts';
import { canAskFor } from '../credentials/open-factors.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { needsAnotherFactor, toFactorType } from '../trust/factor-types.ts';
import { hasAuthenticatedSince } from '../trust/login-time.ts';
import { bindingMaxAge } from '../trust/missing-proof.ts';

/** Step that a login must still complete before the service issues its authorization code. */
export type MissingStep = 'login' | 'second-factor' | 'phone';

/** Returns true if the user has a verified phone number for which no risk is reported. */
export function hasTrustedPhone(
  user: User | undefined,
  application: Pick<Application, 'applicationId'>,
): boolean {
  const number = user?.phoneNumber;
  return user !== undefined && number !== undefined && !number.risk && canAskFor(user, number, application);
}

/**
 * Returns true if the only factor of a session is a text message to a number that has since been reported as at risk. No factor
 * may be added to such a session.
 */
export function isHalfLoginByRiskyNumber(session: Session, user: User | undefined): boolean {
  const byText = session.methods.some(({ method }) => toFactorType(method) === 'phone');
  return isIncompleteLogin(session) && byText && session.userId === user?.userId && !!user.phoneNumber?.risk;
}

/**
 * Returns the factors of a session that a request accepts: those used in the last `max_age` seconds (OIDC Core §3.1.2.1).
 * Returns no factors if all of them are provider logins that do not show when the user authenticated.
 */
export function freshFactors(
  { maxAge }: Pick<AuthorizationRequest, 'maxAge'>,
  { methods }: Session,
  at: number,
): readonly MethodUse[] {
  if (maxAge === undefined) return methods;
  const recent = methods.filter((use) => at - use.at <= maxAge);
  return hasAuthenticatedSince(recent, at - maxAge) ? recent : [];
}

/**
 * Returns the maximum age in seconds of the proofs that a new login accepts, or undefined if any age is accepted. The result is
 * 0 for `prompt=login`, otherwise the request's `max_age`. Without these parameters, a login that adds a factor to a session
 * for the account page must be recent enough to change credentials, unless the page requires no more than a session.
 */
export function findLoginMaxAge(
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
 * Returns the factor that a request requires and that the given methods do not provide. Returns undefined if none is missing.
 * @param phoneIsVerified True if the number is verified on the user's record or by a code of this login.
 */
export function missingFactor(
  request: FactorRequest,
  methods: readonly MethodUse[],
  phoneIsVerified: boolean,
): Exclude<MissingStep, 'login'> | undefined {
  if (needsAnotherFactor(methods)) return 'second-factor';
  const isAsked = request.requireMfa || request.preferMfa;
  if (isAsked && authenticationContext(methods).acr !== 'mfa') return 'second-factor';
  return request.requirePhone && !phoneIsVerified ? 'phone' : undefined;
}

/**
 * Returns what a browser's session lacks to complete an authorization request by single sign-on, or undefined if the session
 * suffices. The request may require a recent login (OIDC Core §3.1.2.1). Approvals always need a login, because a cookie
 * approves nothing. With `prompt=none`, a factor that is only preferred does not count as missing.
 */
export function findMissingStep(
  request: FactorRequest &
    Pick<AuthorizationRequest, 'prompts' | 'maxAge' | 'approvalData' | 'expectedUserId'>,
  { session, user }: { readonly session?: Session | undefined; readonly user?: User | undefined },
  { application, now }: { readonly application: Pick<Application, 'applicationId'>; readonly now: number },
): MissingStep | undefined {
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
  // A session that lacks its second factor must not complete a request for which one factor suffices.
  if (isIncompleteLogin(session) && missingFactor(required, fresh, isTrusted) !== 'second-factor')
    return 'login';
  return missingFactor(asked, fresh, isTrusted);
}
