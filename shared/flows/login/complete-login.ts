import { awaitAll } from '../../domain/basis/await-all.ts';
import { APPLICATIONS_NOTED } from '../../domain/basis/limits.ts';
import { forgetGuesses } from '../../domain/credentials/guesses.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { issuedTokenId } from '../../domain/oauth/authorization-code.ts';
import type { ProvenLogin } from '../../domain/sessions/login.ts';
import { type LoggedIn, logIn } from '../../domain/sessions/session.ts';
import { mayLogInAt } from '../../domain/users/test-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { issueUserTokens, type UserTokens } from '../../tokens/issue.ts';
import type { SigningPorts } from '../../tokens/jws.ts';

export interface CompletedLogin {
  readonly session: Session;
  /** Absent when none was asked for. */
  readonly refreshToken?: string;
  readonly tokens: UserTokens;
}

/** The user after this login, for its tokens. */
function afterLogin({ user, noted }: ProvenLogin): User {
  const generations = noted?.handover ?? user.generations;
  const after: User = { ...user, status: 'Active', generations };
  const address = noted && user[noted.attribute];
  if (!address || !noted.trust) return after;
  return { ...after, [noted.attribute]: { ...address, ...noted.trust } };
}

/** The application, where the login is the person's: what a client alone vouches for gives its application nothing. */
function notedApplication({ user, factors, caller }: ProvenLogin): string | undefined {
  const { applicationId } = caller.application;
  const isPersons = factors.some(({ worth }) => worth !== 'vouched');
  const isNew = !user.applications.includes(applicationId) && user.applications.length < APPLICATIONS_NOTED;
  return isPersons && isNew ? applicationId : undefined;
}

type CompletionPorts = SigningPorts &
  Using<'sessions.end' | 'sessions.endFamily' | 'users.recordLogin' | 'guesses.clear'>;
type JoiningPorts = CompletionPorts & Using<'sessions.join'>;
export type LoginPorts = JoiningPorts & Using<'sessions.start'>;
type Begun = Omit<LoggedIn, 'save'>;

/** Ends what a failed login has begun, so that no list of sessions shows it. */
export async function abandon(
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
  const proven = login.noted ?? provenAddress(caller.tenant, user, proof.deliveredToHash);
  const [tokens, recorded] = await awaitAll<[UserTokens, boolean, unknown, unknown]>(
    issueUserTokens(ports, {
      ...login,
      user: afterLogin(login),
      newUser: user.lastAuthAt === undefined,
      session,
      familyId: refreshToken === undefined ? undefined : familyId,
      jti: ids && issuedTokenId(ids.familyId),
    }),
    ports.users.recordLogin({
      userId: user.userId,
      // A session that is used again proves an older login than the last one.
      at: Math.max(proof.at, user.lastAuthAt ?? 0),
      proven,
      generations: user.generations,
      application: notedApplication(login),
      wrongGuesses: user.wrongGuesses,
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

/** Completes a login that was proven in a session. Errors: `user_not_active`, `session_not_found`. */
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
