import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { everyItem } from '../basis/change-record.ts';
import { identifiersOf } from '../identifiers/identifier.ts';

/*
 * Checks a table that point-in-time recovery has made. The stores themselves read it: what they cannot read shows before the
 * table is in use.
 */

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
}

const check = (name: string, ok: boolean, found: string): Check => ({ name, ok, found });

/** The first `wanted` records of a list; reading one is the check. */
async function first<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  wanted: number,
): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of everyItem(list)) {
    if (items.length >= wanted) break;
    items.push(item);
  }
  return items;
}

type DirectoryPorts = Using<
  'tenantRecords.list' | 'applicationRecords' | 'clientRecords' | 'signingKeyRecords.list'
>;
type PeoplePorts = Using<'userRecords' | 'identifiers'>;

const tenantsOf = (ports: Using<'tenantRecords.list'>, sample: number): Promise<readonly Tenant[]> =>
  first((page) => ports.tenantRecords.list('', page), sample);

/** Tokens are signed by what the table says: keys of before a rotation would be refused everywhere, and disabled ones fail. */
async function checkKeys(live: DirectoryPorts, restored: DirectoryPorts): Promise<Check> {
  const namesOf = async (ports: DirectoryPorts) =>
    (await ports.signingKeyRecords.list())
      .map(({ kid, state }) => `${kid} ${state}`)
      .toSorted()
      .join(', ');
  const [now, then] = await Promise.all([namesOf(live), namesOf(restored)]);
  return check(
    'signing keys are those of now',
    now === then,
    now === then ? now : `then: ${then}; now: ${now}`,
  );
}

/** A restored `directory`, beside the one in use. `sample` is how many records of each kind are read at most. */
export async function checkDirectory(
  live: DirectoryPorts,
  restored: DirectoryPorts,
  sample: number,
): Promise<readonly Check[]> {
  const tenants = await tenantsOf(restored, sample);
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
 * A restored `people`: users can be read, and what each is known by leads to them. Tenants are those of the directory in use.
 * Users made or erased since are counted for the operator: an erased user must be erased again.
 */
export async function checkPeople(
  live: PeoplePorts & Using<'tenantRecords.list'>,
  restored: PeoplePorts,
  sample: number,
): Promise<readonly Check[]> {
  const counts = { users: 0, identifiers: 0, astray: 0, erasedSince: 0, madeSince: 0 };
  for (const { tenantId } of await tenantsOf(live, sample)) {
    for (const user of await first((page) => restored.userRecords.list(tenantId, page), sample)) {
      counts.users += 1;
      if (!(await live.userRecords.find(user.userId))) counts.erasedSince += 1;
      for (const identifier of identifiersOf(user)) {
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
