import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { inBatches } from '../basis/await-all.ts';
import { LIST_LIMIT_MAX, PARALLEL_WRITES } from '../basis/limits.ts';
import { personAt, personOf } from '../credentials/guesses.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

type ApplicationPorts = Using<'applicationRecords.list' | 'formerApplications.listOf'>;

/** Applications of the tenant, with those deleted lately: their codes do not go with them. */
async function* applicationIdsOf(
  ports: ApplicationPorts,
  tenant: Tenant,
  at: number,
): AsyncGenerator<string> {
  yield* await ports.formerApplications.listOf(tenant.tenantId, at);
  let cursor: string | undefined;
  do {
    const page = await ports.applicationRecords.list(tenant.tenantId, {
      limit: LIST_LIMIT_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { applicationId } of page.items) yield applicationId;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** HMACs of the user's ID and of each identifier, also of those given up lately. */
function hashesOfUser(tenant: Tenant, user: User): readonly string[] {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...identifiersOf(user)];
  return [
    ...identifiers.map((identifier) => identifierHash(tenant, identifier)),
    ...(user.formerIdentifiers ?? []).map(({ hash }) => hash),
  ];
}

/**
 * Does the same at every place where codes of this user can be: each identifier in each application that the tenant has or
 * had lately.
 */
export async function atCodesOfUser(
  ports: ApplicationPorts,
  { tenant, user }: { readonly tenant: Tenant; readonly user: User },
  at: number,
  act: (applicationId: string, identifierHash: string) => Promise<void>,
): Promise<void> {
  const hashes = hashesOfUser(tenant, user);
  const places: (readonly [string, string])[] = [];
  for await (const applicationId of applicationIdsOf(ports, tenant, at))
    for (const hash of hashes) places.push([applicationId, hash]);
  await inBatches(places, PARALLEL_WRITES, (place) => act(...place));
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
