import type { Tenant } from '../../ports/directory.ts';
import type { CodeLock } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { toAddressCounterKey, toUserCounterKey } from '../credentials/guesses.ts';
import { listIdentifiers } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import type { Pages } from '../jobs/job.ts';
import { forgetSends } from '../rate-limits/send-window.ts';

/** Returns the HMACs of the user's ID, of each identifier, and of each recently removed identifier. */
function listUserHashes(tenant: Tenant, user: User): readonly string[] {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...listIdentifiers(user)];
  return [
    ...identifiers.map((identifier) => identifierHash(tenant, identifier)),
    ...(user.formerIdentifiers ?? []).map(({ hash }) => hash),
  ];
}

interface UserOfTenant {
  readonly tenant: Tenant;
  readonly user: User;
}

/** Lists the current locks of the user's one-time codes, for all identifiers and applications. */
export async function listCodeLocks(
  { otps }: PortsWith<'otps.locksOf'>,
  { tenant, user }: UserOfTenant,
  at: number,
): Promise<readonly CodeLock[]> {
  const locks = listUserHashes(tenant, user).map((hash) => otps.locksOf(hash, at));
  return (await awaitAll(...locks)).flat();
}

/**
 * Deletes the user's one-time codes with their attempts and locks, for all identifiers and applications. The counters of the
 * user's failed attempts are deleted by `deleteFailedAttempts`.
 */
export async function deleteUserCodes(
  { otps }: PortsWith<'otps.removeAllOf'>,
  { tenant, user }: UserOfTenant,
): Promise<void> {
  await awaitAll(...listUserHashes(tenant, user).map((hash) => otps.removeAllOf(hash)));
}

/**
 * Returns a paginated task that clears the rate-limit windows for messages to the user. Windows cannot be found by user, so the
 * task clears the windows of each identifier in each application that the tenant has or has recently deleted.
 */
export function listSendWindowPages(
  ports: PortsWith<'applicationRecords.list' | 'formerApplications.listOf' | 'windowRecords.forget'>,
  { tenant, user }: UserOfTenant,
  at: number,
): Pages<string> {
  const hashes = listUserHashes(tenant, user);
  return {
    async list(page) {
      const [former, { items, ...rest }] = await awaitAll(
        page.cursor === undefined
          ? ports.formerApplications.listOf(tenant.tenantId, at)
          : Promise.resolve([]),
        ports.applicationRecords.list(tenant.tenantId, page),
      );
      return { items: [...former, ...items.map(({ applicationId }) => applicationId)], ...rest };
    },
    act(applicationIds) {
      const windows = applicationIds.flatMap((id) => hashes.map((hash) => [id, hash] as const));
      return forgetSends(ports, windows, at);
    },
  };
}

/** Clears the failed attempts at the user's codes, and attempts counted for the user's addresses before the user existed. */
export async function deleteFailedAttempts(
  ports: PortsWith<'guesses.clearAllOf'>,
  tenant: Tenant,
  user: User,
): Promise<void> {
  const people = [
    toUserCounterKey(tenant, user.userId),
    ...listUserHashes(tenant, user).map((hash) => toAddressCounterKey(tenant, hash)),
  ];
  await Promise.all(people.map((person) => ports.guesses.clearAllOf(person)));
}
