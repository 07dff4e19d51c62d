import { requireUser } from '../domain/identifiers/find-user.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AdminCaller, ClientCaller, Settings, UserCaller } from '../operation.ts';
import type { User } from '../ports/people.ts';
import { type ActiveLogin, type ActiveTokenPorts, findActiveLogin } from './active-token.ts';
import { invalidToken, tokenScheme } from './challenges.ts';

/**
 * Returns the user and session of a token, for operations on the user's own credentials. The token must be issued for this
 * service. Otherwise, an API that receives a user's token could add its own passkey to the account. The token must not be
 * revoked at `now` (epoch seconds). Errors: `invalid_token`.
 */
export async function requireOwnLogin(
  ports: ActiveTokenPorts,
  caller: UserCaller,
  { defaultAudience }: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<ActiveLogin> {
  const scheme = tokenScheme(caller);
  if (!caller.audience.includes(defaultAudience)) throw invalidToken('audience', scheme);
  const login = await findActiveLogin(ports, caller, now);
  if (!login) throw invalidToken('revoked', scheme);
  return login;
}

/** Returns the user of a token for this service that is not revoked at `now` (epoch seconds). Errors: `invalid_token`. */
export async function requireOwnUser(
  ports: ActiveTokenPorts,
  caller: UserCaller,
  settings: Pick<Settings, 'defaultAudience'>,
  now: number,
): Promise<User> {
  return (await requireOwnLogin(ports, caller, settings, now)).user;
}

/** Request that contains a user ID, which may differ from the user of the caller's token. */
export interface CallNamingUser {
  readonly caller: UserCaller | ClientCaller | AdminCaller;
  readonly settings: Pick<Settings, 'defaultAudience'>;
  readonly request: { readonly now: number };
}

/** Returns the user with this ID. A user's token works only for its own user. Errors: `user_not_found`, `invalid_token`. */
export async function requireReachableUser(
  ports: ActiveTokenPorts,
  { caller, settings, request: { now } }: CallNamingUser,
  userId: string,
): Promise<User> {
  if (caller.kind !== 'user') return requireUser(ports.users, caller.tenant, userId);
  const user = await requireOwnUser(ports, caller, settings, now);
  if (user.userId !== userId) throw new ServiceError('user_not_found');
  return user;
}
