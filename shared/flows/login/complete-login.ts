import { awaitAll } from '../../domain/basis/await-all.ts';
import { deviceOfLogin } from '../../domain/basis/client-attributes.ts';
import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import type { AuthenticationProof } from '../../domain/credentials/authentication-proof.ts';
import { clearSwitchedOffCodes } from '../../domain/credentials/one-time-code.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { issuedTokenId } from '../../domain/oauth/authorization-code.ts';
import type { ClaimsRequest } from '../../domain/oauth/claims-request.ts';
import { storedClaims } from '../../domain/oauth/stored-claims.ts';
import type { Audience } from '../../domain/sessions/audience.ts';
import { type LoggedIn, type LoginFacts, logIn } from '../../domain/sessions/session.ts';
import { sessionLifetimes } from '../../domain/sessions/session-lifetimes.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ClientCaller } from '../../operation.ts';
import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { Membership, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { issueUserTokens, type UserTokenFacts, type UserTokens } from '../../tokens/issue.ts';
import type { SigningPorts } from '../../tokens/jws.ts';

export interface CompletedLogin {
  readonly session: Session;
  /** Absent when none was asked for. */
  readonly refreshToken?: string;
  readonly tokens: UserTokens;
}

export interface ProvenLogin {
  readonly proof: AuthenticationProof;
  readonly caller: Pick<ClientCaller, 'client' | 'tenant' | 'application'>;
  readonly issuer: string;
  readonly user: User;
  readonly newUser?: boolean;
  readonly joined: Session | undefined;
  /** What was proven in this very login; none when a browser's session is used again. */
  readonly methods: readonly MethodUse[];
  readonly membership: Membership | undefined;
  readonly audience: Audience;
  readonly claims: ClaimsRequest;
  readonly device: Device;
  readonly scope: string;
  readonly offlineAccess: boolean;
  readonly ids?: { readonly sessionId: string; readonly familyId: string };
  readonly nonce?: string | undefined;
  readonly dpopJkt?: string | undefined;
}

type Proven = ReturnType<typeof provenAddress>;

/** The user as the login leaves them, so that the tokens of this very login already say so. */
function afterLogin(user: User, proven: Proven): User {
  if (!proven) return { ...user, status: 'Active' };
  return { ...user, status: 'Active', [proven.attribute]: { value: proven.value, verified: true } };
}

function factsOf(login: ProvenLogin): LoginFacts {
  const { proof, device, user, caller } = login;
  return omitUndefined<LoginFacts>({
    at: nowSeconds(),
    methods: login.methods,
    authTime: proof.at,
    userId: user.userId,
    tenantId: user.tenantId,
    applicationId: caller.application.applicationId,
    clientId: caller.client.clientId,
    device: deviceOfLogin(proof.device, device),
    lifetimes: sessionLifetimes(caller.application),
    audience: login.audience,
    scope: login.scope,
    offlineAccess: login.offlineAccess,
    ids: login.ids,
    organizationId: login.membership?.organizationId,
    claims: storedClaims(login.caller.tenant, login.claims),
    nonce: login.nonce,
    dpopJkt: login.dpopJkt,
  });
}

type CompletionPorts = SigningPorts &
  Using<'sessions.end' | 'sessions.endFamily' | 'users.recordLogin' | 'otps.remove'>;
type JoiningPorts = CompletionPorts & Using<'sessions.join'>;
export type LoginPorts = JoiningPorts & Using<'sessions.start'>;
type Begun = Omit<LoggedIn, 'save'>;

/** Ends what a login has begun that brings nobody a token, so that no list of sessions shows it. */
async function abandon(
  { sessions }: Using<'sessions.end' | 'sessions.endFamily'>,
  { joined, proof }: ProvenLogin,
  { session: { sessionId }, familyId, refreshToken }: Begun,
): Promise<void> {
  try {
    if (!joined) await sessions.end(sessionId, proof.at);
    else if (refreshToken !== undefined) await sessions.endFamily(sessionId, familyId, proof.at);
  } catch {
    // It lives on unused: nobody holds its refresh token.
  }
}

async function complete(
  ports: CompletionPorts,
  login: ProvenLogin,
  started: Begun,
  save: () => Promise<void>,
): Promise<CompletedLogin> {
  const { user, proof, caller } = login;
  const proven = provenAddress(caller.tenant, user, proof.deliveredToHash);
  const [tokens, recorded] = await awaitAll<[UserTokens, boolean, unknown, unknown]>(
    issueUserTokens(
      ports,
      omitUndefined<UserTokenFacts>({
        proof,
        issuer: login.issuer,
        tenant: caller.tenant,
        client: caller.client,
        application: caller.application,
        user: afterLogin(user, proven),
        newUser: login.newUser ?? user.lastAuthAt === undefined,
        session: started.session,
        familyId: started.refreshToken === undefined ? undefined : started.familyId,
        membership: login.membership,
        audience: login.audience,
        scope: login.scope,
        claims: login.claims,
        nonce: login.nonce,
        dpopJkt: login.dpopJkt,
        reissue: login.ids && { jti: issuedTokenId(login.ids.familyId), at: nowSeconds() },
      }),
    ),
    ports.users.recordLogin({
      userId: user.userId,
      // A session that is used again proves an older login than the last one.
      at: Math.max(proof.at, user.lastAuthAt ?? 0),
      ...(proven ? { proven } : {}),
      ...(user.passcodesOff ? { clearPasscodesOff: true } : {}),
    }),
    save(),
    clearSwitchedOffCodes(ports, user.passcodesOff),
  ).catch(async (error: unknown) => {
    await abandon(ports, login, started);
    throw error;
  });
  if (!recorded) {
    await ports.sessions.end(started.session.sessionId, proof.at);
    throw new ServiceError('user_not_active');
  }
  const { session, refreshToken } = started;
  return { session, tokens, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/**
 * Everything after a credential is consumed, side by side: the session, the user's record, both signatures. A user who
 * was erased or disabled in this moment gets no tokens and keeps no session.
 * Errors: `user_not_active`, `session_not_found`.
 */
export function completeLogin(ports: LoginPorts, login: ProvenLogin): Promise<CompletedLogin> {
  const started = logIn(factsOf(login), login.joined);
  return complete(ports, login, started, () => started.save(ports));
}

/** The same where no session can begin, for it has been proven in one. Errors: `user_not_active`, `session_not_found`. */
export function completeInSession(
  ports: JoiningPorts,
  login: ProvenLogin & { readonly joined: Session },
): Promise<CompletedLogin> {
  const started = logIn(factsOf(login), login.joined);
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
