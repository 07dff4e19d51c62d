// Opens the account that the account page and its forms act on: only the account of the user logged in with this browser.

import { computeCsrfToken, hasValidCsrfToken } from '../../shared/domain/basis/browser.ts';
import { addParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { canLogInAt } from '../../shared/domain/credentials/can-log-in.ts';
import { isIncompleteLogin } from '../../shared/domain/credentials/mfa.ts';
import {
  accountPageUrl,
  accountRequest,
  findMissingAccountProof,
  toAccountParameters,
} from '../../shared/domain/hosted-login/account-login.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import type { AccountNeeds } from '../../shared/domain/oauth/authorization-request.ts';
import { toRelyingParty } from '../../shared/domain/passkeys/relying-party.ts';
import { listProvenFactorTypes, needsAnotherFactor } from '../../shared/domain/trust/factor-types.ts';
import { freshProofs } from '../../shared/domain/trust/missing-proof.ts';
import {
  type BrowserContext,
  browserContext,
  chooseLanguage,
} from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext, OperationRequest } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { AccountPart, AccountResult } from '../../shared/schemas/account.ts';
import type { CanStillLogIn, RemovalContext } from './remove-credential.ts';
import type { addOwnPasskey } from './rows.ts';

type Input = Pick<OperationRequest<typeof addOwnPasskey>, 'query' | 'request' | 'settings' | 'audit'>;
type PageContext = Pick<BrowserContext, 'settings' | 'client'>;

/** Account of the user who is logged in with this browser, and the session of that login. */
export interface Account {
  readonly context: BrowserContext;
  readonly session: Session;
  readonly user: User;
}

/** Result of opening the account page: the browser's context and, if it is logged in, the account. */
export interface OpenedAccount {
  readonly context: BrowserContext;
  /** Account of the logged-in user; undefined if the browser must log in first. */
  readonly account: Account | undefined;
}

export type AccountPorts = PortsWith<'clients' | 'applications' | 'tenants' | 'sessions.find' | 'users.find'>;
type ChangePorts = AccountPorts & PortsWith<'loginTransactions.put'>;

/** Returns the URL of the account page or, for the part `deletion`, of the deletion page. */
export function accountUrl(
  { settings, client }: PageContext,
  parameters: { readonly part?: AccountPart; readonly result?: AccountResult } = {},
): string {
  const place = toAccountParameters(client);
  if (parameters.part === 'deletion')
    return addParameters(`${settings.browserOrigin}${formPath('deletion')}`, { ...place, ...parameters });
  return accountPageUrl(settings.browserOrigin, place, parameters);
}

const formPath = (path: string) => `/account/${path}`;

/** Returns the URL path for the `action` attribute of a form on the account page, with the client ID in the query. */
export const formAction = ({ client }: PageContext, path: string): string =>
  addParameters(formPath(path), { ...toAccountParameters(client) });

/** Returns the name that binds a form's CSRF token to the session, so that the form is valid only in this browser and login. */
const formName = ({ sessionId }: Session) => `account\n${sessionId}`;

/** Returns the CSRF token for the forms of the account page. */
export const accountCsrf = ({ context, session }: Account): string =>
  computeCsrfToken(context.browser, formName(session));

/**
 * Finds the account of the user who is logged in with this browser. `account` is undefined if the browser has no session, or if
 * the session's factors are insufficient for the account page.
 * @throws `system_invalid_input` for an unknown client
 */
export async function openAccount(
  ports: AccountPorts,
  { query, request, settings, audit }: Input,
): Promise<OpenedAccount> {
  const asked = await browserContext(ports, query, request, settings);
  const { client, application, tenant } = asked;
  const languagePickerHref = addParameters('/account', { ...toAccountParameters(client) });
  const found = { ...asked, brand: { ...asked.brand, languagePickerHref } };
  const { applicationId } = application;
  audit({ tenantId: tenant.tenantId, applicationId, clientId: client.clientId });
  const { session, user } = await findSignedInUser(ports, found);
  if (!session || !user || isIncompleteLogin(session) || needsAnotherFactor(session.methods))
    return { context: found, account: undefined };
  audit({ userId: user.userId });
  const uiLocales = [query.ui_locales, user.language].filter(Boolean).join(' ');
  const language = chooseLanguage(request, uiLocales);
  const context = { ...found, language };
  const account = { context, session, user };
  return { context, account: suffices(account, 'session') ? account : undefined };
}

