import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { findBrowserSession, isPrefetch, listLoginTenants } from '../../shared/domain/basis/browser.ts';
import { readUriHost } from '../../shared/domain/basis/host-name.ts';
import {
  configuredProviders,
  findProvidersOfAccount,
  sendsTo,
} from '../../shared/domain/credentials/login-preferences.ts';
import {
  type AccountPageParameters,
  toAccountParameters,
} from '../../shared/domain/hosted-login/account-login.ts';
import { acceptsPasskeys } from '../../shared/domain/hosted-login/login-passkey.ts';
import { findUserName } from '../../shared/domain/identifiers/person-name.ts';
import { listAddresses } from '../../shared/domain/identifiers/stored-address.ts';
import { leadsToDevice } from '../../shared/domain/oauth/client-document.ts';
import { toRelyingParty, userHandle } from '../../shared/domain/passkeys/relying-party.ts';
import { identityName } from '../../shared/domain/trust/names.ts';
import { isVerifiedIn } from '../../shared/domain/trust/proofs.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import {
  type BrowserResponse,
  browserCookies,
  rememberLanguage,
} from '../../shared/flows/browser/browser-response.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { UserEvent } from '../../shared/ports/events.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { Passkey, UpstreamIdentity } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { ADDRESS_ITEMS, ADDRESS_TYPES, addressTypes } from '../../shared/records/channels.ts';
import { isBuiltIn } from '../../shared/records/providers.ts';
import { deviceName } from '../../shared/templates/device-name.ts';
import type { Language } from '../../shared/templates/language.ts';
import { masks } from '../../shared/templates/mask.ts';
import { accountClosedPage, accountPage as accountHtml } from '../../shared/templates/pages/account-page.ts';
import type { AccountPageInput } from '../../shared/templates/parts/account-parts.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import { chooseProviderLabel } from '../../shared/templates/parts/provider-button.ts';
import { accountEventTexts, type NotifiedEvent } from '../../shared/templates/texts/all.ts';
import { logoutForm } from '../sessions/browser-logout.ts';
import {
  type Account,
  accountCsrf,
  accountUrl,
  canStillLogIn,
  formAction,
  isLoginFresh,
  leadToLogin,
  type OpenedAccount,
  openAccount,
} from './own-account.ts';
import { toSessionItem } from './own-sessions.ts';
import { withoutAddress } from './remove-credential.ts';
import type * as rows from './rows.ts';

type Ports = OperationPorts<typeof rows.accountPage>;

/**
 * Returns the label of a linked account: the name of its identity provider or, if only other applications offer this provider,
 * the host of its issuer.
 */
function labelAccount({ application, brand }: BrowserContext, account: UpstreamIdentity): string {
  const [provider = account.provider] = findProvidersOfAccount(application, account);
  if (isBuiltIn(provider) || brand.providers?.[provider]) return chooseProviderLabel(provider, brand);
  return readUriHost(account.issuer ?? '') ?? provider;
}
type Query = OperationRequest<typeof rows.accountPage>['query'];

const EVENTS_SHOWN = 20;
const MILLISECONDS = 1000;

/**
 * Lists the user's addresses, masked unless the login is fresh. Otherwise an attacker with an old cookie could read where codes
 * are sent.
 */
function shownAddresses(account: Account, passkeys: readonly Passkey[]): AccountPageInput['addresses'] {
  const { user } = account;
  const isOpen = isLoginFresh(account);
  const keepsLogin = canStillLogIn(account);
  return listAddresses(user).map(({ type, address }) => ({
    kind: addressTypes[type].item,
    shown: isOpen ? address.value : masks[type](address.value),
    isProven: isVerifiedIn(user, address, undefined),
    isRemovable: withoutAddress(user, type, passkeys, keepsLogin) !== undefined,
  }));
}

/**
 * Lists the user's sessions, newest first. Reads the record of an application only once, even if several sessions belong to it.
 */
