import { awaitAll } from '../../domain/basis/await-all.ts';
import { deviceOf } from '../../domain/basis/client-attributes.ts';
import { newSessionId } from '../../domain/basis/random.ts';
import { consumeBeside, orGiveBack } from '../../domain/credentials/authentication-proof.ts';
import { isMailedLink, usesOf } from '../../domain/credentials/mailed-link.ts';
import { lastUses } from '../../domain/credentials/mfa.ts';
import { isStillReachable } from '../../domain/identifiers/proven-address.ts';
import {
  type CodePorts,
  checkCode,
  consumeCode,
  holdCode,
  type PresentedCode,
} from '../../domain/oauth/authorization-code.ts';
import type { ProvenClient } from '../../domain/oauth/client-authentication.ts';
import { type MembershipPorts, requireMembership } from '../../domain/organizations/membership.ts';
import type { PasskeyArtifacts } from '../../domain/passkeys/passkey-artifacts.ts';
import { type PasskeyStorage, storePasskeyIfFree } from '../../domain/passkeys/passkey-storage.ts';
import { openArtifacts } from '../../domain/passkeys/sealed-artifacts.ts';
import { resolveAudience } from '../../domain/sessions/audience.ts';
import { readGrant } from '../../domain/sessions/login.ts';
import { sessionAt } from '../../domain/sessions/session.ts';
import { isOver, TENANT } from '../../domain/trust/generations.ts';
import type { NewUserPorts } from '../../domain/users/create-user.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import {
  awaitSignedUp,
  findSignedUp,
  provedMore,
  requirePublicSignup,
  requireSameProofs,
  signUp,
  takenMeanwhile,
} from '../../domain/users/sign-up.ts';
import { catalogue, type ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext, ClientCaller } from '../../operation.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { AuthorizationCode, CodeOwner } from '../../ports/authorization.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { type DpopProof, spendDpopProof } from '../../tokens/dpop.ts';
import { type CompletedLogin, completeLogin, type LoginPorts } from './complete-login.ts';
import { requireSentProof, type SentProof } from './sent-login.ts';

export type ExchangePorts = LoginPorts &
  CodePorts &
  MembershipPorts &
  NewUserPorts &
  PasskeyStorage &
  Using<
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
  /** The last factor of the login. */
  readonly method: AuthenticationMethod;
  readonly userCreated: boolean;
  /** What has happened beside the login. */
  readonly events: readonly AuditEvent[];
  /** From an approval by passkey. */
  readonly artifacts?: PasskeyArtifacts | undefined;
}

/** For the audit log: the exchange consumes the link of a code-based login; other credentials are consumed before. */
export function noteOfExchange({ code, method, session, events }: ExchangedCode): AuditContext {
  return {
    userId: session.userId,
    sessionId: session.sessionId,
    method,
    ...(isMailedLink(code) ? { verified: 'link' } : {}),
    events,
  };
}

/**
 * The one resource of the tokens: one of those that were authorized, never another (RFC 8707 §2.2).
 * Errors: `resource_not_found`.
 */
function chooseResource(authorized: readonly string[], requested: string | undefined): string | undefined {
  if (requested === undefined) return authorized[0];
  if (!authorized.includes(requested)) throw new ServiceError('resource_not_found');
  return requested;
}

