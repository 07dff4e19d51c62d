// Hosted login in one browser, from the authorization request to the authorization code.
import { ServiceError } from '../../errors/service-error.ts';
import type { LoginTransaction, LoginTransactionStart } from '../../ports/authorization.ts';
import type { ClientOfTenant } from '../../ports/directory.ts';
import type { CodeUser, MethodUse, Session } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';
import type { GenerationBound } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type Channel, sendsCode } from '../../records/channels.ts';
import {
  type Browser,
  type Cookies,
  findBrowserSession,
  type LoginCookie,
  readBrowser,
  readLoginCookie,
  requireSameBrowser,
} from '../basis/browser.ts';
import {
  LOGIN_TRANSACTION_SECONDS,
  PASSKEY_REGISTRATION_SECONDS,
  PUSHED_REQUEST_SECONDS,
} from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { areSecretsEqual, hashSecret, newSecret, parseUserId } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import type { ConsentAnswer } from '../oauth/consent.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { FIRST_GENERATION } from '../trust/generations.ts';

/** Code or link that a login has sent. For an unknown address, nothing is sent, but the same data is stored and shown. */
export interface PendingCredential extends CodeUser {
  readonly channel: Channel;
  /** True if the message verifies an address that the user adds. The address then does not count as a factor of this login. */
  readonly adds?: boolean;
  /** Address as the user typed it, encrypted with the secret in the browser's cookie. */
  readonly sealedAddress: string;
  /** Hash of the identifier under which the code is stored. */
  readonly codeKey: string;
  readonly sentAt: number;
  /** Set if the user has requested the message again. */
  readonly isResent?: true;
  /** Sender address of the email, which the page shows. */
  readonly sender?: string;
  readonly expiresAt: number;
  readonly deliveredToHash?: string;
  /** SHA-256 hash of the code in the link. */
  readonly linkHash?: string;
  /** Earlier links to the same address. They stay valid, because no later message could be sent. */
  readonly earlierLinks?: readonly SentLink[];
}

interface SentLink {
  readonly linkHash?: string | undefined;
  readonly expiresAt: number;
}

type Enrolment = NonNullable<AuthorizationRequest['enrolment']>;

/** Progress of a hosted login: all that the person has done so far. */
export interface LoginProgress extends GenerationBound {
  readonly pending?: PendingCredential;
  /** Text that the user typed on the first page before returning to it, encrypted with the secret in the browser's cookie. */
  readonly sealedTyped?: string;
  /** Code that is locked after too many wrong attempts. `until` is the end of the lock in epoch seconds. */
  readonly closed?: { readonly codeKey: string; readonly until: number; readonly isFinal: boolean };
  /** Factors that the user has verified in this login. */
  readonly proven: readonly MethodUse[];
  readonly userId?: string;
  /** Credential ID of the passkey that was used in this login. */
  readonly passkeyId?: string;
  /** Address or provider account that was verified during a sign-up, encrypted with the secret in the browser's cookie. */
  readonly sealedSignUp?: string;
  readonly deliveredToHash?: string;
  /** Session to which this login adds a factor, with the browser secret that the session had when the login began. */
  readonly held?: LoginCookie | undefined;
  /**
   * Phone number verified in this login, encrypted with the secret in the browser's cookie. The number does not count as a
   * factor of this login.
   */
  readonly sealedPhone?: string;
  /** Set if an email address was verified in this login. The address does not count as a factor of this login. */
  readonly addedEmail?: true;
  /** Set if this login, started from the account page, has connected an identity provider account. */
  readonly connected?: true;
  /**
   * Provider account that is linked once the login has the required factors, encrypted with the secret in the browser's cookie.
   */
  readonly sealedLink?: string;
  /** Evidence that a passkey has approved the approval data of the request. */
  readonly artifacts?: PasskeyArtifacts;
  /** Set once the user has created the offered passkey or declined it. */
  readonly offered?: true;
  /** Set if the user replaces a lost factor after the recovery delay: one factor type is then enough to add a new factor. */
  readonly recovering?: true;
  /** Passkey registration that a client has requested. The login ends with the new passkey. */
  readonly enrolment?: Enrolment;
  /** Set once the person has acknowledged the pending recovery. */
  readonly heard?: true;
  /** Set once an operator has confirmed that a program on their computer may act on their behalf. */
  readonly confirmed?: true;
  /** Answer of the user on the consent page of a client with a metadata document. */
  readonly answer?: ConsentAnswer;
  /** Set if the user was created together with the passkey whose registration a client requested. */
  readonly userCreated?: true;
  /** Passkey that this login has created. It is stored already, except during sign-up. */
  readonly newPasskey?: Passkey;
}

const PURPOSE = 'login-address';
const REQUEST = 'login-request';
const PROGRESS = 'login-progress';

