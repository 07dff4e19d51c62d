import { awaitAll } from '../../domain/basis/await-all.ts';
import { findBrowserSession, readBrowser, readLoginCookie } from '../../domain/basis/browser.ts';
import { addParameters, allowsRedirect } from '../../domain/basis/redirect-uri.ts';
import { buildLinkDestination } from '../../domain/credentials/magic-link.ts';
import { isMailedLink, listCodeProofs } from '../../domain/credentials/mailed-link.ts';
import { isHalfLoginByRiskyNumber } from '../../domain/hosted-login/sign-on.ts';
import { isStillReachable } from '../../domain/identifiers/proven-address.ts';
import { addFactor } from '../../domain/sessions/second-factor.ts';
import { filterValidSession } from '../../domain/sessions/session.ts';
import { meetsSessionSettings } from '../../domain/sessions/session-lifetimes.ts';
import type { BindingLogin } from '../../domain/trust/binding.ts';
import { needsAnotherFactor } from '../../domain/trust/factor-types.ts';
import { currentGeneration, FIRST_GENERATION, hasEnded } from '../../domain/trust/generations.ts';
import { findTrustGains } from '../../domain/trust/trust-gains.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import { storeProvenAddresses } from '../../domain/users/store-proven-credentials.ts';
import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { OperationRequest, OperationRow } from '../../operation.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application, ApplicationOfTenant, Tenant } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { RecordedProof, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { browserCookies, loginCookie } from '../browser/browser-response.ts';
import { readSentProof } from '../login/sent-login.ts';
import { findLoginReplacedBy, type ReplacedLogin } from './replaced-login.ts';

type ReturnPorts = PortsWith<
  | 'codes.spend'
  | 'codes.upgrade'
  | 'applications'
  | 'tenants'
  | 'users.find'
  | 'sessions.find'
  | 'sessions.join'
  | 'sessions.releaseBrowser'
  | 'sessions.start'
  | 'sessions.endAllOf'
  | 'users.noteProof'
  | 'passkeys.listOf'
  | 'userRecords.find'
  | 'userRecords.replace'
>;

interface Redirect {
  readonly redirect: string;
  readonly cookies: readonly string[];
}

/** Result if the user must first confirm the login, which may replace another user's login in this browser. */
interface Unconfirmed {
  readonly replaces: ReplacedLogin | undefined;
  readonly application: Application;
}

/**
 * Function that returns true if the user has confirmed the new login in this browser. `replacedUserId` is the ID of another
 * user who is logged in. The confirmation must then be for replacing this user's login.
 */
type IsConfirmed = (replacedUserId: string | undefined) => boolean;

function redirectTo(
  { redirectUri, state }: AuthorizationCode,
  parameters: Readonly<Record<string, string>>,
  cookies: readonly string[] = [],
): Redirect {
  return { redirect: addParameters(redirectUri, { ...parameters, state }), cookies };
}

/** Errors for which the browser is redirected to the caller with `access_denied` instead of a code. */
const REFUSALS: readonly ErrorKey[] = ['access_denied', 'login_user_gone', 'user_not_active'];

function redirectRefusal(record: AuthorizationCode, error: unknown): Redirect {
  if (!(error instanceof ServiceError) || !REFUSALS.includes(error.key)) throw error;
  const description = error.detail.message ?? catalogue[error.key].message;
  return redirectTo(record, { error: 'access_denied', error_description: description });
}

/** Finds the user of a code. Returns undefined during sign-up. Errors: `login_user_gone`, `user_not_active`. */
async function findUser(
  ports: ReturnPorts,
  tenant: Tenant,
  code: AuthorizationCode,
): Promise<User | undefined> {
  const { sealedSignUp, userId, deliveredToHash } = code;
  if (sealedSignUp !== undefined) return undefined;
  const user = await requireLoginUser(ports, tenant.tenantId, userId);
  const isStale = !isMailedLink(code) && hasEnded(user, code);
  if (isStale || !isStillReachable(tenant, user, deliveredToHash)) throw new ServiceError('login_user_gone');
  return user;
}

/** Authorization code and its record. The record is stored under the hash of the code. */
interface FoundCode {
  readonly code: string;
  readonly record: AuthorizationCode;
}

/** Returns the authentication methods that a code adds to the browser's login, and how strongly each proves the user. */
async function readMethods(
  ports: ReturnPorts,
  { user, ...place }: ApplicationOfTenant & { readonly user: User | undefined },
  record: AuthorizationCode,
  { proofs, now }: { readonly proofs: readonly MethodUse[]; readonly now: number },
): Promise<{ readonly methods: readonly MethodUse[]; readonly noted: RecordedProof | undefined }> {
  const uses = listCodeProofs(record, now);
  const last = uses.at(-1);
  const { deliveredToHash } = record;
  if (!user || !last || deliveredToHash === undefined) return { methods: uses, noted: undefined };
  const { use, noted } = await readSentProof(ports, place, user, { ...last, deliveredToHash, proofs });
  return { methods: [...uses.slice(0, -1), use], noted };
}