async function listSessions(
  ports: PortsWith<'applications'>,
  { session: own, context: { language } }: Account,
  sessions: readonly Session[],
): Promise<AccountPageInput['sessions']> {
  const ids = [...new Set(sessions.map(({ applicationId }) => applicationId))];
  const names = new Map(
    await Promise.all(ids.map(async (id) => [id, (await ports.applications.find(id))?.name ?? ''] as const)),
  );
  return sessions
    .toSorted((one, other) => other.startedAt - one.startedAt)
    .map(({ sessionId, applicationId, userAgent, startedAt }) => ({
      item: toSessionItem(sessionId),
      application: names.get(applicationId) ?? '',
      device: deviceName(language, userAgent),
      startedAt,
      isOwn: sessionId === own.sessionId,
    }));
}

const hasText = (type: string): type is NotifiedEvent => Object.hasOwn(accountEventTexts.en, type);

/** Converts an event to an entry of the account page's history. Returns no entry if the page has no text for the event type. */
function shownEvent(language: Language, { type, time, detail }: UserEvent): AccountPageInput['events'] {
  const agent = detail.user_agent;
  if (!hasText(type)) return [];
  const at = Math.floor(Date.parse(time) / MILLISECONDS);
  return [{ type, at, device: deviceName(language, typeof agent === 'string' ? agent : undefined) }];
}

/**
 * Returns the success or error message that a redirect URL names in its query. Returns a success message only after a fresh
 * login, because anyone can write such a URL.
 */
function readOutcome(account: Account, { result, error }: Query): AccountPageInput['outcome'] {
  if (error !== undefined) return 'refused';
  return result === 'expired' || result === 'last' || isLoginFresh(account) ? result : undefined;
}

const ADDRESS_CHANGES: readonly AccountPageInput['outcome'][] = ADDRESS_ITEMS.flatMap((item) => [
  item,
  `${item}_removed` as const,
]);

/**
 * Returns the WebAuthn signals for the browser: the IDs of all accepted passkeys after a passkey was added or removed, or the
 * user's new name after an address has changed. Superseded passkeys are included, because the user can reinstate them.
 */
function buildSignals(
  account: Account,
  query: Query,
  passkeys: readonly Passkey[],
): AccountPageInput['signals'] {
  const { user, context } = account;
  const { tenant, application, settings } = context;
  const said = readOutcome(account, query);
  const isChanged = said === 'passkey.added' || said === 'passkey.removed';
  const isRenamed = passkeys.length > 0 && ADDRESS_CHANGES.includes(said);
  if (!(isChanged || isRenamed) || !acceptsPasskeys(application, settings)) return [];
  const { rpId } = toRelyingParty(application, settings);
  const imported = passkeys.flatMap((passkey) => passkey.userHandle ?? []);
  const handles = new Set([userHandle(tenant, user.userId), ...imported]);
  const allAcceptedCredentialIds = passkeys.map(({ credentialId }) => credentialId);
  const name = findUserName(user);
  return [...handles].map((userId) =>
    isRenamed
      ? ['signalCurrentUserDetails', { rpId, userId, name, displayName: name }]
      : ['signalAllAcceptedCredentials', { rpId, userId, allAcceptedCredentialIds }],
  );
}

