import type { Application, Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { foldForSearch } from '../basis/folded.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { externalIdentifier } from '../identifiers/identifier.ts';

/** Search criteria for users. A user must match all given criteria. */
export interface UserSearch {
  readonly status?: User['status'] | undefined;
  readonly group?: string | undefined;
  /** Part of a name or an address. Case and accents are ignored. */
  readonly q?: string | undefined;
}

function listSearchableTexts({ email, phoneNumber, username, firstName, lastName }: User): readonly string[] {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return [email?.value, phoneNumber?.value, username, name].filter((text) => text !== undefined);
}

/** Builds a filter for a search. Returns undefined if all users match. */
export function buildUserFilter({ status, group, q }: UserSearch): ((user: User) => boolean) | undefined {
  if ([status, group, q].every((criterion) => criterion === undefined)) return undefined;
  const part = q === undefined ? undefined : foldForSearch(q);
  return (user) =>
    (status === undefined || user.status === status) &&
    (group === undefined || user.groups.includes(group)) &&
    (part === undefined || listSearchableTexts(user).some((text) => foldForSearch(text).includes(part)));
}

/**
 * Finds the users with an external ID who also match `fits`. Every application has its own external IDs. With `place`, makes
 * one look-up; otherwise makes one look-up for each application on the requested page.
 */
export async function findUsersByExternalId(
  ports: PortsWith<'applicationRecords.list' | 'identifiers' | 'users.find'>,
  tenant: Tenant,
  {
    value,
    request,
    place,
    fits = () => true,
  }: {
    readonly value: string;
    readonly request: PageRequest;
    readonly place?: Application | undefined;
    readonly fits?: ((user: User) => boolean) | undefined;
  },
): Promise<Page<User>> {
  const { items: applications, ...rest } = place
    ? { items: [place] }
    : await ports.applicationRecords.list(tenant.tenantId, request);
  const found = await Promise.all(
    applications.map(({ applicationId }) =>
      findUserByIdentifier(ports, tenant, externalIdentifier({ applicationId, value })),
    ),
  );
  const users = new Map(found.flatMap((user) => (user && fits(user) ? [[user.userId, user] as const] : [])));
  return { items: [...users.values()].toSorted((one, other) => one.createdAt - other.createdAt), ...rest };
}
