import { hasValidCsrfToken } from '../../shared/domain/basis/browser.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { replaceForeignRedirect } from '../../shared/flows/browser/foreign-redirect.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { showPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { formHandlers } from './form-handlers.ts';
import type * as rows from './rows.ts';

/** Handles a form of the login pages. The form's CSRF token proves that it comes from a page that was sent to this browser. */
export const loginAct: UseCase<typeof rows.loginAct> = async (input, ports) => {
  const { path, query, form } = input;
  const context = await loginContext(ports, path.loginId, input, query.link);
  const name = path.act ?? 'identify';
  const handle = Object.hasOwn(formHandlers, name) ? formHandlers[name] : undefined;
  if (!handle) throw new ServiceError('login_not_found');
  if (!hasValidCsrfToken(context.browser, path.loginId, form.csrf))
    return showPage(ports, context, { error: { key: 'form_expired' }, typed: form.identifier });
  return replaceForeignRedirect(await handle(ports, context, input), context.settings, context);
};
