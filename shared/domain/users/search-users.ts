import type { Application, Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { ExternalId, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { folded } from '../basis/folded.ts';
import { findBy } from '../identifiers/find-user.ts';
import { externalIdentifier } from '../identifiers/identifier.ts';

/** What users are searched by; all that is given must fit. */
export interface UserSearch {
  readonly status?: User['status'] | undefined;
  readonly group?: string | undefined;
  readonly external_user_id?: string | undefined;
  /** A part of a name or an address, whatever its case. */
  readonly q?: string | undefined;
}

function textsOf({ email, phoneNumber, username, firstName, lastName }: User): readonly string[] {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return [email?.value, phoneNumber?.value, username, name].filter((text) => text !== undefined);
}

/** Which users a search is for, at the caller's application if they have one; undefined when it is for all. */
export function fittingUsers(search: UserSearch, place?: Application): ((user: User) => boolean) | undefined {
  const { status, group, external_user_id: externalId, q } = search;
  if ([status, group, externalId, q].every((asked) => asked === undefined)) return undefined;
  const part = q === undefined ? undefined : folded(q);
  const isAsked = ({ applicationId, value }: ExternalId) =>
    value === externalId && (!place || applicationId === place.applicationId);
  return (user) =>
    (status === undefined || user.status === status) &&
    (group === undefined || user.groups.includes(group)) &&
    (externalId === undefined || user.externalIds.some(isAsked)) &&
    (part === undefined || textsOf(user).some((text) => folded(text).includes(part)));
}

/**
 * Whom an external ID leads to, where all else fits too. Each application has its own IDs: with `place` one is looked up, else
 * those of a page of the applications.
 */
export async function usersByExternalId(
  ports: Using<'applicationRecords.list' | 'identifiers' | 'users.find'>,
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
      findBy(ports, tenant, externalIdentifier({ applicationId, value })),
    ),
  );
  const users = new Map(found.flatMap((user) => (user && fits(user) ? [[user.userId, user] as const] : [])));
  return { items: [...users.values()].toSorted((one, other) => one.createdAt - other.createdAt), ...rest };
}
