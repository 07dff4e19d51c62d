import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { ConfigPorts } from './kinds.ts';
import type { Change, Plan } from './plan.ts';

async function write(
  ports: ConfigPorts,
  { kind, current, next }: Change,
  startedAt: number,
): Promise<boolean> {
  // This cast is safe: a record and its port come from the same entry of the table of kinds, so the port stores records of this
  // type.
  const store = ports[kind.port] as {
    [verb in 'put' | 'replace']: (...records: readonly unknown[]) => Promise<boolean>;
  };
  if (current)
    return kind.replace ? kind.replace(ports, { current, next, startedAt }) : store.replace(current, next);
  return kind.create ? kind.create(ports, next) : store.put(next);
}

/**
 * Applies a plan, one record after the other. If that fails in the middle, another plan for the same file contains only the
 * remaining changes.
 * @param onChange Called after each written record, with its position in the plan.
 * @throws `concurrent_change` if a record has changed since the plan was made
 */
export async function applyPlan(
  ports: ConfigPorts,
  { changes, hosts, startedAt }: Plan,
  onChange: (change: Change, position: number) => Promise<void>,
): Promise<void> {
  // Hosts are reserved first, so that no other tenant can create a resource on one of them in the meantime.
  for (const { tenantId, host } of hosts)
    if (!(await ports.uriOwnerRecords.reserveHost(tenantId, host)))
      throw new ServiceError('concurrent_change');
  for (const [position, change] of changes.entries()) {
    if (!(await write(ports, change, startedAt))) throw new ServiceError('concurrent_change');
    await onChange(change, position);
  }
}
