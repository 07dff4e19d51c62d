import { csrfToken, isOwnForm } from '../../shared/domain/basis/browser.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { isHalfLogin } from '../../shared/domain/credentials/mfa.ts';
import { hasWayIn } from '../../shared/domain/credentials/way-in.ts';
import {
  accountPageUrl,
  accountPlace,
  accountRequest,
  lackForAccount,
} from '../../shared/domain/hosted-login/account-login.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import type { AccountNeeds } from '../../shared/domain/oauth/authorization-request.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { kindsOf, needsCompany } from '../../shared/domain/trust/kinds.ts';
import { freshProofs } from '../../shared/domain/trust/lack.ts';
import { type BrowserAnswer, browserCookies } from '../../shared/flows/browser/browser-answer.ts';
import {
  type BrowserContext,
  browserContext,
  languageOf,
} from '../../shared/flows/browser/browser-context.ts';
import { findSignedInUser } from '../../shared/flows/browser/signed-in-user.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext, InputOf } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { AccountPart, AccountResult } from '../../shared/schemas/account.ts';
import type { KeepsWayIn, Removal } from './remove-credential.ts';
import type { addOwnPasskey } from './rows.ts';

/** The person whose account the page shows: by the login of this browser alone, and nobody else's. */

type Input = Pick<InputOf<typeof addOwnPasskey>, 'query' | 'request' | 'settings' | 'audit'>;
type Place = Pick<BrowserContext, 'settings' | 'client'>;

export interface Account {
  readonly context: BrowserContext;
  readonly session: Session;
  readonly user: User;
}

export interface OpenedAccount {
  readonly context: BrowserContext;
  /** Undefined: the browser has to log in first. */
  readonly account: Account | undefined;
}

export type AccountPorts = Using<'clients' | 'applications' | 'tenants' | 'sessions.find' | 'users.find'>;
type ChangePorts = AccountPorts & Using<'loginTransactions.put'>;

/** The address of the page, or of one of its forms. */
export function accountUrl(
  { settings, client }: Place,
  parameters: { readonly part?: AccountPart; readonly result?: AccountResult } = {},
): string {
  const place = accountPlace(client);
  // Deleting has a page of its own.
  if (parameters.part === 'deletion')
    return withParameters(`${settings.browserOrigin}${formPath('deletion')}`, { ...place, ...parameters });
  return accountPageUrl(settings.browserOrigin, place, parameters);
}

const formPath = (path: string) => `/account/${path}`;

export const formAction = ({ client }: Place, path: string): string =>
  withParameters(formPath(path), { ...accountPlace(client) });

/** What the CSRF token of the page is bound to: a copy of the page is good in this browser and login alone. */
const formName = ({ sessionId }: Session) => `account\n${sessionId}`;

export const accountCsrf = ({ context, session }: Account): string =>
  csrfToken(context.browser, formName(session));

/** Errors: `system_invalid_input` for an unknown client. */
export async function openAccount(
  ports: AccountPorts,
  { query, request, settings, audit }: Input,
): Promise<OpenedAccount> {
  const asked = await browserContext(ports, query, request, settings);
  const { client, application, tenant } = asked;
  const languagesAt = withParameters('/account', { ...accountPlace(client) });
  const found = { ...asked, brand: { ...asked.brand, languagesAt } };
  const { applicationId } = application;
  audit({ tenantId: tenant.tenantId, applicationId, clientId: client.clientId });
  const { session, user } = await findSignedInUser(ports, found);
  if (!session || !user || isHalfLogin(session) || needsCompany(session.methods))
    return { context: found, account: undefined };
  audit({ userId: user.userId });
  const uiLocales = [query.ui_locales, user.language].filter(Boolean).join(' ');
  const language = languageOf(request, uiLocales);
  const context = { ...found, language };
  const account = { context, session, user };
  return { context, account: suffices(account, 'session') ? account : undefined };
}

