import { isOwnForm } from '../../shared/domain/basis/browser.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { deadEnd } from '../../shared/flows/hosted-login/advance.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { UseCase } from '../../shared/operation.ts';
import { formHandlers } from './form-handlers.ts';
import { showAgain } from './resolve.ts';
import type * as rows from './rows.ts';

/** What a person did on a page of the login. Every form proves that it came from a page given to this very browser. */
export const loginAct: UseCase<typeof rows.loginAct> = async (input, ports) => {
  const { path, query, form, request, settings, audit } = input;
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    const name = path.act ?? 'identify';
    const act = Object.hasOwn(formHandlers, name) ? formHandlers[name] : undefined;
    if (!act) throw new ServiceError('login_not_found');
    if (!isOwnForm(context.browser, path.loginId, form.csrf))
      return await showAgain(context, ports, { error: { key: 'form_expired' }, typed: form.identifier });
    return await act(context, input, ports);
  } catch (error) {
    return deadEnd(error, { ...request, byLink: query.link !== undefined }, audit);
  }
};
