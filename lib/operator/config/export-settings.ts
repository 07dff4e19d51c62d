import { iterateItems } from '../../../shared/domain/basis/change-record.ts';
import { OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import type { Application, PageRequest, Tenant } from '../../../shared/ports/directory.ts';
import { toExported } from '../../../shared/records/exported.ts';
import { type ConfigPorts, type Kind, kinds, tenantKind, type Values } from './kinds.ts';
import { FORMAT, HOSTS, listFields } from './read-file.ts';

const exportRecord = (kind: Kind, record: object): Values => toExported(listFields(kind), record as Values);

async function readAll<T>(list: Parameters<typeof iterateItems<T>>[0]): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const each of iterateItems(list)) all.push(each);
  return all;
}

type ReadPorts = Pick<
  ConfigPorts,
  | 'tenantRecords'
  | 'applicationRecords'
  | 'clientRecords'
  | 'resourceRecords'
  | 'organizationRecords'
  | 'webhookRecords'
>;

/** Returns all tenants except the tenant of operators. */
export const listSettingTenants = async (ports: ReadPorts): Promise<readonly Tenant[]> =>
  (await readAll((page) => ports.tenantRecords.list('', page))).filter(
    ({ tenantId }) => tenantId !== OPERATORS_TENANT_ID,
  );

/** Returns a tenant's records, keyed by the name of their list in an export file. */
export async function listRecords(
  ports: ReadPorts,
  { tenantId }: Pick<Tenant, 'tenantId'>,
): Promise<Readonly<Record<keyof typeof kinds, readonly object[]>>> {
  const applications = await readAll<Application>((page) => ports.applicationRecords.list(tenantId, page));
  const owners = [tenantId, ...applications.map(({ applicationId }) => applicationId)];
  const clients: object[] = [];
  for (const owner of owners)
    clients.push(...(await readAll((page: PageRequest) => ports.clientRecords.list(owner, page))));
  return {
    applications,
    clients,
    resources: await readAll((page) => ports.resourceRecords.list(tenantId, page)),
    organizations: await readAll((page) => ports.organizationRecords.list(tenantId, page)),
    webhooks: await readAll((page) => ports.webhookRecords.list(tenantId, page)),
  };
}

/** Returns the settings of all tenants as the content of a file. */
export async function exportSettings(ports: ConfigPorts): Promise<object> {
  const hosts = await ports.uriOwnerRecords.listHosts();
  const tenants: Values[] = [];
  for (const tenant of await listSettingTenants(ports)) {
    const own = hosts.filter(({ tenantId }) => tenantId === tenant.tenantId).map(({ host }) => host);
    const records = await listRecords(ports, tenant);
    const lists = Object.entries(kinds).map(([name, kind]) => [
      name,
      records[name as keyof typeof kinds].map((record) => exportRecord(kind, record)),
    ]);
    tenants.push({
      ...exportRecord(tenantKind, tenant),
      [HOSTS]: own,
      ...Object.fromEntries(lists),
    });
  }
  return { format: FORMAT, tenants };
}
