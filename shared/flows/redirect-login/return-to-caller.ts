import { awaitAll } from '../../domain/basis/await-all.ts';
import { findBrowserSession, heldSession, readBrowser } from '../../domain/basis/browser.ts';
import { stillLeadsTo, withParameters } from '../../domain/basis/redirect-uri.ts';
import { sessionAt } from '../../domain/credentials/good-at.ts';
import { destinationOf } from '../../domain/credentials/magic-link.ts';
import { isMailedLink, usesOf } from '../../domain/credentials/mailed-link.ts';
import { isHalfLoginByRiskyNumber } from '../../domain/hosted-login/sign-on.ts';
import { isStillReachable, provenAddress } from '../../domain/identifiers/proven-address.ts';
import { isOver, markAsleep, sleepingAddress } from '../../domain/identifiers/sleep.ts';
import { addFactor } from '../../domain/sessions/second-factor.ts';
import { isFreshFor } from '../../domain/sessions/session-lifetimes.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import { wakeOfUser } from '../../domain/users/wake.ts';
import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { InputOf, Operation } from '../../operation.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { browserCookies, loginCookie } from '../browser/browser-answer.ts';
import { type ReplacedLogin, replacedLogin } from './replaced-login.ts';

type ReturnPorts = Using<
  | 'codes.spend'
  | 'codes.upgrade'
  | 'applications'
  | 'tenants'
  | 'users.find'
  | 'sessions.find'
  | 'sessions.join'
  | 'sessions.releaseBrowser'
  | 'sessions.start'
  | 'userRecords.find'
  | 'userRecords.replace'
>;

interface Redirect {
  readonly redirect: string;
  readonly cookies: readonly string[];
}

/** The person has to confirm first. */
interface Unconfirmed {
  readonly replaces: ReplacedLogin | undefined;
  readonly application: Application;
}

/** Whether the login of the browser may change; with a user ID, whether it may replace the login of that user. */
type IsConfirmed = (replacedUserId: string | undefined) => boolean;

function redirectTo(
  { redirectUri, state }: AuthorizationCode,
  parameters: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): Redirect {
  return { redirect: withParameters(redirectUri, { ...parameters, state }), cookies };
}

/** Reasons not to log in that the caller gets as `access_denied`, in place of a code. */
const REFUSALS: readonly ErrorKey[] = ['access_denied', 'login_user_gone', 'user_not_active'];

function refusal(record: AuthorizationCode, error: unknown): Redirect {
  if (!(error instanceof ServiceError) || !REFUSALS.includes(error.key)) throw error;
  const description = error.detail.message ?? catalogue[error.key].message;
  return redirectTo(record, { error: 'access_denied', error_description: description });
}

/** Undefined during sign-up. Errors: `login_user_gone`, `user_not_active`. */
async function findUser(
  ports: ReturnPorts,
  tenant: Tenant,
  code: AuthorizationCode,
): Promise<User | undefined> {
  const { sealedSignUp, userId, deliveredToHash } = code;
  if (sealedSignUp !== undefined) return undefined;
  const user = await requireLoginUser(ports, tenant.tenantId, userId);
  const isStale = !isMailedLink(code) && isOver(user, code);
  if (isStale || !isStillReachable(tenant, user, deliveredToHash)) throw new ServiceError('login_user_gone');
  return user;
}

async function returnWithFactor(
  ports: ReturnPorts,
  code: string,
  record: AuthorizationCode,
  { application, tenant }: { readonly application: Application; readonly tenant: Tenant },
  { request: { cookies, now }, audit }: InputOf<Operation>,
  isConfirmed: IsConfirmed,
): Promise<Redirect | Unconfirmed | undefined> {
  const [user, session] = await awaitAll(
    findUser(ports, tenant, record),
    findBrowserSession(ports, tenant, cookies, now),
  );
  const found = sessionAt(session, application);
  const good = found && isFreshFor(found, application, now) && !isHalfLoginByRiskyNumber(found, user);
  const held = good && !(user && found.userId === user.userId && isOver(user, found)) ? found : undefined;
  const replaces = await replacedLogin(ports, held, user);
  if (!isConfirmed(replaces?.userId)) return { replaces, application };
  const cookie = heldSession(tenant, cookies);
  const proven = user && provenAddress(tenant, user, record.deliveredToHash);
  const methods = usesOf(record, now).map((use) =>
    user && proven ? markAsleep(user, sleepingAddress(user, proven.attribute), proven.attribute, use) : use,
  );
  const facts = { code: record, tenant, application, user, methods, held, cookie, at: now };
  const factor = await addFactor(ports, facts);
  if (!factor) return undefined;
  if (factor.outcome === 'complete' && user) await wakeOfUser(ports, tenant, user, factor.wakes);
  audit({ sessionId: factor.sessionId });
  const { renewed } = factor;
  const kept = [
    ...browserCookies({ browser: readBrowser(cookies) }),
    ...(renewed ? [loginCookie(tenant, renewed)] : []),
  ];
  if (factor.outcome === 'complete') return redirectTo(record, { code }, kept);
  const description = `A second factor is required: ${factor.open.join(',')}`;
  return redirectTo(record, { error: 'mfa_required', error_description: description }, kept);
}

/**
 * Redirects the browser to the caller with its code, at once or as the second of two factors. Before the login of the browser
 * changes, `isConfirmed` must agree. Undefined when the code is over or was used up at this moment, or when its application
 * is gone or no longer lists the redirect URI.
 */
export async function returnToCaller(
  ports: ReturnPorts,
  code: string,
  record: AuthorizationCode,
  input: InputOf<Operation>,
  isConfirmed: IsConfirmed,
): Promise<Redirect | Unconfirmed | undefined> {
  const [application, tenant] = await awaitAll(
    ports.applications.find(record.applicationId),
    ports.tenants.find(record.tenantId),
  );
  if (!tenant || !stillLeadsTo(application, record)) return undefined;
  const { alive, url } = destinationOf(record, code, input.request.now);
  if (!alive) return isMailedLink(record) ? { redirect: url, cookies: [] } : undefined;
  if (!record.requireMfa) return redirectTo(record, { code });
  try {
    return await returnWithFactor(ports, code, record, { application, tenant }, input, isConfirmed);
  } catch (error) {
    return refusal(record, error);
  }
}
