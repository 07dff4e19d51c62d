import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { isOwnForm } from '../../shared/domain/basis/browser.ts';
import { leaveByPage } from '../../shared/flows/browser/leave.ts';
import { advance } from '../../shared/flows/hosted-login/advance.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { ceremonyOf, currentState } from '../../shared/flows/hosted-login/login-state.ts';
import { redirectToPage, showPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { resolve } from './resolve.ts';
import type * as rows from './rows.ts';
import { registerOffered, registerPasskey, seekCredential, verifyPasskey } from './verify-passkey.ts';

/** Handles the signed result of an authenticator on a login page: a passkey used as a factor, or a newly created one. */
export const loginPasskey: UseCase<typeof rows.loginPasskey> = async (input, ports) => {
  const { path, form, request, audit } = input;
  const { credential = '' } = form;
  const [context, sought] = await awaitAll(
    loginContext(ports, path.loginId, input),
    seekCredential(ports, credential, request.now),
  );
  if (!isOwnForm(context.browser, path.loginId, form.csrf))
    return showPage(ports, context, { error: { key: 'form_expired' } });
  const current = await currentState(ports, context);
  const { state } = current;
  // An earlier request has used the passkey and then failed, so that only the last step of the login remains.
  if (state.kind === 'done')
    return leaveByPage(await advance(ports, context, audit, current), context.settings, context);
  const ceremony = ceremonyOf(context, state);
  if (ceremony === undefined) return redirectToPage(context);
  const isOffer = state.kind === 'passkey' && state.isOffer;
  const register = isOffer ? registerOffered : registerPasskey;
  const outcome =
    ceremony === 'login'
      ? await verifyPasskey(ports, context, credential, sought)
      : await register(ports, context, current, credential);
  return leaveByPage(await resolve(ports, context, outcome, audit), context.settings, context);
};
