import { awaitAll } from '../../domain/basis/await-all.ts';
import { pickDevice } from '../../domain/basis/client-attributes.ts';
import { newSessionId } from '../../domain/basis/random.ts';
import { consumeInParallel, restoreOnFailure } from '../../domain/credentials/authentication-proof.ts';
import { isMailedLink, listCodeProofs } from '../../domain/credentials/mailed-link.ts';
import { lastUses } from '../../domain/credentials/mfa.ts';
import { isStillReachable } from '../../domain/identifiers/proven-address.ts';
import {
  type CodePorts,
  consumeAuthorizationCode,
  createCodeConsumption,
  type PresentedCode,
  validateAuthorizationCode,
} from '../../domain/oauth/authorization-code.ts';
import type { ProvenClient } from '../../domain/oauth/client-authentication.ts';
import { type MembershipPorts, requireMembership } from '../../domain/organizations/membership.ts';
import type { PasskeyArtifacts } from '../../domain/passkeys/passkey-artifacts.ts';
import { type PasskeyStorage, storePasskeyIfFree } from '../../domain/passkeys/passkey-storage.ts';
import { unsealArtifacts } from '../../domain/passkeys/sealed-artifacts.ts';
import { resolveAudience } from '../../domain/sessions/audience.ts';
import { readGrant } from '../../domain/sessions/login.ts';
import { filterValidSession } from '../../domain/sessions/session.ts';
import { hasEnded, TENANT_WIDE } from '../../domain/trust/generations.ts';
import type { NewUserPorts } from '../../domain/users/create-user.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import {
  awaitSignedUp,
  findSignedUp,
  hasFurtherProofs,
  requirePublicSignup,
  requireSameProofs,
  signUp,
  takenMeanwhileError,
} from '../../domain/users/sign-up.ts';
import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext, ClientCaller } from '../../operation.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { AuthorizationCode, CodeOwner } from '../../ports/authorization.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type DpopProof, spendDpopProof } from '../../tokens/dpop.ts';
import { type CompletedLogin, completeLogin, type LoginPorts } from './complete-login.ts';
import { requireSentProof, type SentProof } from './sent-login.ts';

export type ExchangePorts = LoginPorts &
  CodePorts &
  MembershipPorts &
  NewUserPorts &
  PasskeyStorage &
  PortsWith<
    | 'replays'
    | 'resources'
    | 'sessions.endAllOf'
    | 'sessions.find'
    | 'users.find'
    | 'identifiers'
    | 'passkeys.listOf'
  >;

export interface ExchangedCode extends CompletedLogin {
  readonly code: AuthorizationCode;
  /** Method of the login's last factor. */
  readonly method: AuthenticationMethod;
  readonly userCreated: boolean;
  /** Audit events in addition to the login, such as `user.reclaimed` and `passkey.added`. */
  readonly events: readonly AuditEvent[];
  /** Evidence of what the user approved with a passkey. */
  readonly artifacts?: PasskeyArtifacts | undefined;
}

/**
 * Returns the audit context of a code exchange. In code-based logins, it contains `verified: 'link'`, because the exchange
 * consumes the mailed link. In other logins, the credentials were consumed before the code was issued.
 */
export function toAuditContext({ code, method, session, events }: ExchangedCode): AuditContext {
  return {
    userId: session.userId,
    sessionId: session.sessionId,
    method,
    ...(isMailedLink(code) ? { verified: 'link' } : {}),
    events,
  };
}

/**
 * Chooses the single resource of the tokens: the requested resource if it was authorized, or the first authorized resource if
 * the request names none (RFC 8707 §2.2). Errors: `resource_not_found`.
 */
function chooseResource(authorized: readonly string[], requested: string | undefined): string | undefined {
  if (requested === undefined) return authorized[0];
  if (!authorized.includes(requested)) throw new ServiceError('resource_not_found');
  return requested;
}

/** Returns the session that the login joins. Returns undefined if the code starts a new session. Errors: `invalid_grant`. */
async function requireJoined(
  ports: ExchangePorts,
  { application }: Pick<ClientCaller, 'application'>,
  code: AuthorizationCode,
  now: number,
) {
  if (code.startsSession) return undefined;
  const session = filterValidSession(await ports.sessions.find(code.sessionId, now), application);
  if (!session) throw new ServiceError('invalid_grant', { message: 'The login session has ended' });
  return session;
}

const GRANT_ERRORS: readonly ErrorKey[] = [
  'login_user_gone',
  'user_not_active',
  'membership_missing',
  'session_not_found',
  'public_signup_off',
  'additional_factor_required',
];

