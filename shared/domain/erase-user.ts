import type { ApplicationRecords, Tenant } from '../ports/directory.ts';
import type { OneTimeCodes, Sessions } from '../ports/flows.ts';
import type { PasskeyRecords } from '../ports/people.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { atCodesOfUser } from './codes-of-user.ts';
import { identifiersOf } from './identifier.ts';
import { type ClaimPorts, releaseIdentifiers } from './identifier-claims.ts';
import { clearSwitchedOffCodes } from './one-time-code.ts';
import { nowSeconds } from './time.ts';

/**
 * Erases a user with everything that belongs to them: codes, sessions, claims on identifiers, passkeys, memberships. Disabled
 * first, so that nobody logs in behind the broom, and the user's own item last: after a crash at any point the same call
 * finds the user and goes on. Magic links lead to a user who is gone. Errors: `user_not_found`, `concurrent_change`.
 */
export async function eraseUser(
  ports: ClaimPorts & {
    readonly applicationRecords: ApplicationRecords;
    readonly otps: OneTimeCodes;
    readonly sessions: Sessions;
    readonly passkeyRecords: PasskeyRecords;
  },
  tenant: Tenant,
  userId: string,
): Promise<void> {
  const user = await changeUser(
    ports,
    tenant,
    userId,
    replaceWith(ports, (current) => ({ ...current, status: 'Disabled', updatedAt: nowSeconds() })),
  );
  await atCodesOfUser(ports, tenant, user, (key) => ports.otps.remove(key));
  await clearSwitchedOffCodes(ports, user.passcodesOff);
  for (const { credentialId } of await ports.passkeyRecords.listOf(userId))
    await ports.passkeyRecords.remove(userId, credentialId);
  await ports.sessions.endAllOf(userId, nowSeconds());
  await releaseIdentifiers(ports, tenant.tenantId, userId, identifiersOf(user));
  await ports.userRecords.remove(userId);
}