/** Encrypts the progress of a login, because the hashes in it would show a reader of the table who logs in. */
const sealProgress = (loginId: string, progress: LoginProgress) =>
  seal(loginId, PROGRESS, JSON.stringify(progress));

export function sealAddress(browser: Browser, address: string): string {
  return seal(browser.secret, PURPOSE, address);
}

export function unsealAddress(browser: Browser, sealed: string): string {
  const address = unseal(browser.secret, PURPOSE, sealed);
  if (address === undefined) throw new Error('the login belongs to another browser');
  return address;
}

const sealRequest = (loginId: string, request: AuthorizationRequest) =>
  seal(loginId, REQUEST, JSON.stringify(request));

interface LoginClient extends ClientOfTenant {
  readonly now: number;
}

const startFields = ({ tenant, application, client, now }: LoginClient) => ({
  tenantId: tenant.tenantId,
  applicationId: application.applicationId,
  clientId: client.clientId,
  startedAt: now,
});

export interface StartedLogin {
  readonly loginId: string;
  readonly transaction: LoginTransactionStart;
}

/**
 * Creates a login that starts at its first page. If `joins` names a session, the login may add a factor to it. Unauthenticated
 * callers can trigger this call, so `joins` proves nothing: later steps check again that the browser has the session.
 */
export function newLogin(
  origin: LoginClient & { readonly browser: Browser },
  request: AuthorizationRequest,
  joins?: Session,
  loginId = newSecret(),
): StartedLogin {
  const transaction: LoginTransactionStart = {
    ...startFields(origin),
    hash: hashSecret(loginId),
    browserHash: origin.browser.hash,
    request: sealRequest(loginId, request),
    ...(joins && { joins: joins.sessionId }),
    expiresAt: origin.now + LOGIN_TRANSACTION_SECONDS,
  };
  return { loginId, transaction };
}

/** Stores a login that a client prepares for its user. Returns the login's ID, which a browser must open within 5 minutes. */
export async function prepareLogin(
  ports: PortsWith<'loginTransactions.prepare'>,
  origin: LoginClient,
  request: AuthorizationRequest,
  progress: LoginProgress,
): Promise<string> {
  const loginId = newSecret();
  await ports.loginTransactions.prepare({
    ...startFields(origin),
    hash: hashSecret(loginId),
    request: sealRequest(loginId, request),
    progress: sealProgress(loginId, progress),
    expiresAt: origin.now + PASSKEY_REGISTRATION_SECONDS,
  });
  return loginId;
}

interface OpeningBrowser {
  readonly browser: Browser;
  readonly uiLocales: string | undefined;
  readonly now: number;
}

/**
 * Binds a prepared login to the first browser that presents its ID. Returns undefined if the ID is unknown, the login has
 * expired, or the login belongs to another browser.
 */
export async function openPrepared(
  ports: PortsWith<'loginTransactions.find' | 'loginTransactions.bind'>,
  loginId: string,
  { browser, uiLocales, now }: OpeningBrowser,
): Promise<{ readonly clientId: string; readonly userId: string } | undefined> {
  const hash = hashSecret(loginId);
  const opened = openLogin(loginId, await ports.loginTransactions.find(hash, now));
  const { enrolment, userId } = opened?.progress ?? {};
  if (!opened || !enrolment || userId === undefined) return undefined;
  const { startedAt, clientId } = opened.transaction;
  const isOwn = await ports.loginTransactions.bind(
    hash,
    {
      browserHash: browser.hash,
      request: sealRequest(loginId, omitUndefined<AuthorizationRequest>({ ...opened.request, uiLocales })),
      expiresAt: startedAt + LOGIN_TRANSACTION_SECONDS,
    },
    now,
  );
  return isOwn ? { clientId, userId } : undefined;
}

/**
 * Stores a new login. If the same authorization request was opened before, its login continues instead. Errors:
 * `request_uri_spent` if that login has ended, or if the request was completed without a login.
 */
export async function beginLogin(
  ports: PortsWith<'loginTransactions.put' | 'loginTransactions.find'>,
  transaction: LoginTransactionStart,
): Promise<void> {
  const { hash, startedAt } = transaction;
  if (await ports.loginTransactions.put(transaction)) return;
  if (!(await ports.loginTransactions.find(hash, startedAt))) throw new ServiceError('request_uri_spent');
}

/**
 * Marks an authorization request as completed without a login, so that a reload gets no second code. Errors:
 * `request_uri_spent` if a login was started for the request, or if a concurrent call was faster.
 */
