import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { iterateItems } from '../basis/change-record.ts';
import { listIdentifiers } from '../identifiers/identifier.ts';

// Checks of a table that point-in-time recovery has restored. The regular stores read the table, so that unreadable records are
// found before the table is in use.

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
}

const check = (name: string, ok: boolean, found: string): Check => ({ name, ok, found });

/** Reads the first `wanted` records of a list. Throws if a record cannot be read, so that the check fails. */
async function first<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  wanted: number,
): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of iterateItems(list)) {
    if (items.length >= wanted) break;
    items.push(item);
  }
  return items;
}

type DirectoryPorts = PortsWith<
  'tenantRecords.list' | 'applicationRecords' | 'clientRecords' | 'signingKeyRecords.list'
>;
type PeoplePorts = PortsWith<'userRecords' | 'identifiers'>;

const readTenants = (ports: PortsWith<'tenantRecords.list'>, sample: number): Promise<readonly Tenant[]> =>
  first((page) => ports.tenantRecords.list('', page), sample);

/**
 * Checks that a restored table has the current signing keys. Verifiers would reject keys from before a rotation, and disabled
 * keys cannot sign.
 */
async function checkKeys(live: DirectoryPorts, restored: DirectoryPorts): Promise<Check> {
  const listKeyNames = async (ports: DirectoryPorts) =>
    (await ports.signingKeyRecords.list())
      .map(({ kid, state }) => `${kid} ${state}`)
      .toSorted()
      .join(', ');
  const [now, then] = await Promise.all([listKeyNames(live), listKeyNames(restored)]);
  return check(
    'signing keys are those of now',
    now === then,
    now === then ? now : `then: ${then}; now: ${now}`,
  );
}

/** Checks a restored `directory` table against the live one. `sample` is the maximum number of records read per type. */
export async function checkDirectory(
  live: DirectoryPorts,
  restored: DirectoryPorts,
  sample: number,
): Promise<readonly Check[]> {
  const tenants = await readTenants(restored, sample);
  const counts = { applications: 0, clients: 0, foreign: 0 };
  for (const { tenantId } of tenants) {
    const applications = await first((page) => restored.applicationRecords.list(tenantId, page), sample);
    counts.applications += applications.length;
    counts.foreign += applications.filter((each) => each.tenantId !== tenantId).length;
    for (const parent of [tenantId, ...applications.map(({ applicationId }) => applicationId)])
      counts.clients += (await first((page) => restored.clientRecords.list(parent, page), sample)).length;
  }
  return [
    check('tenants can be read', tenants.length > 0, `${tenants.length}`),
    check('applications belong to their tenants', counts.foreign === 0, `${counts.applications}`),
    check('clients can be read', counts.clients > 0, `${counts.clients}`),
    await checkKeys(live, restored),
  ];
}

/**
 * Checks a restored `people` table: users can be read, and look-ups of their identifiers find them. The tenants come from the
 * live directory. Also counts the users who were created or erased after the backup, because the operator must repeat the
 * erasures.
 */
export async function checkPeople(
  live: PeoplePorts & PortsWith<'tenantRecords.list'>,
  restored: PeoplePorts,
  sample: number,
): Promise<readonly Check[]> {
  const counts = { users: 0, identifiers: 0, astray: 0, erasedSince: 0, madeSince: 0 };
  for (const { tenantId } of await readTenants(live, sample)) {
    for (const user of await first((page) => restored.userRecords.list(tenantId, page), sample)) {
      counts.users += 1;
      if (!(await live.userRecords.find(user.userId))) counts.erasedSince += 1;
      for (const identifier of listIdentifiers(user)) {
        counts.identifiers += 1;
        if ((await restored.identifiers.find(tenantId, identifier)) !== user.userId) counts.astray += 1;
      }
    }
    for (const { userId } of await first((page) => live.userRecords.list(tenantId, page), sample))
      if (!(await restored.userRecords.find(userId))) counts.madeSince += 1;
  }
  return [
    check('users can be read', counts.users > 0, `${counts.users}`),
    check(
      'identifiers lead to their users',
      counts.astray === 0,
      `${counts.identifiers - counts.astray} of ${counts.identifiers}`,
    ),
    check('users who were erased since', true, `${counts.erasedSince}`),
    check('users who were made since', true, `${counts.madeSince}`),
  ];
}
