import { awaitAll } from '../../domain/basis/await-all.ts';
import {
  findBrowserSession,
  loginCookieName,
  loginCookieValue,
  readBrowser,
} from '../../domain/basis/browser.ts';
import { stillLeadsTo, withParameters } from '../../domain/basis/redirect-uri.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { destinationOf } from '../../domain/credentials/magic-link.ts';
import { isMailedLink } from '../../domain/credentials/mailed-link.ts';
import { isHollow } from '../../domain/hosted-login/sign-on.ts';
import { isStillReachable } from '../../domain/identifiers/proven-address.ts';
import { addFactor } from '../../domain/sessions/second-factor.ts';
import { idleSecondsOf, isFreshFor } from '../../domain/sessions/session-lifetimes.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { setCookie } from '../../http/cookies.ts';
import type { InputOf, Operation } from '../../operation.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { browserCookies } from '../browser/browser-answer.ts';
import { type OtherUser, otherUser } from './other-user.ts';

type LeadPorts = Using<
  | 'codes.spend'
  | 'codes.upgrade'
  | 'applications'
  | 'tenants'
  | 'users.find'
  | 'sessions.find'
  | 'sessions.join'
  | 'sessions.start'
>;

interface Led {
  readonly redirect: string;
  readonly cookies: readonly string[];
}

/** The person is to be asked first. */
interface Asking {
  readonly asks: OtherUser | undefined;
  readonly application: Application;
}

/** Whether the login of the browser may change, and, where there is one, that of this other user end. */
type MayGoOn = (otherUserId: string | undefined) => boolean;

function leadBack(
  { redirectUri, state }: AuthorizationCode,
  parameters: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): Led {
  return { redirect: withParameters(redirectUri, { ...parameters, state }), cookies };
}

/** What the caller's page is told instead of a code, where the person cannot log in. */
const REFUSALS: readonly ErrorKey[] = ['access_denied', 'login_user_gone', 'user_not_active'];

function refusal(record: AuthorizationCode, error: unknown): Led {
  if (!(error instanceof ServiceError) || !REFUSALS.includes(error.key)) throw error;
  const description = error.detail.message ?? catalogue[error.key].message;
  return leadBack(record, { error: 'access_denied', error_description: description });
}

/** Nobody, while the user is still to be made. Errors: `login_user_gone`, `user_not_active`. */
async function findPerson(
  ports: LeadPorts,
  tenant: Tenant,
  { sealedSignUp, userId, deliveredToHash }: AuthorizationCode,
): Promise<User | undefined> {
  if (sealedSignUp !== undefined) return undefined;
  const user = await requireLoginUser(ports, tenant.tenantId, userId);
  if (!isStillReachable(tenant, user, deliveredToHash)) throw new ServiceError('login_user_gone');
  return user;
}

async function leadOnByFactor(
  ports: LeadPorts,
  code: string,
  record: AuthorizationCode,
  { application, tenant }: { readonly application: Application; readonly tenant: Tenant },
  { request: { cookies }, audit }: InputOf<Operation>,
  mayGoOn: MayGoOn,
): Promise<Led | Asking | undefined> {
  const [user, found] = await awaitAll(
    findPerson(ports, tenant, record),
    findBrowserSession(ports, tenant, cookies),
  );
  const good = found && isFreshFor(found, application, nowSeconds()) && !isHollow(found, user);
  const held = good ? found : undefined;
  const other = await otherUser(ports, held, user);
  if (!mayGoOn(other?.userId)) return { asks: other, application };
  const factor = await addFactor(ports, { code: record, application, user, held });
  if (!factor) return undefined;
  audit({ sessionId: factor.sessionId });
  if (factor.outcome === 'complete') return leadBack(record, { code });
  const { open, started } = factor;
  const idleSeconds = started ? idleSecondsOf(started.session) : 0;
  const login = started && loginCookieValue(started.session.sessionId, started.secret);
  return leadBack(
    record,
    { error: 'mfa_required', error_description: `A second factor is required: ${open.join(',')}` },
    [
      ...browserCookies({ browser: readBrowser(cookies) }),
      ...(login ? [setCookie(loginCookieName(tenant.tenantId), login, idleSeconds)] : []),
    ],
  );
}

/**
 * Leads the browser back to the caller with its code, at once or as the second of two factors; before the login of the
 * browser changes, `mayGoOn` is asked. Undefined when there is no going on with the code: it is over or used up in this
 * moment, or its application is gone or lists the redirect URI no longer.
 */
export async function leadOn(
  ports: LeadPorts,
  code: string,
  record: AuthorizationCode,
  input: InputOf<Operation>,
  mayGoOn: MayGoOn,
): Promise<Led | Asking | undefined> {
  const [application, tenant] = await awaitAll(
    ports.applications.find(record.applicationId),
    ports.tenants.find(record.tenantId),
  );
  if (!tenant || !stillLeadsTo(application, record)) return undefined;
  const { alive, url } = destinationOf(record, code);
  if (!alive) return isMailedLink(record) ? { redirect: url, cookies: [] } : undefined;
  if (!record.requireMfa) return leadBack(record, { code });
  try {
    return await leadOnByFactor(ports, code, record, { application, tenant }, input, mayGoOn);
  } catch (error) {
    return refusal(record, error);
  }
}