/** Redirects to a hosted login that provides the required proofs and then returns to the account page. */
export async function leadToLogin(
  ports: PortsWith<'loginTransactions.put'>,
  { context, account }: OpenedAccount,
  needs: AccountNeeds,
  part?: AccountPart,
): Promise<BrowserResponse> {
  const { client, settings, language } = context;
  // `confirmed` asks the user to press the button again. A login that adds a credential returns with its own message.
  const isForm = part !== undefined && needs.adds === undefined;
  const returnTo = accountUrl(context, { ...(part && { part }), ...(isForm && { result: 'confirmed' }) });
  const request = accountRequest(client.clientId, returnTo, {
    account: needs,
    expectedUserId: account?.user.userId,
    uiLocales: language,
  });
  const { loginId, transaction } = newLogin(context, request, account?.session);
  await ports.loginTransactions.put(transaction);
  return { redirect: `${settings.browserOrigin}${loginPath(loginId)}`, cookies: browserCookies(context) };
}

/**
 * Returns the application and the RP ID of the account page. A credential is counted as a way to log in only if it is valid for
 * both.
 */
const toLoginContext = ({ context: { application, settings } }: Account) => ({
  application,
  rpId: toRelyingParty(application, settings).rpId,
});

/** Returns true if the session's proofs meet the given requirements. */
function suffices(
  account: Account,
  needs: AccountNeeds['login'],
  passkeys: readonly Passkey[] = [],
): boolean {
  const { context, session, user } = account;
  const { application, now: at } = context;
  const login = { application, user, passkeys, proofs: session.methods, at };
  return findMissingAccountProof(login, needs) === undefined;
}

/** Returns true if the browser's session has a proof within `binding_max_age_seconds` (10 minutes by default). */
export const isLoginFresh = (account: Account): boolean => suffices(account, 'fresh');

type BindingPorts = AccountPorts & PortsWith<'passkeys.listOf'>;

/** Returns a function that checks if an account's session has the proofs required to add or remove credentials. */
export const hasBindingProofs =
  (ports: BindingPorts) =>
  async (account: Account): Promise<boolean> =>
    suffices(account, 'binding', await ports.passkeys.listOf(account.user.userId));

/** A change that a form of the account page makes. */
interface AccountChange {
  /** Part of the account page to which the browser returns. */
  readonly part: AccountPart;
  /** Message shown after the redirect, even if there was nothing to change. */
  readonly says: AccountResult;
  /** Makes the change and returns its audit events. Returns `last` if the change would remove the only way to log in. */
  readonly apply: (account: Account) => Promise<AuditContext | 'last' | undefined>;
}

type FormInput = Input & { readonly form: { readonly csrf?: string | undefined } };

/** Proofs that a form requires of the browser's session. */
interface RequiredProofs {
  readonly needs: AccountNeeds['login'];
  readonly isEnough: (account: Account) => boolean | Promise<boolean>;
}

const FRESH: RequiredProofs = { needs: 'fresh', isEnough: isLoginFresh };

const bindingBy = (ports: BindingPorts): RequiredProofs => ({
  needs: 'binding',
  isEnough: hasBindingProofs(ports),
});

