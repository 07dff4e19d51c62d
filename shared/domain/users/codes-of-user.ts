import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll, inBatches } from '../basis/await-all.ts';
import { PARALLEL_WRITES } from '../basis/limits.ts';
import { personAt, personOf } from '../credentials/guesses.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import type { Pages } from '../jobs/job.ts';

/** HMACs of the user's ID and of each identifier, also of those given up lately. */
export function hashesOfUser(tenant: Tenant, user: User): readonly string[] {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...identifiersOf(user)];
  return [
    ...identifiers.map((identifier) => identifierHash(tenant, identifier)),
    ...(user.formerIdentifiers ?? []).map(({ hash }) => hash),
  ];
}

/**
 * Does the same at every place where codes of this user can be: each identifier in each application that the tenant has, or that it
 * deleted lately, because codes do not go with their application.
 */
export function codesOfUser(
  ports: Using<'applicationRecords.list' | 'formerApplications.listOf'>,
  { tenant, user }: { readonly tenant: Tenant; readonly user: User },
  at: number,
  act: (applicationId: string, identifierHash: string) => Promise<void>,
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
      return inBatches(places, PARALLEL_WRITES, (place) => act(...place));
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
