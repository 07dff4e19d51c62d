import { errorAnswer } from '../../../shared/domain/authorization-answer.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { type Language, negotiateLanguage } from '../../../shared/templates/language.ts';
import { consentlessErrorPage } from '../../../shared/templates/pages/consentless-error-page.ts';
import { pageHeaders } from '../../../shared/templates/pages/frame.ts';
import type { DeadEndKey } from '../../../shared/templates/pages/login-texts.ts';
import { type BrowserAnswer, browserCookies, leadBack } from '../answer.ts';
import type { LoginContext } from './context.ts';
import { type FinishPorts, finishLogin } from './finish.ts';
import { earlierFactors, lacksFactor, openFactors } from './second-factor.ts';
import { loginPath } from './show.ts';

export type StepPorts = FinishPorts & Pick<Ports, 'users'>;

/** To the page of the next step; the browser then shows it by GET, so that a reload repeats nothing. */
export function toPage(context: LoginContext): BrowserAnswer {
  const path = loginPath(context.login.loginId);
  return { redirect: `${context.settings.browserOrigin}${path}`, cookies: browserCookies(context) };
}

/** After a factor was given: the code, the next factor, or the news that there is none to give. */
export async function goOn(ports: StepPorts, context: LoginContext): Promise<BrowserAnswer> {
  const earlier = await earlierFactors(ports, context);
  const used = [...earlier, ...context.login.progress.proven];
  if (!lacksFactor(context, used)) return finishLogin(ports, context, earlier);
  const open = await openFactors(ports, context, used);
  if (open.length > 0) return toPage(context);
  await ports.loginTransactions.finish(context.login.transaction.hash, nowSeconds());
  const refused = new ServiceError('access_denied', {
    message: 'A second factor is required, and the user has none',
  });
  return leadBack(errorAnswer(context.login.request, refused, context.settings.issuer), context);
}

const DEAD_ENDS: Readonly<Record<string, { readonly key: DeadEndKey; readonly status: 404 | 429 | 503 }>> = {
  login_not_found: { key: 'login_expired', status: 404 },
  rate_limited: { key: 'rate_limited', status: 429 },
  service_unavailable: { key: 'server_error', status: 503 },
};

/** A page for a person, where the API would answer with an error. */
export function deadEnd(error: unknown, language: Language): BrowserAnswer {
  const end = error instanceof ServiceError ? DEAD_ENDS[error.key] : undefined;
  if (!end) throw error;
  const html = consentlessErrorPage({ language, key: end.key });
  return { html, status: end.status, headers: pageHeaders, cookies: [] };
}

export function languageOf(request: {
  readonly headers: Readonly<Record<string, string | undefined>>;
}): Language {
  return negotiateLanguage({ uiLocales: undefined, acceptLanguage: request.headers['accept-language'] });
}