/** Converts errors about the user, session or organization into `invalid_grant` (RFC 6749 §5.2). */
function asGrantError(error: unknown): unknown {
  return error instanceof ServiceError && GRANT_ERRORS.includes(error.key)
    ? new ServiceError('invalid_grant', {
        ...error.detail,
        message: catalogue[error.key].message,
        cause: error,
      })
    : error;
}

/** Authorization code as presented, with the requested resource and the DPoP proof of the key to which the tokens are bound. */
export type CodeRequest = Omit<PresentedCode, 'dpopJkt'> & {
  readonly resource: string | undefined;
  readonly proof: DpopProof | undefined;
};

interface TokenSettings {
  readonly issuer: string;
  readonly defaultAudience: string;
}

type ExchangingClient = Pick<ClientCaller, 'client' | 'tenant' | 'application'> &
  Pick<ProvenClient, 'confirm'>;

/**
 * Exchanges an authorization code for tokens (RFC 6749 §4.1.3), and creates the user of a pending sign-up. Checks that do not
 * need the user run before the code is consumed. Errors: `invalid_grant`, `invalid_client`, `resource_not_found`,
 * `invalid_dpop_proof`.
 */
export async function exchangeCode(
  ports: ExchangePorts,
  caller: ExchangingClient,
  request: CodeRequest,
  settings: TokenSettings,
): Promise<ExchangedCode> {
  try {
    return await exchange(ports, caller, request, settings);
  } catch (error) {
    throw asGrantError(error);
  }
}

/**
 * Rejects a code if the user has removed the address to which the code was sent, because a lost mailbox must not give access.
 * Also rejects a code if its credential generation, or that of the joined session, is superseded. The generation of a code from
 * a mailed link is not checked, because the exchange itself is the proof. Errors: `login_user_gone`.
 */
function requireStillGood(
  tenant: Tenant,
  user: User,
  code: AuthorizationCode,
  joined: Session | undefined,
): void {
  const { deliveredToHash, sealedSignUp } = code;
  const isStale = !isMailedLink(code) && sealedSignUp === undefined && hasEnded(user, code);
  if (isStale || (joined && hasEnded(user, joined)) || !isStillReachable(tenant, user, deliveredToHash))
    throw new ServiceError('login_user_gone');
}

/**
 * Determines how strongly a code proves an existing user's address. The code was delivered to this address in a code-based
 * login (SPEC section C), or in a sign-up whose address now belongs to a user. Returns undefined if the code was not delivered
 * to an address. Errors: `additional_factor_required`.
 */
async function readProof(
  ports: ExchangePorts,
  { user, ...caller }: ExchangingClient & { readonly user: User },
  code: AuthorizationCode,
  now: number,
): Promise<SentProof | undefined> {
  const { deliveredToHash } = code;
  const last = listCodeProofs(code, now).at(-1);
  if (deliveredToHash === undefined || !last) return undefined;
  return requireSentProof(ports, caller, user, { ...last, deliveredToHash, proofs: [] });
}

/**
 * Exchanges a code for tokens. If another user takes the address or identity provider account of a sign-up in the meantime (for
 * example by signing up on two devices at the same time), the code is restored and exchanged again as a login of that user.
 */
async function exchange(
  ports: ExchangePorts,
  caller: ExchangingClient,
  { proof: key, ...request }: CodeRequest,
  settings: TokenSettings,
): Promise<ExchangedCode> {
  const check = () => validateAuthorizationCode(ports, { ...request, dpopJkt: key?.jkt });
  const [, , code] = await awaitAll(
    caller.confirm(),
    key ? spendDpopProof(ports, key, request.now) : Promise.resolve(),
    check(),
  );
  const attempt = (checked: AuthorizationCode, isLost: boolean) =>
    exchangeChecked(ports, caller, { ...request, proof: key, checked, isLost }, settings);
  const first = await attempt(code, false);
  const exchanged = first ?? (await attempt(await check(), true));
  if (!exchanged) throw takenMeanwhileError();
  return exchanged;
}

/**
 * Exchanges a validated code. Returns undefined if another user has taken the address or identity provider account of the
 * sign-up in the meantime.
 * @param isLost True on the second attempt, after the first attempt returned undefined
 */
