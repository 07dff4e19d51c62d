import { readBrowser } from '../../domain/basis/browser.ts';
import { type OpenLogin, requireLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { Settings } from '../../operation.ts';
import type { Using } from '../../ports/uses.ts';
import { type BrowserContext, browserContext } from '../browser/browser-context.ts';

/** A login that is under way, in the browser that began it. */
export interface LoginContext extends BrowserContext {
  readonly login: OpenLogin;
}

/** Errors: `login_not_found`. */
export async function loginContext(
  ports: Using<'clients' | 'applications' | 'tenants' | 'loginTransactions.find'>,
  loginId: string,
  request: Parameters<typeof browserContext>[2],
  settings: Settings,
): Promise<LoginContext> {
  const browser = readBrowser(request.cookies);
  const login = await requireLogin(ports, loginId, browser);
  const { clientId } = login.transaction;
  const context = await browserContext(ports, clientId, request, settings, login.request.uiLocales);
  return { ...context, login };
}
