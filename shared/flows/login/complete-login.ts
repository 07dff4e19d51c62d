import { awaitAll } from '../../domain/basis/await-all.ts';
import { provenAtOf, SECOND_NOWHERE } from '../../domain/credentials/good-at.ts';
import { forgetGuesses } from '../../domain/credentials/guesses.ts';
import { kindOf } from '../../domain/credentials/mfa.ts';
import { isProvenAt, provenAddress } from '../../domain/identifiers/proven-address.ts';
import { awakeAs } from '../../domain/identifiers/sleep.ts';
import { issuedTokenId } from '../../domain/oauth/authorization-code.ts';
import type { ProvenLogin } from '../../domain/sessions/login.ts';
import { type LoggedIn, logIn } from '../../domain/sessions/session.ts';
import { mayLogInAt } from '../../domain/users/test-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Session } from '../../ports/flows.ts';
import type { User, Users } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { issueUserTokens, type UserTokens } from '../../tokens/issue.ts';
import type { SigningPorts } from '../../tokens/jws.ts';

export interface CompletedLogin {
  readonly session: Session;
  /** Absent when none was asked for. */
  readonly refreshToken?: string;
  readonly tokens: UserTokens;
}

type Proven = ReturnType<typeof provenAddress>;
type Marks = Pick<Parameters<Users['recordLogin']>[0], 'provenAt' | 'secondAt'>;

/** The user after this login, for its tokens. */
function afterLogin({ user, sleepsAt = user.asleepBefore }: ProvenLogin, proven: Proven): User {
  const after: User = {
    ...user,
    status: 'Active',
    ...(sleepsAt !== undefined && { asleepBefore: sleepsAt }),
  };
  if (!proven) return after;
  return { ...after, [proven.attribute]: { value: proven.value, verified: true, ...awakeAs(sleepsAt) } };
}

/**
 * An address that a session of the API has proven first is one of two factors at this application alone: the application may
 * ask for fewer kinds than another. Where the account has more kinds than the session, the address is one of two nowhere.
 * What our pages bind is noted before. It is proven where its proof counts.
 */
function marksOfLogin({ user, joined, factors, caller, isBoundByLess }: ProvenLogin, proven: Proven): Marks {
  const { applicationId } = caller.application;
  const known = proven && user[proven.attribute];
  if (!proven || isProvenAt(known, undefined)) return {};
  const kind = proven.attribute === 'email' ? 'mail' : 'phone';
  const uses = factors.filter(({ method }) => kindOf(method) === kind);
  const { provenAt = null } = provenAtOf(uses.find(({ goodAt }) => goodAt !== undefined));
  const isKnown = isProvenAt(known, caller.application);
  const isBeside = joined && !isKnown && uses.some(({ alone }) => alone === true);
  const secondAt = isBoundByLess ? SECOND_NOWHERE : applicationId;
  return { ...(isBeside && { secondAt }), ...(!(isKnown && provenAt) && { provenAt }) };
}

type CompletionPorts = SigningPorts &
  Using<'sessions.end' | 'sessions.endFamily' | 'users.recordLogin' | 'guesses.clear'>;
type JoiningPorts = CompletionPorts & Using<'sessions.join'>;
export type LoginPorts = JoiningPorts & Using<'sessions.start'>;
type Begun = Omit<LoggedIn, 'save'>;

/** Ends what a failed login has begun, so that no list of sessions shows it. */
async function abandon(
  { sessions }: Using<'sessions.end' | 'sessions.endFamily'>,
  { joined, proof }: ProvenLogin,
  { session: { sessionId }, familyId, refreshToken }: Begun,
): Promise<void> {
  try {
    if (!joined) await sessions.end(sessionId, proof.at);
    else if (refreshToken !== undefined) await sessions.endFamily(sessionId, familyId, proof.at);
  } catch {
    // It lives on unused: its refresh token was never sent.
  }
}

async function complete(
  ports: CompletionPorts,
  login: ProvenLogin,
  started: Begun,
  save: () => Promise<void>,
): Promise<CompletedLogin> {
  const { user, proof, caller, ids } = login;
  const { session, familyId, refreshToken } = started;
  if (!mayLogInAt(user, caller.application)) throw new ServiceError('user_not_active');
  const proven = provenAddress(caller.tenant, user, proof.deliveredToHash);
  const [tokens, recorded] = await awaitAll<[UserTokens, boolean, unknown, unknown]>(
    issueUserTokens(ports, {
      ...login,
      user: afterLogin(login, proven),
      newUser: user.lastAuthAt === undefined,
      session,
      familyId: refreshToken === undefined ? undefined : familyId,
      jti: ids && issuedTokenId(ids.familyId),
    }),
    ports.users.recordLogin({
      userId: user.userId,
      // A session that is used again proves an older login than the last one.
      at: Math.max(proof.at, user.lastAuthAt ?? 0),
      ...(proven ? { proven } : {}),
      ...marksOfLogin(login, proven),
      wrongGuesses: user.wrongGuesses,
      asleepBefore: user.asleepBefore,
      sleepsAt: login.sleepsAt,
      disputes: user.lastAuthAt !== undefined,
    }),
    save(),
    forgetGuesses(ports, caller.tenant, user),
  ).catch(async (error: unknown) => {
    await abandon(ports, login, started);
    throw error;
  });
  if (!recorded) {
    await ports.sessions.end(session.sessionId, proof.at);
    throw new ServiceError('user_not_active');
  }
  return { session, tokens, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/**
 * Everything after a credential is consumed, side by side: session, user record, both signatures. A user who was erased or
 * disabled meanwhile gets no tokens and keeps no session.
 * Errors: `user_not_active`, `session_not_found`.
 */
export function completeLogin(ports: LoginPorts, login: ProvenLogin): Promise<CompletedLogin> {
  const started = logIn(login);
  return complete(ports, login, started, () => started.save(ports));
}

/** The same for a login that was proven in a session. Errors: `user_not_active`, `session_not_found`. */
export function completeInSession(
  ports: JoiningPorts,
  login: ProvenLogin & { readonly joined: Session },
): Promise<CompletedLogin> {
  const started = logIn(login);
  return complete(ports, login, started, () => started.save(ports));
}

/** SPEC "Token response (authenticate operations)". */
export function tokenResponse<Artifacts = undefined>(
  { session, refreshToken, tokens }: CompletedLogin,
  artifacts?: Artifacts,
) {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokens.expiresIn,
    session_id: session.sessionId,
    id_token: tokens.idToken,
    refresh_token: refreshToken,
    signing_artifacts: artifacts,
  };
}