/** Loads the account for a submitted form. Returns a redirect instead if the CSRF token or a required proof is missing. */
async function openForm(
  ports: ChangePorts,
  input: FormInput,
  part: AccountPart,
  { needs, isEnough }: RequiredProofs,
): Promise<{ readonly account: Account } | { readonly answer: BrowserResponse }> {
  const opened = await openAccount(ports, input);
  const { account, context } = opened;
  if (!account) return { answer: await leadToLogin(ports, opened, { login: 'session' }, part) };
  if (!hasValidCsrfToken(context.browser, formName(account.session), input.form.csrf))
    return { answer: backTo(context, part, 'expired') };
  if (await isEnough(account)) return { account };
  return { answer: await leadToLogin(ports, opened, { login: needs }, part) };
}

/**
 * Loads the account for a form that requires the user to have verified a login factor within the last `binding_max_age_seconds`
 * (10 minutes by default).
 */
export const openFreshForm = (ports: ChangePorts, input: FormInput, part: AccountPart) =>
  openForm(ports, input, part, FRESH);

/** Loads the account for a form that requires the proofs for adding or removing credentials. */
export const openBindingForm = (ports: ChangePorts & BindingPorts, input: FormInput, part: AccountPart) =>
  openForm(ports, input, part, bindingBy(ports));

function backTo(context: BrowserContext, part: AccountPart, result: AccountResult): BrowserResponse {
  return { redirect: accountUrl(context, { part, result }), cookies: browserCookies(context) };
}

async function change(
  ports: ChangePorts,
  input: FormInput,
  { part, says, apply }: AccountChange,
  needed: RequiredProofs,
): Promise<BrowserResponse> {
  const opened = await openForm(ports, input, part, needed);
  if ('answer' in opened) return opened.answer;
  const applied = await apply(opened.account);
  const { context } = opened.account;
  if (applied === 'last') return backTo(context, part, 'last');
  input.audit(applied ?? {});
  return backTo(context, part, says);
}

/**
 * Makes a change that a form of the account page requests, and redirects back to the page. If a fresh login is missing,
 * redirects to it first. After this login, the user must press the button again, so that a login alone never changes the
 * account.
 */
export const changeAccount = (ports: ChangePorts, input: FormInput, wanted: AccountChange) =>
  change(ports, input, wanted, FRESH);

/** Changes the user's credentials like `changeAccount`, but requires the proofs for adding or removing credentials. */
export const changeCredentials = (
  ports: ChangePorts & BindingPorts,
  input: FormInput,
  wanted: AccountChange,
) => change(ports, input, wanted, bindingBy(ports));

/**
 * Redirects to the hosted login page where the user adds a credential. The page first asks for the proofs that are required for
 * adding a credential.
 */
export async function addToAccount(
  ports: ChangePorts,
  input: FormInput,
  part: AccountPart,
  adds: NonNullable<AccountNeeds['adds']>,
): Promise<BrowserResponse> {
  const opened = await openAccount(ports, input);
  const { account, context } = opened;
  if (!account) return leadToLogin(ports, opened, { login: 'session' }, part);
  if (!hasValidCsrfToken(context.browser, formName(account.session), input.form.csrf))
    return backTo(context, part, 'expired');
  return leadToLogin(ports, opened, { login: 'binding', adds }, part);
}

/**
 * Returns a function that checks if a user can still log in to this application with the credentials that remain. Superseded
 * credentials and credentials of other applications are not counted.
 */
export const canStillLogIn =
  (account: Account): CanStillLogIn =>
  (user, passkeys) =>
    canLogInAt({ ...toLoginContext(account), user, passkeys });

/**
 * Returns the context for removing a credential: the user, the check that a way to log in remains, and the condition for
 * undoing the removal.
 */
export function toRemovalContext(account: Account): RemovalContext {
  const { context, session, user } = account;
  const { application, tenant, now } = context;
  const provenTypes = listProvenFactorTypes(freshProofs(application, session.methods, now));
  return {
    tenant,
    userId: user.userId,
    now,
    canStillLogIn: canStillLogIn(account),
    // If two factor types were used in the session, access to the mailbox must not be enough to undo the removal.
    undoCondition: provenTypes.size > 1 ? 'kind' : 'link',
  };
}
