import type { Tenant } from '../../ports/directory.ts';
import type { OneTimeCodeKey } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { LIST_LIMIT_MAX, PARALLEL_REMOVALS } from '../basis/limits.ts';
import { keyOfKnownDevice, strangersKey } from '../credentials/known-device.ts';
import { identifiersOf } from '../identifiers/identifier.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

type ApplicationPorts = Using<'applicationRecords.list' | 'formerApplications.listOf'>;

/** Those that were deleted lately too: their codes do not go with them. */
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

/**
 * Does the same at every place where codes of this user can be: each identifier, also those given up lately, in each
 * application that the tenant has or had lately, as backends, strangers' browsers and each known browser count them.
 */
export async function atCodesOfUser(
  ports: ApplicationPorts & Using<'knownDeviceRecords.listOf'>,
  tenant: Tenant,
  user: User,
  at: number,
  act: (key: OneTimeCodeKey) => Promise<void>,
): Promise<void> {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...identifiersOf(user)];
  const hashes = [
    ...identifiers.map((identifier) => identifierHash(tenant, identifier)),
    ...(user.formerIdentifiers ?? []).map(({ hash }) => hash),
  ];
  const devices = await ports.knownDeviceRecords.listOf(user.userId);
  const keys: OneTimeCodeKey[] = [];
  for await (const applicationId of applicationIdsOf(ports, tenant, at))
    for (const hash of hashes) {
      const key = { applicationId, identifierHash: hash };
      keys.push(key, strangersKey(key), ...devices.map((device) => keyOfKnownDevice(key, device)));
    }
  for (let from = 0; from < keys.length; from += PARALLEL_REMOVALS)
    await Promise.all(keys.slice(from, from + PARALLEL_REMOVALS).map(act));
}
