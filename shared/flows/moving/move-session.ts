import { awaitAll } from '../../domain/basis/await-all.ts';
import { createConsumption, restoreOnFailure } from '../../domain/credentials/authentication-proof.ts';
import { consumeMove, requireMovable } from '../../domain/moving/moved-session.ts';
import { type Audience, resolveAudience } from '../../domain/sessions/audience.ts';
import type { ProvenLogin } from '../../domain/sessions/login.ts';
import { logIn } from '../../domain/sessions/session.ts';
import type { ClientCaller, Settings } from '../../operation.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type DpopProof, spendDpopProof } from '../../tokens/dpop.ts';
import type { FormerLogin } from '../../tokens/former-token.ts';
import { issueUserTokens, USER_SCOPE } from '../../tokens/issue.ts';
import type { SigningPorts } from '../../tokens/jws.ts';
import { type CompletedLogin, endStartedSession } from '../login/complete-login.ts';

type MovingPorts = SigningPorts &
  Parameters<typeof requireMovable>[0] &
  PortsWith<
    | 'sessionExchanges.record'
    | 'sessionExchanges.remove'
    | 'replays'
    | 'resources'
    | 'sessions.start'
    | 'sessions.join'
    | 'sessions.end'
    | 'sessions.endFamily'
  >;

type MovingClient = Pick<ClientCaller, 'client' | 'tenant' | 'application'> & {
  readonly confirm: () => Promise<unknown>;
};

interface MoveRequest {
  readonly login: FormerLogin;
  readonly resource: string | undefined;
  readonly proof: DpopProof | undefined;
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

/**
 * Returns the proof for a session that was moved from another system. Only the client vouches for the user, so tokens have no
 * `acr`, and the proof is not sufficient to add a credential.
 */
const movedUse = ({ application: { applicationId } }: MovingClient, at: number): MethodUse => ({
  method: 'moved',
  at,
  worth: 'vouched',
  scope: applicationId,
  credential: '',
});

/**
 * Stores the moved session and signs its tokens. Does not record a login in the user's record, because the user did not log in
 * to this service.
 */
async function startMovedSession(ports: MovingPorts, login: ProvenLogin): Promise<CompletedLogin> {
  const started = logIn(login);
  const { session, familyId, refreshToken } = started;
  const issuing = issueUserTokens(ports, { ...login, session, familyId, newUser: false });
  const [tokens] = await awaitAll(issuing, started.save(ports)).catch(async (error: unknown) => {
    await endStartedSession(ports, login, started);
    throw error;
  });
  return { session, tokens, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/**
 * Starts a session for an imported user who still has a session in their previous system. A user can move a session only once;
 * attempts that fail because of an error in this service are not counted. Errors: `system_invalid_input`, `resource_not_found`,
 * `invalid_dpop_proof`.
 */
export async function moveSession(
  ports: MovingPorts,
  caller: MovingClient,
  { login: { subject, authTime }, resource, proof: key, now }: MoveRequest,
  settings: Pick<Settings, 'issuer' | 'defaultAudience'>,
): Promise<CompletedLogin> {
  const [audience, user] = await awaitAll<[Audience, User, unknown, unknown]>(
    resolveAudience(ports, caller, resource, settings),
    requireMovable(ports, caller, subject, now),
    caller.confirm(),
    key ? spendDpopProof(ports, key, now) : Promise.resolve(),
  );
  const consumption = createConsumption((holder) => ports.sessionExchanges.remove(user.userId, holder));
  return restoreOnFailure(consumption, async () => {
    const proof = await consumeMove(ports, user, { at: now, authTime, holder: consumption.holder });
    const methods = [movedUse(caller, authTime)];
    return startMovedSession(ports, {
      proof,
      caller,
      issuer: settings.issuer,
      user,
      joined: undefined,
      methods,
      factors: methods,
      membership: undefined,
      audience,
      claims: { idToken: new Map(), accessToken: new Map(), userInfo: new Map() },
      device: {},
      scope: USER_SCOPE,
      offlineAccess: true,
      dpopJkt: key?.jkt,
      at: now,
    });
  });
}
