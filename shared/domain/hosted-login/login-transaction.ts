import { ServiceError } from '../../errors/service-error.ts';
import type { LoginStart, LoginTransaction } from '../../ports/authorization.ts';
import type { ClientOfTenant } from '../../ports/directory.ts';
import type { Addressee, MethodUse, Session } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';
import type { Begun } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import { type Channel, sendsCode } from '../../records/channels.ts';
import {
  type Browser,
  type Cookies,
  findBrowserSession,
  type HeldSession,
  heldSession,
  readBrowser,
  requireSameBrowser,
} from '../basis/browser.ts';
import {
  LOGIN_TRANSACTION_SECONDS,
  PASSKEY_REGISTRATION_SECONDS,
  PUSHED_REQUEST_SECONDS,
} from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { equalSecrets, hashSecret, newSecret, userOfSession } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import type { Answer } from '../oauth/consent.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { FIRST } from '../trust/generations.ts';

/** One browser login from the authorization request to its code. */

/** A credential that was sent, or that the page says was sent: the page is the same for an address without a user. */
export interface PendingCredential extends Addressee {
  readonly channel: Channel;
  /** Verifies an address that the user adds; no factor of this login. */
  readonly adds?: boolean;
  /** The address as typed, sealed under the browser's cookie. */
  readonly sealedAddress: string;
  /** `identifierHash` of the key of the code. */
  readonly codeKey: string;
  readonly sentAt: number;
  /** The person has asked for it again. */
  readonly isResent?: true;
  /** The address that the mail comes from. */
  readonly sender?: string;
  readonly expiresAt: number;
  readonly deliveredToHash?: string;
  /** SHA-256 of a link's code. */
  readonly linkHash?: string;
  /** Of links to the same address, good as well: the sends after them have failed. */
  readonly earlierLinks?: readonly SentLink[];
}

interface SentLink {
  readonly linkHash?: string | undefined;
  readonly expiresAt: number;
}

type Enrolment = NonNullable<AuthorizationRequest['enrolment']>;

/** What the user has done so far. */
export interface LoginProgress extends Begun {
  readonly pending?: PendingCredential;
  /** What was typed on the first page before the person went back there, sealed under the browser's cookie. */
  readonly sealedTyped?: string;
  /** The code that too many wrong ones have closed, and until when (epoch seconds). */
  readonly closed?: { readonly codeKey: string; readonly until: number; readonly isFinal: boolean };
  /** The factors of this login. */
  readonly proven: readonly MethodUse[];
  readonly userId?: string;
  /** The credential ID of the passkey among the factors. */
  readonly passkeyId?: string;
  /** Sign-up only: the proven address or identity, sealed under the browser's cookie. */
  readonly sealedSignUp?: string;
  readonly deliveredToHash?: string;
  /** The session that a factor is added to, and the secret that it was held by when the login began. */
  readonly held?: HeldSession | undefined;
  /** The number verified in this login, sealed under the browser's cookie; no factor of it. */
  readonly sealedPhone?: string;
  /** An email address was verified in this login; no factor of it. */
  readonly addedEmail?: true;
  /** An account at a provider was connected, from the account page. */
  readonly connected?: true;
  /** The account at a provider that is linked when the login has the factors for it, sealed under the browser's cookie. */
  readonly sealedLink?: string;
  /** The proof that a passkey approved the approval data of the request. */
  readonly artifacts?: PasskeyArtifacts;
  /** A new passkey was offered, and made or declined. */
  readonly offered?: true;
  /** One kind of factor is enough for a new one: the user has waited for it. */
  readonly recovering?: true;
  /** A client has asked for a passkey of the user, and the login ends with it. */
  readonly enrolment?: Enrolment;
  /** The person has seen what was said to be lost. */
  readonly heard?: true;
  /** An operator has confirmed that a program on their computer may act as them. */
  readonly confirmed?: true;
  /** What the person has allowed a client by document. */
  readonly answer?: Answer;
  /** The user was made with the passkey that a client has asked for. */
  readonly userCreated?: true;
  /** Stored already, except during sign-up. */
  readonly newPasskey?: Passkey;
}

const PURPOSE = 'login-address';
const REQUEST = 'login-request';
const PROGRESS = 'login-progress';

/** Sealed, because its hashes would tell a reader of the table who logs in. */
const sealProgress = (loginId: string, progress: LoginProgress) =>
  seal(loginId, PROGRESS, JSON.stringify(progress));

export function sealAddress(browser: Browser, address: string): string {
  return seal(browser.secret, PURPOSE, address);
}

export function openAddress(browser: Browser, sealed: string): string {
  const address = unseal(browser.secret, PURPOSE, sealed);
  if (address === undefined) throw new Error('the login belongs to another browser');
  return address;
}

const sealRequest = (loginId: string, request: AuthorizationRequest) =>
  seal(loginId, REQUEST, JSON.stringify(request));

interface Place extends ClientOfTenant {
  readonly now: number;
}