async function exchangeChecked(
  ports: ExchangePorts,
  caller: ExchangingClient,
  {
    proof: key,
    checked: code,
    isLost,
    ...request
  }: CodeRequest & { readonly checked: AuthorizationCode; readonly isLost: boolean },
  settings: TokenSettings,
): Promise<ExchangedCode | undefined> {
  const { now } = request;
  const { sealedSignUp, userId, tenantId } = code;
  const resource = chooseResource(code.resources, request.resource);
  const pending = { code: request.code, sealed: sealedSignUp ?? '', userId, methods: code.methods };
  const findMade = () => (isLost ? awaitSignedUp : findSignedUp)(ports, caller.tenant, pending);
  const lookUp = async () => {
    const [audience, found, membership, session] = await awaitAll(
      resolveAudience(ports, caller, resource, settings),
      sealedSignUp === undefined ? requireLoginUser(ports, tenantId, userId) : findMade(),
      requireMembership(ports, tenantId, userId, code.organizationId),
      requireJoined(ports, caller, code, now),
    );
    // If an earlier exchange of this hosted sign-up has failed, it may have created the user. `signUp` below finds that user.
    const isAgain = sealedSignUp !== undefined && !code.startsSession && found?.userId === userId;
    const known = isAgain ? undefined : found;
    // The address belongs to a user whose ID is not the one reserved for the sign-up. The tokens and a new session are issued
    // for that existing user.
    const owner =
      known && known.userId !== userId
        ? { userId: known.userId, sessionId: newSessionId(known.userId) }
        : undefined;
    // The browser session of a hosted sign-up contains the reserved user ID, but no user with this ID will be created.
    const joined = owner ? undefined : session;
    if (known) requireStillGood(caller.tenant, known, code, joined);
    else requirePublicSignup(caller.application);
    const isMore = owner !== undefined && hasFurtherProofs(pending);
    if (known && isMore) requireSameProofs(known, caller.application, pending);
    const isSent = known && !joined && !isMore;
    const sent = isSent ? await readProof(ports, { ...caller, user: known }, code, now) : undefined;
    // The consent belongs to the new user who was about to be created, not to the existing user.
    if (owner && code.consentId !== undefined) throw new ServiceError('login_user_gone');
    return { audience, known, membership, joined, owner, sent };
  };
  // If the exchange is rejected or fails after this point, the code is restored, so that the client can retry.
  const consumption = createCodeConsumption(ports, { code: request.code, record: code });
  const consume = (instead?: CodeOwner) =>
    consumeAuthorizationCode(ports, code, now, { instead, holder: consumption.holder });
  const consumeForOwner = async () => {
    const result = await lookUp();
    return { proof: await consume(result.owner), result };
  };
  return restoreOnFailure(consumption, async () => {
    const { proof, result } = await (sealedSignUp === undefined
      ? consumeInParallel(consumption, consume(), lookUp())
      : // The look-up decides for which user a session starts, so the code is consumed after it.
        consumeForOwner());
    const { audience, known, membership, joined, owner, sent } = result;
    const events: AuditEvent[] = [];
    const ids = { sessionId: owner?.sessionId ?? code.sessionId, familyId: code.familyId };
    const { applicationId } = caller.application;
    const scope = code.origin === 'code-based' ? applicationId : TENANT_WIDE;
    const found = known
      ? { user: known, passkey: undefined }
      : await signUp(ports, { tenant: caller.tenant, applicationId, scope }, pending, now);
    // Another user has just taken the address or account. `exchange` then exchanges the code again as a login of that user.
    if (!found) {
      await consumption.undo();
      return undefined;
    }
    const { user, passkey } = found;
    const factors = sent ? [sent.use] : lastUses(...listCodeProofs(code, proof.at));
    // The proof supersedes older credentials and ends sessions. Sessions exist only if the user has logged in before.
    const shutsOut = sent?.noted?.newGenerations !== undefined && user.lastAuthAt !== undefined;
    if (shutsOut) events.push('user.reclaimed');
    const completing = completeLogin(ports, {
      ...readGrant(code),
      proof,
      caller,
      issuer: settings.issuer,
      user,
      joined,
      methods: joined ? [] : factors,
      factors,
      membership,
      audience,
      device: pickDevice(code),
      offlineAccess: code.offlineAccess,
      noted: sent?.noted,
      ids,
      dpopJkt: key?.jkt,
      at: now,
    });
    const [login, passkeyAdded] = await awaitAll(
      completing,
      passkey ? storePasskeyIfFree(ports, caller.application, passkey) : Promise.resolve(false),
      shutsOut ? ports.sessions.endAllOf(user.userId, now, ids.sessionId) : Promise.resolve(),
    );
    const artifacts = unsealArtifacts(request.code, code.sealedArtifacts);
    if (passkeyAdded) events.push('passkey.added');
    return { ...login, code, method: proof.method, userCreated: known === undefined, events, artifacts };
  });
}