async function requireJoined(
  ports: ExchangePorts,
  { application }: Pick<ClientCaller, 'application'>,
  code: AuthorizationCode,
  now: number,
) {
  if (code.startsSession) return undefined;
  const session = sessionAt(await ports.sessions.find(code.sessionId, now), application);
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

/** RFC 6749 §5.2: a grant that no longer holds is `invalid_grant`, whatever the reason. */
function asGrantError(error: unknown): unknown {
  return error instanceof ServiceError && GRANT_ERRORS.includes(error.key)
    ? new ServiceError('invalid_grant', {
        ...error.detail,
        message: catalogue[error.key].message,
        cause: error,
      })
    : error;
}

/** A presented code, the requested resource, and the key that binds the tokens. */
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
 * Exchanges a code for tokens (RFC 6749 §4.1.3). Checks everything that needs no look-up of the user before it consumes the code;
 * then it makes the user of a pending sign-up. Errors: `invalid_grant`, `invalid_client`, `resource_not_found`, `invalid_dpop_proof`.
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
 * The user may have given up the address since: a lost mailbox must not log in. Nor may a proof of a generation that is over; a
 * mailed link is proven only now. Errors: `login_user_gone`.
 */
function requireStillGood(
  tenant: Tenant,
  user: User,
  code: AuthorizationCode,
  joined: Session | undefined,
): void {
  const { deliveredToHash, sealedSignUp } = code;
  const isStale = !isMailedLink(code) && sealedSignUp === undefined && isOver(user, code);
  if (isStale || (joined && isOver(user, joined)) || !isStillReachable(tenant, user, deliveredToHash))
    throw new ServiceError('login_user_gone');
}

/**
 * What a code of section C proves, and that of a sign-up whose user there is by now; undefined where the browser's login has said
 * it. Errors: `additional_factor_required`.
 */
async function readProof(
  ports: ExchangePorts,
  { user, ...caller }: ExchangingClient & { readonly user: User },
  code: AuthorizationCode,
  now: number,
): Promise<SentProof | undefined> {
  const { deliveredToHash } = code;
  const last = usesOf(code, now).at(-1);
  if (deliveredToHash === undefined || !last) return undefined;
  return requireSentProof(ports, caller, user, { ...last, deliveredToHash, proofs: [] });
}

/**
 * Returns true if a user who has the address by now is looked for before the user of the sign-up is made: the code starts its own
 * session, or its hosted login proved that address and nothing else. After other logins only once the address is taken.
 */
const looksFirst = ({ startsSession, deliveredToHash, methods }: AuthorizationCode): boolean =>
  startsSession || (deliveredToHash !== undefined && methods.length === 1);

/**
 * Exchanges the code. If another user takes the address or account of its sign-up meanwhile, as a second device does at the same
 * moment, gives the code back and exchanges it once more, as a login of that user.
 */
async function exchange(
  ports: ExchangePorts,
  caller: ExchangingClient,
  { proof: key, ...request }: CodeRequest,
  settings: TokenSettings,
): Promise<ExchangedCode> {
  const check = () => checkCode(ports, { ...request, dpopJkt: key?.jkt });
  const [, , code] = await awaitAll(
    caller.confirm(),
    key ? spendDpopProof(ports, key, request.now) : Promise.resolve(),
    check(),
  );
  const attempt = (checked: AuthorizationCode, isLost: boolean) =>
    exchangeChecked(ports, caller, { ...request, proof: key, checked, isLost }, settings);
  const first = await attempt(code, false);
  const exchanged = first ?? (await attempt(await check(), true));
  if (!exchanged) throw takenMeanwhile();
  return exchanged;
}

/** Exchanges a checked code; undefined if the user of its sign-up lost to another one. `isLost`: an attempt before has lost. */
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
  const findMade = async () => {
    if (isLost) return awaitSignedUp(ports, caller.tenant, pending);
    return looksFirst(code) ? findSignedUp(ports, caller.tenant, pending) : undefined;
  };
  const lookUp = async () => {
    const [audience, found, membership, session] = await awaitAll(
      resolveAudience(ports, caller, resource, settings),
      sealedSignUp === undefined ? requireLoginUser(ports, tenantId, userId) : findMade(),
      requireMembership(ports, tenantId, userId, code.organizationId),
      requireJoined(ports, caller, code, now),
    );
    // An exchange that failed before has made the user of a hosted sign-up: "signUp" finds that user.
    const isAgain = sealedSignUp !== undefined && !code.startsSession && found?.userId === userId;
    const known = isAgain ? undefined : found;
    const owner =
      known && known.userId !== userId
        ? { userId: known.userId, sessionId: newSessionId(known.userId) }
        : undefined;
    // The browser of a hosted sign-up has a session of a user who will not be made.
    const joined = owner ? undefined : session;
    if (known) requireStillGood(caller.tenant, known, code, joined);
    else requirePublicSignup(caller.application);
    const isMore = owner !== undefined && provedMore(pending);
    if (known && isMore) requireSameProofs(known, caller.application, pending);
    const isSent = known && !joined && !isMore;
    const sent = isSent ? await readProof(ports, { ...caller, user: known }, code, now) : undefined;
    // The consent was that of a person who was to become a user.
    if (owner && code.consentId !== undefined) throw new ServiceError('login_user_gone');
    return { audience, known, membership, joined, owner, sent };
  };
  const hold = holdCode(ports, { code: request.code, record: code });
  const consume = (instead?: CodeOwner) => consumeCode(ports, code, now, { instead, holder: hold.holder });
  const consumeForOwner = async () => {
    const result = await lookUp();
    return { proof: await consume(result.owner), result };
  };
  return orGiveBack(hold, async () => {
    const { proof, result } = await (sealedSignUp === undefined
      ? consumeBeside(hold, consume(), lookUp())
      : // Whose session it starts is known only then.
        consumeForOwner());
    const { audience, known, membership, joined, owner, sent } = result;
    const events: AuditEvent[] = [];
    const ids = { sessionId: owner?.sessionId ?? code.sessionId, familyId: code.familyId };
    const { applicationId } = caller.application;
    const scope = code.origin === 'code-based' ? applicationId : TENANT;
    const found = known
      ? { user: known, passkey: undefined }
      : await signUp(ports, { tenant: caller.tenant, applicationId, scope }, pending, now);
    if (!found) {
      await hold.giveBack();
      return undefined;
    }
    const { user, passkey } = found;
    const factors = sent ? [sent.use] : lastUses(...usesOf(code, proof.at));
    const shutsOut = sent?.noted?.handover !== undefined && user.lastAuthAt !== undefined;
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
      device: deviceOf(code),
      offlineAccess: code.offlineAccess,
      noted: sent?.noted,
      ids,
      dpopJkt: key?.jkt,
      at: now,
    });
    const [login, passkeyAdded] = await awaitAll(
      completing,
      passkey ? storePasskeyIfFree(ports, caller.application, passkey) : Promise.resolve(false),
      shutsOut ? ports.sessions.endAllOf(user.userId, now, ids.sessionId) : Promise.resolve(0),
    );
    const artifacts = openArtifacts(request.code, code.sealedArtifacts);
    if (passkeyAdded) events.push('passkey.added');
    return { ...login, code, method: proof.method, userCreated: known === undefined, events, artifacts };
  });
}
