import { BROWSER_COOKIE } from '../../domain/basis/browser.ts';
import { dropBeforeFirstProof, type FirstProofPorts } from '../../domain/users/first-proof.ts';
import { markVerified } from '../../domain/users/verified-address.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import { type Language, negotiateLanguage } from '../../templates/language.ts';
import { consentlessErrorPage } from '../../templates/pages/consentless-error-page.ts';
import { pageHeaders } from '../../templates/parts/frame.ts';
import type { DeadEndKey } from '../../templates/texts/login-texts.ts';
import { type BrowserAnswer, browserCookies, returnErrorToClient } from '../browser/browser-answer.ts';
import { endLogin, type FinishPorts, finishEnrolment, finishLogin } from './finish.ts';
import type { LoginContext } from './login-context.ts';
import { type StandingPorts, standingOf } from './login-state.ts';
import { loginPath } from './show-page.ts';

export type StepPorts = FinishPorts & StandingPorts & FirstProofPorts;

type Audit = (note: AuditContext) => void;

/** To the page of the next step; the browser then shows it by GET, so that a reload repeats nothing. */
export function toPage(context: LoginContext): BrowserAnswer {
  const path = loginPath(context.login.loginId);
  return { redirect: `${context.settings.browserOrigin}${path}`, cookies: browserCookies(context) };
}

/** Ends a login that cannot be ended well, and tells the application why. */
export async function refuse(
  ports: StepPorts,
  context: LoginContext,
  error: unknown,
  audit: Audit,
): Promise<BrowserAnswer> {
  const answer = returnErrorToClient(error, context.login.request, context, audit);
  await endLogin(ports, context);
  return answer;
}

/** After a factor was given: the code, the next step, or the news that there is none to take. */
export async function advance(ports: StepPorts, context: LoginContext, audit: Audit): Promise<BrowserAnswer> {
  const { step, earlier, user } = await standingOf(ports, context);
  const { deliveredToHash } = context.login.progress;
  // Before the person makes anything of their own in this login.
  if (user && earlier.length === 0)
    await dropBeforeFirstProof(ports, context.tenant, user, deliveredToHash, audit);
  if (step.is === 'done' && context.login.request.enrolment) return finishEnrolment(ports, context);
  if (step.is === 'done') return finishLogin(ports, context, earlier, audit);
  if (step.is === 'denied')
    return refuse(ports, context, new ServiceError('access_denied', { message: step.reason }), audit);
  // The code in the end tells of the last address alone.
  if (user) await markVerified(ports, context.tenant, user, context.login.progress.deliveredToHash);
  return toPage(context);
}

const DEAD_ENDS: Readonly<Record<string, { readonly key: DeadEndKey; readonly status: 404 | 503 }>> = {
  login_not_found: { key: 'login_expired', status: 404 },
  login_elsewhere: { key: 'wrong_browser', status: 404 },
  service_unavailable: { key: 'server_error', status: 503 },
};

interface PageRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** It came from a mail, which may be read in any browser. */
  readonly byLink: boolean;
}

/** A browser was given its cookie right before it is led to a page: one that comes without it keeps none. */
function keepsNoCookies({ cookies, byLink }: PageRequest): boolean {
  return cookies[BROWSER_COOKIE] === undefined && !byLink;
}

/** A page for a person, where the API would answer with an error. */
export function deadEnd(error: unknown, request: PageRequest, audit: Audit): BrowserAnswer {
  const end = error instanceof ServiceError ? DEAD_ENDS[error.key] : undefined;
  if (!end || !(error instanceof ServiceError)) throw error;
  audit({ ...error.detail.about, result: error.key });
  const key = end.key === 'wrong_browser' && keepsNoCookies(request) ? 'cookies_needed' : end.key;
  const html = consentlessErrorPage({ language: languageOf(request), key });
  return { html, status: end.status, headers: pageHeaders, cookies: [] };
}

function languageOf({ headers }: PageRequest): Language {
  return negotiateLanguage({ uiLocales: undefined, acceptLanguage: headers['accept-language'] });
}