async function shownPage(ports: Ports, account: Account, query: Query): Promise<BrowserResponse> {
  const { context, user } = account;
  const { language, brand, tenant, application, now } = context;
  const { userId } = user;
  const [passkeys, deviceKeys, consents, sessions, events] = await awaitAll(
    ports.passkeyRecords.listOf(userId),
    ports.deviceKeys.listOf(userId),
    ports.consents.listOf(userId, now),
    ports.sessions.listOf(userId, now),
    ports.timeline.list(userId, { limit: EVENTS_SHOWN }),
  );
  const html = accountHtml({
    language,
    brand,
    tenantName: tenant.name,
    homeUri: brand.links?.home,
    csrf: accountCsrf(account),
    signOut: logoutForm(context),
    formAction: (path) => formAction(context, path),
    outcome: readOutcome(account, query),
    focusedSection: query.part,
    firstName: user.firstName ?? '',
    lastName: user.lastName ?? '',
    ownLanguage: user.language ?? '',
    changeableAddressTypes: ADDRESS_TYPES.filter((type) => sendsTo(application, type)).map(
      (type) => addressTypes[type].item,
    ),
    canAddPasskey: acceptsPasskeys(application, context.settings),
    addresses: shownAddresses(account, passkeys),
    passkeys: passkeys.map(({ credentialId, name, createdAt, lastUsedAt }) => ({
      item: credentialId,
      name,
      addedAt: createdAt,
      usedAt: lastUsedAt,
    })),
    signals: buildSignals(account, query, passkeys),
    deviceKeys: deviceKeys.map(({ keyId, name, createdAt }) => ({ item: keyId, name, addedAt: createdAt })),
    identities: user.identities.map((identity) => ({
      item: identityName(identity),
      provider: labelAccount(context, identity),
    })),
    connectableProviders: configuredProviders(application).filter((name) =>
      user.identities.every((account) => !findProvidersOfAccount(application, account).includes(name)),
    ),
    consents: consents.map(({ key, clientId, redirectUri, grantedAt, usedAt }) => ({
      item: key,
      name: [readUriHost(clientId), leadsToDevice(redirectUri) ? undefined : readUriHost(redirectUri)]
        .filter((host, index, hosts) => host !== undefined && hosts.indexOf(host) === index)
        .join(' → '),
      addedAt: grantedAt,
      usedAt,
    })),
    sessions: await listSessions(ports, account, sessions),
    deletionHref: tenant.accountDeletion ? formAction(context, 'deletion') : undefined,
    events: events.items.flatMap((event) => shownEvent(language, event)),
  });
  return { html, headers: formPageHeaders(brand), cookies: browserCookies(context) };
}

/** Renders the page shown after the user has cancelled the login that the account page requires. */
function closedPage({ context }: OpenedAccount): BrowserResponse {
  const { language, brand } = context;
  const html = accountClosedPage({ language, brand, href: accountUrl(context) });
  return { html, headers: textPageHeaders(brand), cookies: browserCookies(context) };
}

/**
 * Finds the client of the newest login in this browser, for URLs without `client_id`. Password managers, for example, open a
 * fixed URL of the account page.
 * @throws `login_not_found` if the browser has no session
 */
async function clientInBrowser(
  ports: PortsWith<'sessions.find'>,
  { cookies, now }: Pick<OperationRequest<typeof rows.accountPage>['request'], 'cookies' | 'now'>,
): Promise<AccountPageParameters> {
  const held = listLoginTenants(cookies).map((tenantId) =>
    findBrowserSession(ports, { tenantId }, cookies, now),
  );
  const found = (await Promise.all(held)).filter((session) => session !== undefined);
  const [newest] = found.toSorted((one, other) => other.startedAt - one.startedAt);
  if (!newest) throw new ServiceError('login_not_found');
  return toAccountParameters(newest);
}

/** Shows the account page of the user who is logged in with this browser, or redirects to a login. */
export const accountPage: UseCase<typeof rows.accountPage> = async (input, ports) => {
  const { request } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { client_id, app_id } = input.query;
  const place = client_id === undefined ? await clientInBrowser(ports, request) : { client_id, app_id };
  const query = { ...input.query, ...place };
  const opened = await openAccount(ports, { ...input, query });
  if (query.language !== undefined) return rememberLanguage(accountUrl(opened.context), query.language);
  if (opened.account) return shownPage(ports, opened.account, query);
  if (query.error !== undefined) return closedPage(opened);
  return leadToLogin(ports, opened, { login: 'session' });
};
