import { isOwnForm } from '../../shared/domain/browser.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { loginPasskey as operation } from '../rows/browser.ts';
import { loginErrorPage } from './error-page.ts';
import { after, showAgain } from './login/after.ts';
import { loginContext } from './login/context.ts';
import { logInByPasskey, registerInLogin } from './login/passkey.ts';
import { ceremonyOf, standingOf } from './login/standing.ts';
import { deadEnd, toPage } from './login/step.ts';

/** What an authenticator has signed on a page of the login: a passkey that proves the person, or a new one. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { path, form, request, settings, audit } = input;
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    if (!isOwnForm(context.browser, path.loginId, form.csrf))
      return await showAgain(context, ports, { error: { key: 'form_expired' } });
    const { step } = await standingOf(ports, context);
    const ceremony = ceremonyOf(context, step);
    const credential = form.credential ?? '';
    if (ceremony === 'login')
      return await after(context, ports, await logInByPasskey(ports, context, credential), audit);
    if (ceremony === 'registration')
      return await after(context, ports, await registerInLogin(ports, context, credential), audit);
    return toPage(context);
  } catch (error) {
    return deadEnd(error, { ...request, byLink: false }, audit);
  }
};

export const handler = lambda(operation, useCase, loginErrorPage);
