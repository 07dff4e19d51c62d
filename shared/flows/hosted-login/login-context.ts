import { awaitAll } from '../../domain/basis/await-all.ts';
import { findBrowserSession, readBrowser } from '../../domain/basis/browser.ts';
import { hashSecret } from '../../domain/basis/random.ts';
import { type OpenLogin, requireLogin } from '../../domain/hosted-login/login-transaction.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext, Settings } from '../../operation.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type BrowserContext, browserContext } from '../browser/browser-context.ts';

/** Context of a request in a hosted login that this browser began. */
export interface LoginContext extends BrowserContext {
  readonly login: OpenLogin;
}

/** Returns true if a person without an account may sign up in this login. */
export const allowsSignUp = ({ application, login }: LoginContext): boolean =>
  login.request.createNewUser && application.publicSignup;

interface LoginRequest {
  readonly request: Parameters<typeof browserContext>[2];
  readonly settings: Settings;
  readonly audit: (context: AuditContext) => void;
}

type ContextPorts = PortsWith<
  | 'clients'
  | 'applications'
  | 'tenants'
  | 'loginTransactions.find'
  | 'loginTransactions.findStart'
  | 'sessions.find'
>;

/** Replaces an error by a more specific error with its own page, such as `cookies_missing` or `login_done`. */
async function explainError(
  ports: ContextPorts,
  error: unknown,
  loginId: string,
  { request, byLink }: Pick<LoginRequest, 'request'> & { readonly byLink: boolean },
): Promise<unknown> {
  const { cookies, errorPage, now } = request;
  const browser = readBrowser(cookies);
  if (!(error instanceof ServiceError)) return error;
  // The redirect to this page has set the cookie, so a browser without the cookie blocks cookies. Mailed links are an
  // exception: they can be opened in any browser.
  if (error.key === 'login_elsewhere' && browser.isNew && !byLink) return new ServiceError('cookies_missing');
  if (error.key !== 'login_not_found' || browser.isNew) return error;
  const began = await ports.loginTransactions.findStart(hashSecret(loginId), browser.hash);
  if (!began) return error;
  const [application, session] = await awaitAll(
    ports.applications.find(began.applicationId),
    findBrowserSession(ports, began, cookies, now),
  );
  if (application) errorPage.application = application;
  const isDone = session?.methods.some(({ at }) => at >= began.startedAt);
  return isDone ? new ServiceError('login_done') : error;
}

/**
 * Opens a hosted login that this browser began. Errors: `login_not_found`, `login_done`, `login_elsewhere`,
 * `login_code_elsewhere`, `cookies_missing`.
 * @param link Code of the mailed link that was opened, if any
 */
export async function loginContext(
  ports: ContextPorts,
  loginId: string,
  { request, settings, audit }: LoginRequest,
  link?: string,
): Promise<LoginContext> {
  const opening = requireLogin(ports, loginId, request, link);
  const login = await opening.catch(async (error: unknown) => {
    throw await explainError(ports, error, loginId, { request, byLink: link !== undefined });
  });
  const { tenantId, applicationId, clientId } = login.transaction;
  const context = await browserContext(
    ports,
    { client_id: clientId, app_id: applicationId, ui_locales: login.request.uiLocales },
    request,
    settings,
  );
  audit({ tenantId, applicationId, clientId });
  return { ...context, brand: { ...context.brand, languagePickerHref: `/login/${loginId}` }, login };
}
