import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../errors/service-error.ts';
import type { AdminCaller, ClientCaller } from '../../operation.ts';
import type { Address, User } from '../../ports/people.ts';
import { permissionsOfClient } from '../oauth/permissions.ts';
import { isAdmin } from '../oauth/roles.ts';
import { hasPower, type PowerPorts } from '../trust/power.ts';

/**
 * Which users a caller may change. A permission says what a token may call, not whom it may touch: the client of one application
 * must not become a user of another. An admin token changes all; a client with `users:…` in its list or roles those of every
 * application; any other client those of its application alone. Only an admin token gives somebody a way into the account of a
 * user with power, or takes their rights; an operator does so with a fresh login, and all admins are notified. An operator below
 * admin changes users without power, of every application.
 */

/** `opens`: it lets somebody in, or takes rights. `closes`: it keeps somebody out. */
export type Effect = 'opens' | 'closes';

type Caller = ClientCaller | AdminCaller;

function reachesAll({ client, application, permissions }: ClientCaller, permission: string): boolean {
  const written = permissionsOfClient(client, application)?.includes(permission) === true;
  return written && permissions.includes(permission);
}

const isOwn = ({ application }: ClientCaller, { applications }: User): boolean =>
  applications.length === 1 && applications[0] === application.applicationId;

const refused = (message: string) => new ServiceError('insufficient_permission', { message });

/** Of a client that does not reach the user. `permission`: the `users:…` that reaches the users of every application. */
export const refusalOfReach = (
  caller: ClientCaller,
  user: User,
  permission: `users:${string}`,
): ServiceError | undefined =>
  isOwn(caller, user) || reachesAll(caller, permission)
    ? undefined
    : refused(
        `The user is not of this application alone: this is for the person on the account page, or for a client with ${permission} in its list`,
      );

/** Of every client, where the user has power. */
export const refusalOfPower = async (ports: PowerPorts, user: User): Promise<ServiceError | undefined> =>
  (await hasPower(ports, user))
    ? refused('It takes an admin token to change a user who has roles or administers an organization')
    : undefined;

/** For what closes, and for reading what only the person knows: nobody gets in by it. Errors: `insufficient_permission`. */
export function requireReach(caller: Caller, user: User, permission: `users:${string}`): void {
  if (caller.kind === 'admin') return;
  const refusal = refusalOfReach(caller, user, permission);
  if (refusal) throw refusal;
}

/** Errors: `insufficient_permission`, `insufficient_user_authentication`. */
export async function requireMayChange(
  ports: PowerPorts,
  caller: Caller,
  user: User,
  { permission, effect }: { readonly permission: `users:${string}`; readonly effect: Effect },
): Promise<void> {
  requireReach(caller, user, permission);
  const operator = caller.kind === 'admin' ? caller.operator : undefined;
  const takesGuard = operator && isAdmin(caller) && effect === 'opens';
  if (takesGuard && (await hasPower(ports, user))) operator.guard();
  if (isAdmin(caller) || (caller.kind === 'client' && effect === 'closes')) return;
  const refusal = await refusalOfPower(ports, user);
  if (refusal) throw refusal;
}

/** To say of an address again that it is proven brings back one that was shut out, and moves it to an application. */
const whatOpens = (address: Address | undefined) =>
  address && [address.value, address.standing, address.scope, address.generation];

/** What decides who can log in. All else of a user any client with the permission changes. */
const GUARDED: Readonly<Record<string, (user: User) => unknown>> = {
  email: ({ email }) => whatOpens(email),
  phoneNumber: ({ phoneNumber }) => whatOpens(phoneNumber),
  generations: ({ generations }) => generations,
  username: ({ username }) => username,
  customIdentifiers: ({ customIdentifiers }) => customIdentifiers,
  externalIds: ({ externalIds }) => externalIds,
  groups: ({ groups }) => groups,
  roles: ({ roles }) => roles,
};

/** What a change of a user's record does; undefined: nothing that is guarded. */
export function effectOf(before: User, after: User): Effect | undefined {
  if (Object.values(GUARDED).some((read) => !isDeepStrictEqual(read(before), read(after)))) return 'opens';
  if (before.status === after.status) return undefined;
  return after.status === 'Disabled' ? 'closes' : 'opens';
}
