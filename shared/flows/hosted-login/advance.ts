import { awaitAll } from '../../domain/basis/await-all.ts';
import { LOGIN_TRANSACTION_SECONDS } from '../../domain/basis/limits.ts';
import { findProvidersOfAccount } from '../../domain/credentials/login-preferences.ts';
import { saveProgress, unsealAddress } from '../../domain/hosted-login/login-transaction.ts';
import { findSuitableApplication } from '../../domain/hosted-login/suitable-application.ts';
import type { UndoRequest } from '../../domain/oauth/authorization-request.ts';
import { makeNoticeLink } from '../../domain/sending/notice-link.ts';
import { linkIdentity, type ProvenIdentity } from '../../domain/social/upstream-identity.ts';
import { createPageTrust } from '../../domain/trust/binding.ts';
import { hasValidGeneration } from '../../domain/trust/generations.ts';
import { mailboxProof } from '../../domain/trust/proofs.ts';
import { storeProvenCredentials } from '../../domain/users/store-proven-credentials.ts';
import type { ReplacePorts } from '../../domain/users/update-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type BrowserResponse, browserCookies, returnErrorToClient } from '../browser/browser-response.ts';
import { endLogin, type FinishPorts, finishEnrolment, finishLogin } from './finish.ts';
import type { LoginContext } from './login-context.ts';
import { type CurrentState, deriveCurrentState, type LoginState, type StatePorts } from './login-state.ts';
import { redirectToPage } from './show-page.ts';

export type AdvancePorts = FinishPorts &
  StatePorts &
  ReplacePorts &
  PortsWith<
    | 'applications'
    | 'loginTransactions.advance'
    | 'noticeLinks.put'
    | 'passkeys.updateTrust'
    | 'userRecords.find'
  >;

type Audit = (context: AuditContext) => void;

/** Ends a login and returns an error to its client. Errors: `login_not_found`. */
export async function abortLogin(
  ports: AdvancePorts,
  context: LoginContext,
  error: unknown,
  audit: Audit,
): Promise<BrowserResponse> {
  const answer = returnErrorToClient(error, context.login.request, context, audit);
  await endLogin(ports, context);
  return answer;
}

/** Links the identity provider account with which the login began to its user, and continues the login. */
async function linkAccount(
  ports: AdvancePorts,
  context: LoginContext,
  { user, binding }: CurrentState,
  audit: Audit,
): Promise<BrowserResponse> {
  const { tenant, browser, login, now } = context;
  const { sealedLink = '', ...progress } = login.progress;
  if (!user || !binding) return abortLogin(ports, context, new ServiceError('access_denied'), audit);
  const proven = JSON.parse(unsealAddress(browser, sealedLink)) as ProvenIdentity;
  const { email } = user;
  const account = createPageTrust({ ...binding, proofs: [...binding.proofs, mailboxProof(now)] });
  try {
    if (!email) throw new ServiceError('access_denied');
    // The provider has verified this mailbox, so an unproven address gets the trust of the linked account.
    const address = hasValidGeneration(user, email) && email.standing === 'proven' ? email : account;
    const linking = { account, address, newGenerations: undefined };
    await linkIdentity(ports, tenant, user, { proven, linking, at: now });
  } catch (error) {
    return abortLogin(
      ports,
      context,
      error instanceof ServiceError ? new ServiceError('access_denied', { cause: error }) : error,
      audit,
    );
  }
  const [provider = proven.identity.provider] = findProvidersOfAccount(context.application, proven.identity);
  audit({ userId: user.userId, events: ['identity.added'], provider });
  const next = await saveProgress(ports, context, progress);
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
}

/**
 * Redirects the browser back to the notice link that undoes a change, after the user has logged in with the other factor type
 * that the undo requires.
 */
async function finishUndo(
  ports: AdvancePorts,
  context: LoginContext,
  { userId, changeId, kind, link: provenFor }: UndoRequest,
): Promise<BrowserResponse> {
  const { tenantId, applicationId } = context.login.transaction;
  await endLogin(ports, context);
  const { clientId } = context.client;
  const target = { userId, tenantId, applicationId, clientId, provenFor, undoes: { kind, changeId } };
  const expiresAt = context.now + LOGIN_TRANSACTION_SECONDS;
  const redirect = await makeNoticeLink(ports, target, expiresAt, context.settings);
  return { redirect, cookies: browserCookies(context) };
}

/** Returns the reason why a login is denied. It names another application that offers the missing factor, if any does. */
async function explainRefusal(
  ports: AdvancePorts,
  { reason, isTooFew }: Extract<LoginState, { readonly kind: 'denied' }>,
  binding: CurrentState['binding'],
): Promise<string> {
  if (!isTooFew || !binding) return reason;
  const { name = 'the account page of another application' } =
    (await findSuitableApplication(ports, binding)) ?? {};
  return `${reason}: it can be done at ${name}`;
}

/**
 * Continues a login after a proof. Redirects to the client with a code (`done`) or an error (`denied`), otherwise to the next
 * page.
 * @param known State of the login with the new proof, if the caller has already derived it
 */
export async function advance(
  ports: AdvancePorts,
  context: LoginContext,
  audit: Audit,
  known?: CurrentState,
): Promise<BrowserResponse> {
  const current = known ?? (await deriveCurrentState(ports, context));
  const { state, user } = current;
  const { undo } = context.login.request;
  if (state.kind === 'done' && undo) return finishUndo(ports, context, undo);
  if (state.kind === 'link') return linkAccount(ports, context, current, audit);
  if (state.kind === 'done' && context.login.request.enrolment) return finishEnrolment(ports, context);
  const { binding, settled, proofs } = current;
  const settle = () => (user ? storeProvenCredentials(ports, user, settled) : Promise.resolve());
  const progress = { ...context.login.progress, proven: proofs };
  const login = { ...context.login, progress, request: current.request };
  if (state.kind === 'done') {
    const finishing = finishLogin(ports, { ...context, login }, current.earlier, audit);
    const [answer] = await awaitAll(finishing, settle());
    return answer;
  }
  // Save the trust of the proofs first. Once the reinstated credentials are stored, a reload would treat them as factors from
  // before this login.
  const isSaved = settled.length === 0 || (await saveProgress(ports, context, progress)) !== undefined;
  if (!isSaved) return redirectToPage(context);
  await settle();
  if (state.kind === 'denied') {
    const message = await explainRefusal(ports, state, binding);
    return abortLogin(ports, context, new ServiceError('access_denied', { message }), audit);
  }
  return redirectToPage(context);
}
