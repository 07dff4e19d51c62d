import { awaitAll } from '../domain/basis/await-all.ts';
import { requireUser } from '../domain/identifiers/find-user.ts';
import { isOver } from '../domain/identifiers/sleep.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../operation.ts';
import type { Session } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import type { Using } from '../ports/uses.ts';
import { invalidToken, schemeOf } from './challenges.ts';
import { findLivingSession, type LivingTokenPorts } from './living-token.ts';

export type OwnUserPorts = LivingTokenPorts & Using<'users.find'>;

/** A user's token with its living session. */
interface OwnLogin {
  readonly user: User;
  readonly session: Session;
}

/**
 * The user and the login of a token, for operations on their own credentials. The token must be for this service: a resource could
 * otherwise use a token that it received to add its own passkey. It must not be revoked at `now` (epoch seconds).
 * Errors: `invalid_token`.
 */
export async function requireOwnLogin(
  ports: OwnUserPorts,
  caller: UserCaller,
  { defaultAudience }: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<OwnLogin> {
  const scheme = schemeOf(caller);
  if (!caller.audience.includes(defaultAudience)) throw invalidToken(scheme);
  const [session, user] = await awaitAll(
    findLivingSession(ports, caller, now),
    ports.users.find(caller.userId),
  );
  const mayAct = user?.tenantId === caller.tenantId && user.status !== 'Disabled';
  if (!session || !mayAct || isOver(user, session)) throw invalidToken(scheme);
  return { user, session };
}

/** The same, where the login does not matter. Errors: `invalid_token`. */
export async function requireOwnUser(
  ports: OwnUserPorts,
  caller: UserCaller,
  settings: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<User> {
  return (await requireOwnLogin(ports, caller, settings, now)).user;
}

/**
 * The user that a call names. With a user's token every other user is unknown. Errors: `user_not_found`, `invalid_token`.
 */
export async function requireReachableUser(
  ports: OwnUserPorts,
  caller: UserCaller | ClientCaller | AdminCaller,
  userId: string,
  settings: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<User> {
  if (caller.kind !== 'user') return requireUser(ports.users, caller.tenant, userId);
  const user = await requireOwnUser(ports, caller, settings, now);
  if (user.userId !== userId) throw new ServiceError('user_not_found');
  return user;
}
