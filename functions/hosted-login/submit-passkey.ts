import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { hasValidCsrfToken } from '../../shared/domain/basis/browser.ts';
import { replaceForeignRedirect } from '../../shared/flows/browser/foreign-redirect.ts';
import { acceptedCeremony } from '../../shared/flows/hosted-login/accepted-proofs.ts';
import { advance } from '../../shared/flows/hosted-login/advance.ts';
import { loginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import { redirectToPage, showPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { answerProof } from './resolve.ts';
import type * as rows from './rows.ts';
import {
  lookUpCredential,
  registerOfferedPasskey,
  registerPasskey,
  verifyPasskey,
} from './verify-passkey.ts';

/** Handles the signed result of an authenticator on a login page: a passkey used as a factor, or a newly created one. */
export const loginPasskey: UseCase<typeof rows.loginPasskey> = async (input, ports) => {
  const { path, form, request, audit } = input;
  const { credential = '' } = form;
  const [context, sought] = await awaitAll(
    loginContext(ports, path.loginId, input),
    lookUpCredential(ports, credential, request.now),
  );
  if (!hasValidCsrfToken(context.browser, path.loginId, form.csrf))
    return showPage(ports, context, { error: { key: 'form_expired' } });
  const current = await deriveCurrentState(ports, context);
  const { state } = current;
  // An earlier request has used the passkey and then failed, so that only the last step of the login remains.
  if (state.kind === 'done')
    return replaceForeignRedirect(await advance(ports, context, audit, current), context.settings, context);
  const ceremony = acceptedCeremony(context, state);
  if (ceremony === undefined) return redirectToPage(context);
  const isOffer = state.kind === 'passkey' && state.isOffer;
  const register = isOffer ? registerOfferedPasskey : registerPasskey;
  const outcome =
    ceremony === 'login'
      ? await verifyPasskey(ports, context, credential, sought)
      : await register(ports, context, current, credential);
  return replaceForeignRedirect(await answerProof(ports, context, outcome, audit), context.settings, context);
};