/**
 * Reinstates superseded credentials that the user has used together with sufficient credentials. Passkeys are skipped, because
 * they issue no code. A superseded passkey in the session was used in an earlier login, which did not reinstate it.
 */
async function settleSuperseded(
  ports: ReturnPorts,
  login: Omit<BindingLogin, 'passkeys' | 'proofs'> & { readonly proofs: readonly MethodUse[] },
) {
  const given = login.proofs.filter(({ worth, method }) => worth === 'quarantined' && method !== 'webauthn');
  if (given.length === 0) return;
  const binding = { ...login, passkeys: await ports.passkeys.listOf(login.user.userId) };
  await storeProvenAddresses(ports, login.user, findTrustGains(binding, given, 'api'));
}

/**
 * Adds the code to the browser's login as one of two factors. Redirects to the caller: with the code if the login has both
 * factors, otherwise with `mfa_required`. Returns undefined if another request has just consumed the code.
 */
async function returnWithFactor(
  ports: ReturnPorts,
  { code, record, application, tenant }: FoundCode & ApplicationOfTenant,
  { request: { cookies, now }, audit }: OperationRequest<OperationRow>,
  isConfirmed: IsConfirmed,
): Promise<Redirect | Unconfirmed | undefined> {
  const [user, session] = await awaitAll(
    findUser(ports, tenant, record),
    findBrowserSession(ports, tenant, cookies, now),
  );
  const found = filterValidSession(session, application);
  const good =
    found && meetsSessionSettings(found, application, now) && !isHalfLoginByRiskyNumber(found, user);
  // Ignore a session whose credentials were superseded, or whose first factor is an SMS to a number at risk.
  const browserSession =
    good && !(user && found.userId === user.userId && hasEnded(user, found)) ? found : undefined;
  const replaces = await findLoginReplacedBy(ports, browserSession, user);
  if (!isConfirmed(replaces?.userId)) return { replaces, application };
  const cookie = readLoginCookie(tenant, cookies);
  const proofs = browserSession && browserSession.userId === user?.userId ? browserSession.methods : [];
  const { methods, noted } = await readMethods(ports, { tenant, application, user }, record, { proofs, now });
  const needsAnyFactor = needsAnotherFactor(methods) || needsAnotherFactor(proofs);
  // If this proof supersedes older credentials, it starts a new credential generation, to which the session then belongs.
  const generation = user
    ? currentGeneration(noted?.newGenerations ? { generations: noted.newGenerations } : user)
    : FIRST_GENERATION;
  const facts = { code: record, application, user, methods, browserSession, cookieSession: cookie, at: now };
  // The proof is stored only if the user's credential generations have not changed since they were read.
  const noteProof = async () => {
    if (user && noted?.trust && !(await ports.users.noteProof(user, noted)))
      throw new ServiceError('login_user_gone');
  };
  const factor = await addFactor(ports, { ...facts, generation, needsAnyFactor, noteProof });
  if (!factor) return undefined;
  if (user && noted?.newGenerations && user.lastAuthAt !== undefined) {
    await ports.sessions.endAllOf(user.userId, now, factor.sessionId);
    audit({ events: ['user.reclaimed'] });
  }
  if (user && factor.outcome === 'complete')
    await settleSuperseded(ports, { user, application, proofs: [...proofs, ...methods], at: now });
  audit({ sessionId: factor.sessionId });
  const { renewed } = factor;
  const kept = [
    ...browserCookies({ browser: readBrowser(cookies) }),
    ...(renewed ? [loginCookie(tenant, renewed)] : []),
  ];
  if (factor.outcome === 'complete') return redirectTo(record, { code }, kept);
  const description = `A second factor is required: ${factor.open.join(',')}`;
  return redirectTo(record, { error: 'mfa_required', error_description: description }, kept);
}

/**
 * Redirects the browser to the caller with its code, either immediately or after the second of two factors. The browser's login
 * changes only if `isConfirmed` returns true. Returns undefined if the code has expired or was consumed, if its application was
 * deleted, or if the application no longer lists the redirect URI.
 */
export async function returnToCaller(
  ports: ReturnPorts,
  { code, record }: FoundCode,
  input: OperationRequest<OperationRow>,
  isConfirmed: IsConfirmed,
): Promise<Redirect | Unconfirmed | undefined> {
  const [application, tenant] = await awaitAll(
    ports.applications.find(record.applicationId),
    ports.tenants.find(record.tenantId),
  );
  if (!tenant || !allowsRedirect(application, record)) return undefined;
  const { alive, url } = buildLinkDestination(record, code, input.request.now);
  if (!alive) return isMailedLink(record) ? { redirect: url, cookies: [] } : undefined;
  if (!record.requireMfa) return redirectTo(record, { code });
  try {
    return await returnWithFactor(ports, { code, record, application, tenant }, input, isConfirmed);
  } catch (error) {
    return redirectRefusal(record, error);
  }
}
