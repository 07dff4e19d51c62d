import { isOwnForm } from '../../shared/domain/basis/browser.ts';
import { deadEnd, toPage } from '../../shared/flows/hosted-login/advance.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { ceremonyOf, standingOf } from '../../shared/flows/hosted-login/login-state.ts';
import type { UseCase } from '../../shared/operation.ts';
import { after, showAgain } from './resolve.ts';
import type * as rows from './rows.ts';
import { logInByPasskey, registerInLogin } from './verify-passkey.ts';

/** What an authenticator has signed on a page of the login: a passkey that proves the person, or a new one. */
export const loginPasskey: UseCase<typeof rows.loginPasskey> = async (input, ports) => {
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
