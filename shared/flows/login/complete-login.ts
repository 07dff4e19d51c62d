import { awaitAll } from '../../domain/basis/await-all.ts';
import { RECORDED_APPLICATIONS_MAX } from '../../domain/basis/limits.ts';
import { clearGuesses } from '../../domain/credentials/guesses.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { deriveAccessTokenId } from '../../domain/oauth/authorization-code.ts';
import type { ProvenLogin } from '../../domain/sessions/login.ts';
import { type LoggedIn, logIn } from '../../domain/sessions/session.ts';
import { canLogInAt } from '../../domain/users/test-user.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { issueUserTokens, type UserTokens } from '../../tokens/issue.ts';
import type { SigningPorts } from '../../tokens/jws.ts';

export interface CompletedLogin {
  readonly session: Session;
  /** Refresh token. Undefined unless offline access was granted. */
  readonly refreshToken?: string;
  readonly tokens: UserTokens;
}

/** Returns the user with the changes that this login makes, for the claims of its tokens. */
function userAfterLogin({ user, noted }: ProvenLogin): User {
  const generations = noted?.newGenerations ?? user.generations;
  const after: User = { ...user, status: 'Active', generations };
  const address = noted && user[noted.attribute];
  if (!address) return after;
  return { ...after, [noted.attribute]: { ...address, ...noted.trust } };
}

/**
 * Returns the ID of the application to add to the user's applications. Returns undefined if a client's statement is the only
 * proof of the login, because a client must not give its own application rights over the user.
 */
function notedApplication({ user, factors, caller }: ProvenLogin): string | undefined {
  const { applicationId } = caller.application;
  const isPersons = factors.some(({ worth }) => worth !== 'vouched');
  const isNew =
    !user.applications.includes(applicationId) && user.applications.length < RECORDED_APPLICATIONS_MAX;
  return isPersons && isNew ? applicationId : undefined;
}

type CompletionPorts = SigningPorts &
  PortsWith<'sessions.end' | 'sessions.endFamily' | 'users.recordLogin' | 'guesses.clear'>;
type JoiningPorts = CompletionPorts & PortsWith<'sessions.join'>;
export type LoginPorts = JoiningPorts & PortsWith<'sessions.start'>;
type StartedLogin = Omit<LoggedIn, 'save'>;

/** Ends the session or refresh family that a failed login has started, so that it does not appear in lists of sessions. */
export async function endStartedSession(
  { sessions }: PortsWith<'sessions.end' | 'sessions.endFamily'>,
  { joined, proof }: ProvenLogin,
  { session: { sessionId }, familyId, refreshToken }: StartedLogin,
): Promise<void> {
  try {
    if (!joined) await sessions.end(sessionId, proof.at);
    else if (refreshToken !== undefined) await sessions.endFamily(sessionId, familyId, proof.at);
  } catch {
    // The session then remains until it expires. It cannot be used, because its refresh token was never sent.
  }
}

async function complete(
  ports: CompletionPorts,
  login: ProvenLogin,
  started: StartedLogin,
  save: () => Promise<void>,
): Promise<CompletedLogin> {
  const { user, proof, caller, ids } = login;
  const { session, familyId, refreshToken } = started;
  if (!canLogInAt(user, caller.application)) throw new ServiceError('user_not_active');
  const proven = login.noted ?? provenAddress(caller.tenant, user, proof.deliveredToHash);
  const [tokens, recorded] = await awaitAll<[UserTokens, boolean, unknown, unknown]>(
    issueUserTokens(ports, {
      ...login,
      user: userAfterLogin(login),
      newUser: user.lastAuthAt === undefined,
      session,
      familyId: refreshToken === undefined ? undefined : familyId,
      jti: ids && deriveAccessTokenId(ids.familyId),
    }),
    ports.users.recordLogin({
      userId: user.userId,
      // A session that is used again has an old proof, which may be older than the user's last login.
      at: Math.max(proof.at, user.lastAuthAt ?? 0),
      proven,
      generations: user.generations,
      application: notedApplication(login),
      wrongGuesses: user.wrongGuesses,
    }),
    save(),
    clearGuesses(ports, caller.tenant, user),
  ).catch(async (error: unknown) => {
    await endStartedSession(ports, login, started);
    throw error;
  });
  // The user was erased or disabled after the checks, so no tokens are issued and the session is ended.
  if (!recorded) {
    await ports.sessions.end(session.sessionId, proof.at);
    throw new ServiceError('user_not_active');
  }
  return { session, tokens, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/**
 * Completes a login whose credential has been consumed. Stores the session, updates the user's record and signs both tokens, in
 * parallel. If the user was erased or disabled in the meantime, no tokens are issued and the session is ended. Errors:
 * `user_not_active`, `session_not_found`.
 */
export function completeLogin(ports: LoginPorts, login: ProvenLogin): Promise<CompletedLogin> {
  const started = logIn(login);
  return complete(ports, login, started, () => started.save(ports));
}

/** Completes a login that joins an existing session. Errors: `user_not_active`, `session_not_found`. */
export function completeInSession(
  ports: JoiningPorts,
  login: ProvenLogin & { readonly joined: Session },
): Promise<CompletedLogin> {
  const started = logIn(login);
  return complete(ports, login, started, () => started.save(ports));
}

/** Builds the token response of the authenticate operations (SPEC "Token response (authenticate operations)"). */
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
