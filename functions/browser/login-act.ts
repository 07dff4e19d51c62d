import { isOwnForm } from '../../shared/domain/browser.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { loginAct as operation } from '../rows/browser.ts';
import { loginErrorPage } from './error-page.ts';
import { acts } from './login/acts.ts';
import { showAgain } from './login/after.ts';
import { loginContext } from './login/context.ts';
import { deadEnd } from './login/step.ts';

/** What a person did on a page of the login. Every form proves that it came from a page given to this very browser. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { path, query, form, request, settings, audit } = input;
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    const name = path.act ?? 'identify';
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (!act) throw new ServiceError('login_not_found');
    if (!isOwnForm(context.browser, path.loginId, form.csrf))
      return await showAgain(context, ports, { error: { key: 'form_expired' }, typed: form.identifier });
    return await act(context, input, ports);
  } catch (error) {
    return deadEnd(error, { ...request, byLink: query.link !== undefined }, audit);
  }
};

export const handler = lambda(operation, useCase, loginErrorPage);
