import type { Audience } from '../domain/audience.ts';
import type { AuthenticationProof } from '../domain/authentication-proof.ts';
import { type ClaimsRequest, writeClaimsRequest } from '../domain/claims-request.ts';
import type { Device } from '../domain/client-attributes.ts';
import { clearSwitchedOffCodes } from '../domain/one-time-code.ts';
import { provenAddress } from '../domain/proven-address.ts';
import { type LoggedIn, logIn } from '../domain/session.ts';
import { together } from '../domain/together.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ClientCaller } from '../operation.ts';
import type { OneTimeCodes, Session, Sessions } from '../ports/flows.ts';
import type { Membership, User, Users } from '../ports/people.ts';
import { issueUserTokens, USER_SCOPE, type UserTokens } from './issue.ts';
import type { SigningPorts } from './jws.ts';

export interface CompletedLogin {
  readonly session: Session;
  readonly refreshToken: string;
  readonly tokens: UserTokens;
}

export interface ProvenLogin {
  readonly proof: AuthenticationProof;
  readonly caller: ClientCaller;
  readonly issuer: string;
  readonly user: User;
  readonly joined: Session | undefined;
  readonly membership: Membership | undefined;
  readonly audience: Audience;
  readonly claims: ClaimsRequest;
  readonly device: Device;
}

type Proven = ReturnType<typeof provenAddress>;

/** The user as the login leaves them, so that the tokens of this very login already say so. */
function afterLogin(user: User, proven: Proven): User {
  if (!proven) return { ...user, status: 'Active' };
  return { ...user, status: 'Active', [proven.attribute]: { value: proven.value, verified: true } };
}

function startLogin(login: ProvenLogin): LoggedIn {
  const claims = writeClaimsRequest(login.claims);
  const { proof, device } = login;
  return logIn(
    {
      proof,
      userId: login.user.userId,
      tenantId: login.user.tenantId,
      applicationId: login.caller.application.applicationId,
      clientId: login.caller.client.clientId,
      device: proof.deviceId === undefined ? device : { deviceId: proof.deviceId, ...device },
      audience: login.audience,
      scope: USER_SCOPE,
      ...(login.membership ? { organizationId: login.membership.organizationId } : {}),
      ...(claims === undefined ? {} : { claims }),
    },
    login.joined,
  );
}

/**
 * Everything after a credential is consumed, side by side: the session, the user's record, both signatures. A user who
 * was erased or disabled in this moment gets no tokens and keeps no session.
 * Errors: `user_not_active`, `session_not_found`.
 */
export async function completeLogin(
  ports: SigningPorts & {
    readonly sessions: Sessions;
    readonly users: Users;
    readonly otps: OneTimeCodes;
  },
  login: ProvenLogin,
): Promise<CompletedLogin> {
  const { user, proof, caller } = login;
  const proven = provenAddress(caller.tenant, user, proof.deliveredToHash);
  const started = startLogin(login);
  const [tokens, recorded] = await together<[UserTokens, boolean, unknown, unknown]>(
    issueUserTokens(ports, {
      proof,
      issuer: login.issuer,
      client: caller.client,
      applicationId: caller.application.applicationId,
      user: afterLogin(user, proven),
      newUser: user.lastAuthAt === undefined,
      session: started.session,
      ...(login.membership ? { membership: login.membership } : {}),
      audience: login.audience,
      scope: USER_SCOPE,
      claims: login.claims,
    }),
    ports.users.recordLogin({
      userId: user.userId,
      at: proof.at,
      ...(proven ? { proven } : {}),
      ...(user.passcodesOff ? { clearPasscodesOff: true } : {}),
    }),
    started.save(ports),
    clearSwitchedOffCodes(ports, user.passcodesOff),
  );
  if (!recorded) {
    await ports.sessions.end(started.session.sessionId, proof.at);
    throw new ServiceError('user_not_active');
  }
  return { session: started.session, refreshToken: started.refreshToken, tokens };
}

/** SPEC "Token response (authenticate operations)". */
export function tokenResponse({ session, refreshToken, tokens }: CompletedLogin) {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer' as const,
    expires_in: tokens.expiresIn,
    session_id: session.sessionId,
    id_token: tokens.idToken,
    refresh_token: refreshToken,
  };
}
