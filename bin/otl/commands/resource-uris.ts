import { HOST_NAME } from '../../../shared/domain/basis/host-name.ts';
import { moveUri } from '../../../shared/domain/management/resource-uris.ts';
import type { Command } from '../engine/command.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import { columnsOf } from '../terminal/print.ts';

/** Commands for what the tenants of an environment share: one space of resource URIs. */

const host = { 'host <host>': 'a host name, without its subdomains' };

export function hostOf(option: (flag: string) => string | undefined): string {
  const given = option('host')?.toLowerCase() ?? '';
  if (!HOST_NAME.test(given)) throw new UsageError('--host must be a host name, such as api.example.com.');
  return given;
}

export const uriCommands: readonly Command[] = [
  {
    verb: 'move-uri',
    summary: 'Gives a URI to the tenant, and takes it from every other one',
    changes: 'management.changed',
    required: { 'uri <uri>': 'the URI, compared character by character' },
    confirm: () => 'End all tokens for this URI of other tenants',
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
    summary: 'Keeps a host for the tenant: no other one can make a resource there',
    changes: 'management.changed',
    required: host,
    examples: ['--host api.example.com'],
    run: async ({ ports, tenant: tenantOf, option, audit }) => {
      const [{ tenantId }, name] = [await tenantOf(), hostOf(option)];
      if (!(await ports.uriOwnerRecords.reserveHost(tenantId, name)))
        throw new RefusedError('The host is kept for another tenant: otl resource list-hosts.');
      audit({ tenantId });
      return { done: `The host ${name} is kept for the tenant ${tenantId}.` };
    },
  },
  {
    verb: 'list-hosts',
    summary: 'Lists the hosts that are kept for tenants of the environment',
    examples: [''],
    run: async ({ ports }) => {
      const hosts = await ports.uriOwnerRecords.listHosts();
      const result = hosts.map(({ host: name, tenantId }) => ({ host: name, tenant_id: tenantId }));
      return { list: { result }, columns: columnsOf<(typeof result)[number]>('host', 'tenant_id') };
    },
  },
  {
    verb: 'free-host',
    summary: 'Keeps a host for the tenant no longer',
    changes: 'management.changed',
    required: host,
    confirm: () => 'Let every tenant make resources on this host',
    examples: ['--host api.example.com'],
    run: async ({ ports, tenant: tenantOf, option, audit }) => {
      const [{ tenantId }, name] = [await tenantOf(), hostOf(option)];
      if (!(await ports.uriOwnerRecords.freeHost(tenantId, name)))
        throw new RefusedError('The host is not kept for this tenant: otl resource list-hosts.');
      audit({ tenantId });
      return { done: `The host ${name} is free.` };
    },
  },
];
