import type { Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { externalIdentifier, identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { releaseIdentifiers } from '../identifiers/identifier-reservations.ts';
import { forgetSends } from '../rate-limits/send-window.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { atCodesOfUser, forgetGuessesOf } from './codes-of-user.ts';

/**
 * Erases a user with everything that belongs to them: codes, counters, sessions, reservations of identifiers, passkeys,
 * memberships. Disables the user first, against logins meanwhile, and removes the user's own item last: after a crash at any
 * point the same call finds the user and goes on. Links, challenges and codes to exchange then name a user who is gone. They
 * are filed under hashes of secrets, so the service cannot find them; they expire within a day.
 * Errors: `user_not_found`, `concurrent_change`.
 */
export async function eraseUser(
  ports: Using<
    | 'userRecords.find'
    | 'userRecords.replace'
    | 'userRecords.remove'
    | 'identifierReservations.release'
    | 'identifierReservations.releaseAllOf'
    | 'applicationRecords.list'
    | 'formerApplications.listOf'
    | 'knownDeviceRecords'
    | 'otps.removeAllOf'
    | 'testCodes.forget'
    | 'guesses.clearAllOf'
    | 'sessions.eraseAllOf'
    | 'passkeyRecords.listOf'
    | 'passkeyRecords.remove'
    | 'windowRecords.forget'
    | 'timeline.erase'
    | 'timeline.eraseMessages'
  >,
  tenant: Tenant,
  userId: string,
  at: number,
): Promise<void> {
  const user = await changeUser(
    ports,
    tenant,
    userId,
    replaceWith(ports, (current) => ({ ...current, status: 'Disabled', updatedAt: at })),
  );
  await atCodesOfUser(ports, tenant, user, at, async (applicationId, hash) => {
    await ports.otps.removeAllOf(applicationId, hash);
    await forgetSends(ports, applicationId, hash, at);
  });
  await ports.testCodes.forget(userId);
  await forgetGuessesOf(ports, tenant, user);
  for (const { credentialId } of await ports.passkeyRecords.listOf(userId))
    await ports.passkeyRecords.remove(userId, credentialId);
  await ports.knownDeviceRecords.forgetAllOf(userId);
  await ports.sessions.eraseAllOf(userId, at);
  // Whatever the time of the reservation: none can be filled for a user who is going.
  const { externalUserId } = user;
  const external = externalUserId === undefined ? [] : [externalIdentifier(externalUserId)];
  const names = [...identifiersOf(user), ...external];
  await releaseIdentifiers(ports, tenant.tenantId, userId, names, Number.MAX_SAFE_INTEGER);
  // What a crash has left between a reservation and its user.
  await ports.identifierReservations.releaseAllOf(userId);
  for (const name of identifiersOf(user)) await ports.timeline.eraseMessages(identifierHash(tenant, name));
  await ports.timeline.erase(userId);
  await ports.userRecords.remove(userId);
  // Again, for a login and events that were on their way: what comes from here on finds no user.
  await ports.knownDeviceRecords.forgetAllOf(userId);
  await ports.timeline.erase(userId);
}
