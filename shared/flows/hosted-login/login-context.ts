import { readBrowser } from '../../domain/basis/browser.ts';
import { type OpenLogin, requireLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { AuditContext, Settings } from '../../operation.ts';
import type { Using } from '../../ports/uses.ts';
import { type BrowserContext, browserContext } from '../browser/browser-context.ts';

/** A login in progress, in the browser that began it. */
export interface LoginContext extends BrowserContext {
  readonly login: OpenLogin;
}

interface LoginRequest {
  readonly request: Parameters<typeof browserContext>[2];
  readonly settings: Settings;
  readonly audit: (context: AuditContext) => void;
}

/** Errors: `login_not_found`, `login_elsewhere`. */
export async function loginContext(
  ports: Using<'clients' | 'applications' | 'tenants' | 'loginTransactions.find'>,
  loginId: string,
  { request, settings, audit }: LoginRequest,
): Promise<LoginContext> {
  const browser = readBrowser(request.cookies);
  const login = await requireLogin(ports, loginId, browser, request.now);
  const { tenantId, applicationId, clientId } = login.transaction;
  const context = await browserContext(ports, clientId, request, settings, login.request.uiLocales);
  audit({ tenantId, applicationId, clientId });
  return { ...context, login };
}
