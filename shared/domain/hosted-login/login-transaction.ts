import { ServiceError } from '../../errors/service-error.ts';
import type { LoginTransaction } from '../../ports/authorization.ts';
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { Addressee, MethodUse, Session } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';
import type { Begun } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import { type Browser, type HeldSession, requireSameBrowser } from '../basis/browser.ts';
import { LOGIN_TRANSACTION_SECONDS, PUSHED_REQUEST_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { equalSecrets, hashSecret, newSecret } from '../basis/random.ts';
import { seal, unseal } from '../basis/sealing.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import type { PasskeyArtifacts } from '../passkeys/passkey-artifacts.ts';
import { FIRST } from '../trust/generations.ts';

/** One browser login from the authorization request to its code. */

export type HostedChannel = 'email' | 'sms' | 'link';

/** A credential that was sent, or that the page says was sent: the page is the same for an address without a user. */
export interface PendingCredential extends Addressee {
  readonly channel: HostedChannel;
  /** Verifies an address that the user adds; no factor of this login. */
  readonly adds?: boolean;
  /** The address as typed, sealed under the browser's cookie. */
  readonly sealedAddress: string;
  /** `identifierHash` of the key of the code. */
  readonly codeKey: string;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly deliveredToHash?: string;
  /** SHA-256 of a link's code. */
  readonly linkHash?: string;
}

/** What the user has done so far. */
export interface LoginProgress extends Begun {
  readonly pending?: PendingCredential;
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

/** The progress of a login that adds a factor to the session that the browser holds. */
export function steppingUp({ userId, generation }: Session, held: HeldSession | undefined): LoginProgress {
  return { proven: [], userId, held, generation };
}

/** Of a login without a user yet: one who signs up begins with something proven. */
export const NO_PROGRESS: LoginProgress = { proven: [], generation: FIRST };

export interface StartedLogin {
  readonly loginId: string;
  readonly transaction: LoginTransaction;
}

export function newLogin(
  place: {
    readonly tenant: Tenant;
    readonly application: Application;
    readonly client: Client;
    readonly browser: Browser;
    readonly now: number;
  },
  request: AuthorizationRequest,
  progress: LoginProgress,
  loginId = newSecret(),
): StartedLogin {
  const { browser, now } = place;
  const transaction: LoginTransaction = {
    hash: hashSecret(loginId),
    tenantId: place.tenant.tenantId,
    applicationId: place.application.applicationId,
    clientId: place.client.clientId,
    browserHash: browser.hash,
    request: seal(loginId, REQUEST, JSON.stringify(request)),
    progress: sealProgress(loginId, progress),
    version: 0,
    startedAt: now,
    expiresAt: now + LOGIN_TRANSACTION_SECONDS,
  };
  return { loginId, transaction };
}

/**
 * Stores a login. One that a reload of the same request began before goes on instead. Errors: `request_uri_spent` when that
 * one has ended, or the request was answered without a login.
 */
export async function beginLogin(
  ports: Using<'loginTransactions.put' | 'loginTransactions.find'>,
  transaction: LoginTransaction,
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

/**
 * Opens the login of a page, in the browser that began it. `link` is the code of the mailed link that leads there.
 * Errors: `login_not_found`, `login_elsewhere`, `login_code_elsewhere` when the mail has a code for that other browser.
 */
export async function requireLogin(
  ports: Using<'loginTransactions.find'>,
  loginId: string,
  browser: Browser,
  now: number,
  link?: string,
): Promise<OpenLogin> {
  const found = await ports.loginTransactions.find(hashSecret(loginId), now);
  const request = found && unseal(loginId, REQUEST, found.request);
  const sealed = found && unseal(loginId, PROGRESS, found.progress);
  if (!found || request === undefined || sealed === undefined) throw new ServiceError('login_not_found');
  const progress = JSON.parse(sealed) as LoginProgress;
  const { pending } = progress;
  const isBesideCode = pending?.channel === 'email' && isLinkOf(pending, link);
  if (isBesideCode && found.browserHash !== browser.hash) throw new ServiceError('login_code_elsewhere');
  const transaction = requireSameBrowser(found, browser);
  return { loginId, transaction, request: JSON.parse(request) as AuthorizationRequest, progress };
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
    transaction: { ...login.transaction, version: login.transaction.version + 1 },
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

/** The progress after a proven code or link: its factor, its user, and the generation that the first factor began in. */
export function withFactor(
  progress: LoginProgress,
  pending: PendingCredential,
  use: MethodUse,
  sealedSignUp: string | undefined,
  generation: number,
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

const isLinkOf = ({ linkHash }: PendingCredential, code: string | undefined): boolean =>
  linkHash !== undefined && code !== undefined && equalSecrets(hashSecret(code), linkHash);

/** Whether a link is the one that was sent for this login, to a user, in time. */
export function isPendingLink(
  pending: PendingCredential | undefined,
  code: string,
  now: number,
): pending is PendingCredential {
  return (
    pending !== undefined && pending.kind !== 'unknown' && pending.expiresAt > now && isLinkOf(pending, code)
  );
}
