import { dropBeforeFirstProof, type FirstProofPorts } from '../../shared/domain/first-proof.ts';
import { requireLoginUser } from '../../shared/domain/login-user.ts';
import { requireMembership } from '../../shared/domain/membership.ts';
import { requireJoinable } from '../../shared/domain/session.ts';
import { together } from '../../shared/domain/together.ts';
import type { ClientCaller, InputOf, Operation, Settings } from '../../shared/operation.ts';
import type { Device, Session } from '../../shared/ports/flows.ts';
import type { Membership, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { completeLogin, type ProvenLogin, tokenResponse } from '../../shared/tokens/complete-login.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';

/** What A2 and A4 have in common before and after the credential. */

interface Wanted {
  readonly session_id?: string | undefined;
  readonly org_id?: string | undefined;
}

export interface Person {
  readonly user: User;
  readonly joined: Session | undefined;
  readonly membership: Membership | undefined;
}

/** Checks that need the user, all before the credential is used up, so that an honest mistake does not burn it. */
export async function requirePerson(
  ports: Using<'users.find' | 'sessions.find' | 'memberships' | 'organizations'>,
  { tenant, application }: ClientCaller,
  userId: string,
  wanted: Wanted,
): Promise<Person> {
  const { tenantId } = tenant;
  const whose = { userId, application };
  const [user, joined, membership] = await together(
    requireLoginUser(ports, tenantId, userId),
    requireJoinable(ports, whose, wanted.session_id),
    requireMembership(ports, tenantId, userId, wanted.org_id),
  );
  return { user, joined, membership };
}

interface BackendLogin extends Person, Pick<ProvenLogin, 'proof' | 'audience' | 'claims'> {
  readonly caller: ClientCaller;
  readonly settings: Settings;
  readonly device: Device;
  readonly audit: InputOf<Operation>['audit'];
}

/** Tokens and session for a backend; a refresh token always. */
export async function answerLogin(
  ports: Parameters<typeof completeLogin>[0] & FirstProofPorts,
  { settings, audit, ...login }: BackendLogin,
) {
  const { proof, caller, joined } = login;
  const user = joined
    ? login.user
    : await dropBeforeFirstProof(ports, caller.tenant, login.user, proof.deliveredToHash, audit);
  const completed = await completeLogin(ports, {
    ...login,
    user,
    issuer: settings.issuer,
    methods: [{ method: proof.method, at: proof.at }],
    scope: USER_SCOPE,
    offlineAccess: true,
  });
  audit({ method: proof.method, sessionId: completed.session.sessionId });
  return { json: tokenResponse(completed) };
}
