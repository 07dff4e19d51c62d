import type { Application, ApplicationRecords, Tenant } from '../ports/directory.ts';
import type { OneTimeCodeKey } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import { identifiersOf } from './identifier.ts';
import { strangersKey } from './known-device.ts';
import { LIST_LIMIT_MAX, PARALLEL_REMOVALS } from './limits.ts';
import { codeKey } from './one-time-code.ts';

async function* applicationsOf(
  ports: { readonly applicationRecords: ApplicationRecords },
  tenant: Tenant,
): AsyncGenerator<Application> {
  let cursor: string | undefined;
  do {
    const page = await ports.applicationRecords.list(tenant.tenantId, {
      limit: LIST_LIMIT_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Does the same at every place where codes of this user can be: each identifier in each application of the tenant. */
export async function atCodesOfUser(
  ports: { readonly applicationRecords: ApplicationRecords },
  tenant: Tenant,
  user: User,
  act: (key: OneTimeCodeKey) => Promise<void>,
): Promise<void> {
  const identifiers = [{ type: 'user_id', value: user.userId }, ...identifiersOf(user)];
  const keys: OneTimeCodeKey[] = [];
  for await (const application of applicationsOf(ports, tenant))
    for (const identifier of identifiers) {
      const key = codeKey(tenant, application, identifier);
      keys.push(key, strangersKey(key));
    }
  for (let from = 0; from < keys.length; from += PARALLEL_REMOVALS)
    await Promise.all(keys.slice(from, from + PARALLEL_REMOVALS).map(act));
}