export async function skipLogin(
  ports: PortsWith<'loginTransactions.skip'>,
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

type OpenedLogin = Omit<OpenLogin, 'loginId' | 'progress'> & { readonly progress: LoginProgress | null };

/** Decrypts the request of a login and its progress, if there is any. Returns undefined for the ID of another login. */
function openLogin(loginId: string, found: LoginTransaction | undefined): OpenedLogin | undefined {
  if (!found) return undefined;
  const request = unseal(loginId, REQUEST, found.request);
  const sealed = found.progress === undefined ? 'null' : unseal(loginId, PROGRESS, found.progress);
  if (request === undefined || sealed === undefined) return undefined;
  return { transaction: found, request: JSON.parse(request), progress: JSON.parse(sealed) };
}

interface PageRequest {
  readonly cookies: Cookies;
  readonly now: number;
}

/**
 * Returns the initial progress of a login. If the login is to add a factor to a session, the browser's cookies must contain
 * that session now. Otherwise no factor is added, and the login is denied.
 */
async function firstProgress(
  ports: PortsWith<'sessions.find'>,
  { tenantId, joins }: LoginTransaction,
  { undo }: AuthorizationRequest,
  { cookies, now }: PageRequest,
): Promise<LoginProgress> {
  if (undo) return { proven: [], userId: undo.userId, generation: undo.generation };
  // Without a session, the generation is that of a new user until a factor of an existing user is proven.
  if (joins === undefined) return { proven: [], generation: FIRST_GENERATION };
  const session = await findBrowserSession(ports, { tenantId }, cookies, now);
  if (session?.sessionId !== joins)
    return {
      proven: [],
      generation: FIRST_GENERATION,
      userId: parseUserId(joins),
      held: { sessionId: joins, browserHash: '' },
    };
  const { userId, generation } = session;
  return { proven: [], userId, held: readLoginCookie({ tenantId }, cookies), generation };
}

/**
 * Opens a login in the browser that began it. Errors: `login_not_found`, `login_elsewhere`, and `login_code_elsewhere` if the
 * email with the link also contains a code that can be typed in the other browser.
 * @param link Code of the mailed link that was opened, if any.
 */
export async function requireLogin(
  ports: PortsWith<'loginTransactions.find' | 'sessions.find'>,
  loginId: string,
  page: PageRequest,
  link?: string,
): Promise<OpenLogin> {
  const browser = readBrowser(page.cookies);
  const opened = openLogin(loginId, await ports.loginTransactions.find(hashSecret(loginId), page.now));
  if (!opened) throw new ServiceError('login_not_found');
  const { transaction } = opened;
  const progress = opened.progress ?? (await firstProgress(ports, transaction, opened.request, page));
  const { pending } = progress;
  const isBesideCode = pending && sendsCode(pending.channel) && link !== undefined && hasLink(pending, link);
  if (isBesideCode && transaction.browserHash !== browser.hash)
    throw new ServiceError('login_code_elsewhere');
  requireSameBrowser(transaction, browser);
  // An enrolment in the request is ignored, because a request proves nothing. Only stored progress can contain one.
  const { enrolment: _, ...request } = opened.request;
  const { enrolment } = progress;
  return { loginId, transaction, request: { ...request, ...(enrolment && { enrolment }) }, progress };
}

/** Open login, and the time of the current request in epoch seconds. */
interface LoginAt {
  readonly login: OpenLogin;
  readonly now: number;
}

/** Stores the progress of a login. Returns undefined if another tab was faster or has ended the login. */
export async function saveProgress(
  ports: PortsWith<'loginTransactions.advance'>,
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

/** Returns true if another tab has stored progress since this request read the login. */
export async function hasOtherTabProgressed(
  ports: PortsWith<'loginTransactions.find'>,
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

/** Returns the progress of a login after a code or link was verified. The first factor sets the credential generation. */
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

/** Returns the links to an address that stay valid if the next message cannot be sent. */
export function listEarlierLinks(
  pending: PendingCredential | undefined,
  codeKey: string,
): readonly SentLink[] | undefined {
  if (pending?.codeKey !== codeKey || pending.linkHash === undefined) return undefined;
  const { linkHash, expiresAt, earlierLinks = [] } = pending;
  return [...earlierLinks, { linkHash, expiresAt }];
}

/** Returns true if a link was sent for this login and expires after `now` (epoch seconds). */
function hasLink({ earlierLinks = [], ...newest }: PendingCredential, code: string, now = 0): boolean {
  const hash = hashSecret(code);
  return [newest, ...earlierLinks].some(
    ({ linkHash, expiresAt }) => linkHash !== undefined && expiresAt > now && areSecretsEqual(hash, linkHash),
  );
}

/** Returns true if a link was really sent for this login (not only shown as sent) and has not expired. */
export function isPendingLink(
  pending: PendingCredential | undefined,
  code: string,
  now: number,
): pending is PendingCredential {
  return pending !== undefined && pending.kind !== 'unknown' && hasLink(pending, code, now);
}
