// Commands for resource URIs and hosts. A resource URI is unique among all tenants of an environment.

import { HOST_NAME } from '../../../shared/domain/basis/host-name.ts';
import { moveUri } from '../../../shared/domain/management/resource-uris.ts';
import type { Command } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import { makeColumns } from '../terminal/print.ts';

const host = { 'host <host>': 'a host name, without its subdomains' };

export function readHost(option: (flag: string) => string | undefined): string {
  const given = option('host')?.toLowerCase() ?? '';
  if (!HOST_NAME.test(given)) throw new UsageError('--host must be a host name, such as api.example.com.');
  return given;
}

export const uriCommands: readonly Command[] = [
  {
    verb: 'move-uri',
    summary: 'Assigns a URI to the tenant and takes it from all other tenants',
    changes: 'management.changed',
    required: { 'uri <uri>': 'the URI, compared character by character' },
    confirm: () => 'Invalidate the tokens of all other tenants for this URI',
    examples: ['--uri https://api.example.com/orders'],
    run: async ({ ports, tenant: tenantOf, option, audit }) => {
      const tenant = await tenantOf();
      const former = await moveUri(ports, tenant, option('uri') ?? '');
      audit({ tenantId: tenant.tenantId });
      const ended = former.length === 0 ? 'No other tenant used it.' : `Taken from: ${former.join(', ')}.`;
      return { done: `The URI belongs to the tenant ${tenant.tenantId}. ${ended}` };
    },
  },
  {
    verb: 'reserve-host',
    summary: 'Reserves a host for the tenant, so that no other tenant can create resources on it',
    changes: 'management.changed',
    required: host,
    examples: ['--host api.example.com'],
    run: async ({ ports, tenant: tenantOf, option, audit }) => {
      const [{ tenantId }, name] = [await tenantOf(), readHost(option)];
      if (!(await ports.uriOwnerRecords.reserveHost(tenantId, name)))
        throw new RefusedError('The host is reserved for another tenant. See otl resource list-hosts.');
      audit({ tenantId });
      return { done: `The host ${name} is reserved for the tenant ${tenantId}.` };
    },
  },
  {
    verb: 'list-hosts',
    summary: 'Lists the hosts that are reserved for tenants of the environment',
    examples: [''],
    run: async ({ ports }) => {
      const hosts = await ports.uriOwnerRecords.listHosts();
      const result = hosts.map(({ host: name, tenantId }) => ({ host: name, tenant_id: tenantId }));
      return { list: { result }, columns: makeColumns<(typeof result)[number]>('host', 'tenant_id') };
    },
  },
  {
    verb: 'free-host',
    summary: 'Releases a host that was reserved for the tenant',
    changes: 'management.changed',
    required: host,
    confirm: () => 'Let every tenant create resources on this host',
    examples: ['--host api.example.com'],
    run: async ({ ports, tenant: tenantOf, option, audit }) => {
      const [{ tenantId }, name] = [await tenantOf(), readHost(option)];
      if (!(await ports.uriOwnerRecords.freeHost(tenantId, name)))
        throw new RefusedError('The host is not reserved for this tenant. See otl resource list-hosts.');
      audit({ tenantId });
      return { done: `The host ${name} is free.` };
    },
  },
];