/** Leads through a hosted login that brings what is needed, and back to the page. */
export async function leadToLogin(
  ports: Using<'loginTransactions.put'>,
  { context, account }: OpenedAccount,
  needs: AccountNeeds,
  part?: AccountPart,
): Promise<BrowserAnswer> {
  const { client, settings, language } = context;
  // What is added says so itself.
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

const placeOf = ({ context: { application, settings } }: Account) => ({
  application,
  rpId: relyingPartyOf(application, settings).rpId,
});

function suffices(
  account: Account,
  needs: AccountNeeds['login'],
  passkeys: readonly Passkey[] = [],
): boolean {
  const { context, session, user } = account;
  const { application, now: at } = context;
  const login = { application, user, passkeys, proofs: session.methods, at };
  return lackForAccount(login, needs) === undefined;
}

/** Whether a proof of the last minutes stands behind the login of the browser. */
export const isFresh = (account: Account): boolean => suffices(account, 'fresh');

type BindingPorts = AccountPorts & Using<'passkeys.listOf'>;

/** Whether what binding and removing take stands behind it. */
export const isBinding =
  (ports: BindingPorts) =>
  async (account: Account): Promise<boolean> =>
    suffices(account, 'binding', await ports.passkeys.listOf(account.user.userId));

interface Change {
  readonly part: AccountPart;
  /** What the page says then; also of what was gone already. */
  readonly says: AccountResult;
  /** `last`: refused, because it is the only way to log in. Nothing to change is no error. */
  readonly apply: (account: Account) => Promise<AuditContext | 'last' | undefined>;
}

type FormInput = Input & { readonly form: { readonly csrf?: string | undefined } };

/** What a form takes of the login of the browser. */
interface Needed {
  readonly needs: AccountNeeds['login'];
  readonly isEnough: (account: Account) => boolean | Promise<boolean>;
}

const FRESH: Needed = { needs: 'fresh', isEnough: isFresh };

const bindingBy = (ports: BindingPorts): Needed => ({ needs: 'binding', isEnough: isBinding(ports) });

/** The account that a form of the page is about, or where its sender is led instead. */
async function openForm(
  ports: ChangePorts,
  input: FormInput,
  part: AccountPart,
  { needs, isEnough }: Needed,
): Promise<{ readonly account: Account } | { readonly answer: BrowserAnswer }> {
  const opened = await openAccount(ports, input);
  const { account, context } = opened;
  if (!account) return { answer: await leadToLogin(ports, opened, { login: 'session' }, part) };
  if (!isOwnForm(context.browser, formName(account.session), input.form.csrf))
    return { answer: backTo(context, part, 'expired') };
  if (await isEnough(account)) return { account };
  return { answer: await leadToLogin(ports, opened, { login: needs }, part) };
}

/** Opens the account for a form that takes a fresh proof. */
export const openFreshForm = (ports: ChangePorts, input: FormInput, part: AccountPart) =>
  openForm(ports, input, part, FRESH);

/** Opens the account for a form that takes what binding and removing take. */
export const openBindingForm = (ports: ChangePorts & BindingPorts, input: FormInput, part: AccountPart) =>
  openForm(ports, input, part, bindingBy(ports));

function backTo(context: BrowserContext, part: AccountPart, result: AccountResult): BrowserAnswer {
  return { redirect: accountUrl(context, { part, result }), cookies: browserCookies(context) };
}

async function change(
  ports: ChangePorts,
  input: FormInput,
  { part, says, apply }: Change,
  needed: Needed,
): Promise<BrowserAnswer> {
  const opened = await openForm(ports, input, part, needed);
  if ('answer' in opened) return opened.answer;
  const applied = await apply(opened.account);
  const { context } = opened.account;
  if (applied === 'last') return backTo(context, part, 'last');
  input.audit(applied ?? {});
  return backTo(context, part, says);
}

/**
 * Makes a change that a form of the page asks for, and leads back. What the login lacks for it is given on the way: then the
 * person presses the button again, because nothing may happen that the page did not show.
 */
export const changeAccount = (ports: ChangePorts, input: FormInput, wanted: Change) =>
  change(ports, input, wanted, FRESH);

/** Changes what logs in, as `changeAccount` does, with what binding and removing take. */
export const changeCredentials = (ports: ChangePorts & BindingPorts, input: FormInput, wanted: Change) =>
  change(ports, input, wanted, bindingBy(ports));

/** Leads to a page of the login where the person adds something, with what that takes. */
export async function addToAccount(
  ports: ChangePorts,
  input: FormInput,
  part: AccountPart,
  adds: NonNullable<AccountNeeds['adds']>,
): Promise<BrowserAnswer> {
  const opened = await openAccount(ports, input);
  const { account, context } = opened;
  if (!account) return leadToLogin(ports, opened, { login: 'session' }, part);
  if (!isOwnForm(context.browser, formName(account.session), input.form.csrf))
    return backTo(context, part, 'expired');
  return leadToLogin(ports, opened, { login: 'binding', adds }, part);
}

/** Whether the person still logs in here with what is left: what is shut out, or good elsewhere, is no way in. */
export const keepsWayIn =
  (account: Account): KeepsWayIn =>
  (user, passkeys) =>
    hasWayIn({ ...placeOf(account), user, passkeys });

/** A removal that the login of the browser makes. */
export function removalOf(account: Account): Removal {
  const { context, session, user } = account;
  const { application, tenant, now } = context;
  const given = kindsOf(freshProofs(application, session.methods, now));
  return {
    tenant,
    userId: user.userId,
    now,
    keepsWayIn: keepsWayIn(account),
    undoneBy: given.size > 1 ? 'kind' : 'link',
  };
}
