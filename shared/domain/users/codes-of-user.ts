import type { Tenant } from '../../ports/directory.ts';
import type { CodeLock } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { personAt, personOf } from '../credentials/guesses.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import type { Pages } from '../jobs/job.ts';
import { forgetSends } from '../rate-limits/send-window.ts';

/** HMACs of the user's ID and of each identifier, also of those given up lately. */
function hashesOfUser(tenant: Tenant, user: User): readonly string[] {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...identifiersOf(user)];
  return [
    ...identifiers.map((identifier) => identifierHash(tenant, identifier)),
    ...(user.formerIdentifiers ?? []).map(({ hash }) => hash),
  ];
}

interface UserOfTenant {
  readonly tenant: Tenant;
  readonly user: User;
}

/** Lists the current locks of the user's codes, of all identifiers in all applications. */
export async function locksOfUser(
  { otps }: Using<'otps.locksOf'>,
  { tenant, user }: UserOfTenant,
  at: number,
): Promise<readonly CodeLock[]> {
  const locks = hashesOfUser(tenant, user).map((hash) => otps.locksOf(hash, at));
  return (await awaitAll(...locks)).flat();
}

/** Deletes codes, tries and locks of the user, of all identifiers in all applications. */
export async function forgetCodesOf(
  { otps }: Using<'otps.removeAllOf'>,
  { tenant, user }: UserOfTenant,
): Promise<void> {
  await awaitAll(...hashesOfUser(tenant, user).map((hash) => otps.removeAllOf(hash)));
}

/**
 * Pages that clear the send windows of the user: of each identifier in each application that the tenant has, or that it deleted
 * lately. A window cannot be found by its user, so each possible one is looked for.
 */
export function sendsOfUser(
  ports: Using<'applicationRecords.list' | 'formerApplications.listOf' | 'windowRecords.forget'>,
  { tenant, user }: UserOfTenant,
  at: number,
): Pages<string> {
  const hashes = hashesOfUser(tenant, user);
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
      const places = applicationIds.flatMap((id) => hashes.map((hash) => [id, hash] as const));
      return forgetSends(ports, places, at);
    },
  };
}

/** Forgets the wrong codes of the user, and those of their addresses from before they had a user. */
export async function forgetGuessesOf(
  ports: Using<'guesses.clearAllOf'>,
  tenant: Tenant,
  user: User,
): Promise<void> {
  const people = [
    personOf(tenant, user.userId),
    ...hashesOfUser(tenant, user).map((hash) => personAt(tenant, hash)),
  ];
  await Promise.all(people.map((person) => ports.guesses.clearAllOf(person)));
}