const ofPlace = ({ tenant, application, client, now }: Place) => ({
  tenantId: tenant.tenantId,
  applicationId: application.applicationId,
  clientId: client.clientId,
  startedAt: now,
});

export interface StartedLogin {
  readonly loginId: string;
  readonly transaction: LoginStart;
}

/**
 * A login from its first page, which may add a factor to the session that the browser holds (`joins`). Strangers call what
 * begins it, so it proves nothing: whoever goes on with it looks for the session again.
 */
export function newLogin(
  place: Place & { readonly browser: Browser },
  request: AuthorizationRequest,
  joins?: Session,
  loginId = newSecret(),
): StartedLogin {
  const transaction: LoginStart = {
    ...ofPlace(place),
    hash: hashSecret(loginId),
    browserHash: place.browser.hash,
    request: sealRequest(loginId, request),
    ...(joins && { joins: joins.sessionId }),
    expiresAt: place.now + LOGIN_TRANSACTION_SECONDS,
  };
  return { loginId, transaction };
}

/** Stores a login that a client begins for its user, and returns its ID; it waits for its browser for 5 minutes. */
export async function prepareLogin(
  ports: Using<'loginTransactions.prepare'>,
  place: Place,
  request: AuthorizationRequest,
  progress: LoginProgress,
): Promise<string> {
  const loginId = newSecret();
  await ports.loginTransactions.prepare({
    ...ofPlace(place),
    hash: hashSecret(loginId),
    request: sealRequest(loginId, request),
    progress: sealProgress(loginId, progress),
    expiresAt: place.now + PASSKEY_REGISTRATION_SECONDS,
  });
  return loginId;
}

interface OpeningBrowser {
  readonly browser: Browser;
  readonly uiLocales: string | undefined;
  readonly now: number;
}

/** Gives a prepared login to the first browser that brings its ID. Undefined when it is unknown, another browser's or over. */
export async function openPrepared(
  ports: Using<'loginTransactions.find' | 'loginTransactions.bind'>,
  loginId: string,
  { browser, uiLocales, now }: OpeningBrowser,
): Promise<{ readonly clientId: string; readonly userId: string } | undefined> {
  const hash = hashSecret(loginId);
  const found = await ports.loginTransactions.find(hash, now);
  const opened = found && openLogin(loginId, found);
  const { enrolment, userId } = opened?.progress ?? {};
  if (!found || !opened || !enrolment || userId === undefined) return undefined;
  const isOwn = await ports.loginTransactions.bind(
    hash,
    {
      browserHash: browser.hash,
      request: sealRequest(loginId, omitUndefined<AuthorizationRequest>({ ...opened.request, uiLocales })),
      expiresAt: found.startedAt + LOGIN_TRANSACTION_SECONDS,
    },
    now,
  );
  return isOwn ? { clientId: found.clientId, userId } : undefined;
}

/**
 * Stores a login. One that a reload of the same request began before goes on instead. Errors: `request_uri_spent` when that
 * one has ended, or the request was answered without a login.
 */
export async function beginLogin(
  ports: Using<'loginTransactions.put' | 'loginTransactions.find'>,
  transaction: LoginStart,
): Promise<void> {
  const { hash, startedAt } = transaction;
  if (await ports.loginTransactions.put(transaction)) return;
  if (!(await ports.loginTransactions.find(hash, startedAt))) throw new ServiceError('request_uri_spent');
}

/**
 * Takes the place of the login for a request that needs none, so that a reload gets no second code.
 * Errors: `request_uri_spent` when a login was begun, or another caller was faster.
 */
export async function skipLogin(
  ports: Using<'loginTransactions.skip'>,
  loginId: string,
  now: number,
): Promise<void> {
  const first = await ports.loginTransactions.skip(hashSecret(loginId), now + PUSHED_REQUEST_SECONDS, now);
  if (!first) throw new ServiceError('request_uri_spent');
}

export interface OpenLogin {
  readonly loginId: string;
  readonly transaction: LoginTransaction;
  readonly request: AuthorizationRequest;
  readonly progress: LoginProgress;
}

/** Request and progress, if any. Undefined for another login's ID. */
function openLogin(
  loginId: string,
  found: LoginTransaction,
): { readonly request: AuthorizationRequest; readonly progress: LoginProgress | undefined } | undefined {
  const request = unseal(loginId, REQUEST, found.request);
  const sealed = found.progress === undefined ? 'null' : unseal(loginId, PROGRESS, found.progress);
  if (request === undefined || sealed === undefined) return undefined;
  const progress = (JSON.parse(sealed) as LoginProgress | null) ?? undefined;
  return { request: JSON.parse(request) as AuthorizationRequest, progress };
}

interface PageRequest {
  readonly cookies: Cookies;
  readonly now: number;
}

/**
 * The progress of a login that has none. A session that a factor is to be added to counts where the cookies hold it now;
 * otherwise no factor joins it, and the login is denied.
 */
async function firstProgress(
  ports: Using<'sessions.find'>,
  { tenantId, joins }: LoginTransaction,
  { undo }: AuthorizationRequest,
  { cookies, now }: PageRequest,
): Promise<LoginProgress> {
  if (undo) return { proven: [], userId: undo.userId, generation: undo.generation };
  // One who signs up begins with something proven.
  if (joins === undefined) return { proven: [], generation: FIRST };
  const session = await findBrowserSession(ports, { tenantId }, cookies, now);
  if (session?.sessionId !== joins)
    return {
      proven: [],
      generation: FIRST,
      userId: userOfSession(joins),
      held: { sessionId: joins, browserHash: '' },
    };
  const { userId, generation } = session;
  return { proven: [], userId, held: heldSession({ tenantId }, cookies), generation };
}

/**
 * Opens the login of a page, in the browser that began it. `link` is the code of the mailed link that leads there.
 * Errors: `login_not_found`, `login_elsewhere`, `login_code_elsewhere` when the mail has a code for that other browser.
 */
export async function requireLogin(
  ports: Using<'loginTransactions.find' | 'sessions.find'>,
  loginId: string,
  page: PageRequest,
  link?: string,
): Promise<OpenLogin> {
  const browser = readBrowser(page.cookies);
  const found = await ports.loginTransactions.find(hashSecret(loginId), page.now);
  const opened = found && openLogin(loginId, found);
  if (!found || !opened) throw new ServiceError('login_not_found');
  const progress = opened.progress ?? (await firstProgress(ports, found, opened.request, page));
  const { pending } = progress;
  const isBesideCode = pending && sendsCode(pending.channel) && link !== undefined && hasLink(pending, link);
  if (isBesideCode && found.browserHash !== browser.hash) throw new ServiceError('login_code_elsewhere');
  const transaction = requireSameBrowser(found, browser);
  // A request proves nothing, so what it says of an enrolment counts for nothing.
  const { enrolment: _, ...request } = opened.request;
  const { enrolment } = progress;
  return { loginId, transaction, request: { ...request, ...(enrolment && { enrolment }) }, progress };
}

/** A login at the moment of a request, in epoch seconds. */
interface LoginAt {
  readonly login: OpenLogin;
  readonly now: number;
}

/** Stores progress. Undefined when another tab was faster or ended the login: its progress counts. */
export async function saveProgress(
  ports: Using<'loginTransactions.advance'>,
  { login, now }: LoginAt,
  progress: LoginProgress,
): Promise<OpenLogin | undefined> {
  const { loginTransactions } = ports;
  const sealed = sealProgress(login.loginId, progress);
  const advanced = await loginTransactions.advance(login.transaction, sealed, now);
  if (!advanced) return undefined;
  return {
    ...login,
    progress,
    transaction: { ...login.transaction, progress: sealed, version: login.transaction.version + 1 },
  };
}

/** Whether another tab has stored progress since. */
export async function hasMovedOn(
  ports: Using<'loginTransactions.find'>,
  { login, now }: LoginAt,
): Promise<boolean> {
  const { hash, version } = login.transaction;
  const latest = await ports.loginTransactions.find(hash, now);
  return latest?.version !== version;
}

interface ProvenFactor extends Pick<LoginProgress, 'generation'> {
  readonly use: MethodUse;
  readonly sealedSignUp: string | undefined;
}

/** The progress after a proven code or link: its factor, its user, and the generation that the first factor began in. */
export function withFactor(
  progress: LoginProgress,
  pending: PendingCredential,
  { use, sealedSignUp, generation }: ProvenFactor,
): LoginProgress {
  const { pending: _, ...before } = progress;
  return omitUndefined<LoginProgress>({
    ...before,
    proven: [...progress.proven, use],
    userId: pending.userId,
    generation: before.userId === undefined ? generation : before.generation,
    sealedSignUp: progress.sealedSignUp ?? sealedSignUp,
    deliveredToHash: pending.deliveredToHash,
  });
}

/** The links that a failed send to an address leaves good. */
export function linksBefore(
  pending: PendingCredential | undefined,
  codeKey: string,
): readonly SentLink[] | undefined {
  if (pending?.codeKey !== codeKey || pending.linkHash === undefined) return undefined;
  const { linkHash, expiresAt, earlierLinks = [] } = pending;
  return [...earlierLinks, { linkHash, expiresAt }];
}

/** Whether a link was sent for this login, and is good after `now`. */
function hasLink({ earlierLinks = [], ...newest }: PendingCredential, code: string, now = 0): boolean {
  const hash = hashSecret(code);
  return [newest, ...earlierLinks].some(
    ({ linkHash, expiresAt }) => linkHash !== undefined && expiresAt > now && equalSecrets(hash, linkHash),
  );
}

/** Whether a link is one that was sent for this login, to a user, in time. */
export function isPendingLink(
  pending: PendingCredential | undefined,
  code: string,
  now: number,
): pending is PendingCredential {
  return pending !== undefined && pending.kind !== 'unknown' && hasLink(pending, code, now);
}
