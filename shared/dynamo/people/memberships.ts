import type { Membership, MembershipRecords, Memberships } from '../../ports/people.ts';
import { number, text, texts } from '../attributes.ts';
import { listPartitions, listSort, memberKey, userPartition } from '../keys.ts';
import type { Item, Table } from '../table.ts';

function toMembership(item: Item): Membership {
  return {
    organizationId: text(item, 'organization_id'),
    userId: text(item, 'user_id'),
    tenantId: text(item, 'tenant_id'),
    roles: texts(item, 'roles'),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  };
}

export function memberships(table: Table): Memberships {
  return {
    async find(userId, organizationId) {
      const item = await table.get(memberKey(userId, organizationId));
      return item && toMembership(item);
    },
  };
}

/** Filed under the user, so that erasing the user finds them; listed by organization. */
export function membershipRecords(table: Table): MembershipRecords {
  function write(membership: Membership, condition: string): Promise<boolean> {
    const { organizationId, userId } = membership;
    const by = crypto.randomUUID();
    const item = {
      ...memberKey(userId, organizationId),
      list_pk: listPartitions.members(organizationId),
      list_sk: listSort(membership.createdAt, userId),
      organization_id: organizationId,
      user_id: userId,
      tenant_id: membership.tenantId,
      roles: membership.roles,
      created_at: membership.createdAt,
      updated_at: membership.updatedAt,
      written_by: by,
    };
    return table.put(item, { condition, ours: (found) => found.written_by === by });
  }

  return {
    ...memberships(table),
    put: (membership) => write(membership, 'attribute_not_exists(#pk)'),
    replace: (membership) => write(membership, 'attribute_exists(#pk)'),
    remove: (userId, organizationId) => table.remove(memberKey(userId, organizationId)),

    async listOfUser(userId) {
      const items = await table.query(userPartition(userId));
      return items.filter(({ sk }) => String(sk).startsWith('member#')).map(toMembership);
    },

    async listOfOrganization(organizationId, page) {
      const { items, ...rest } = await table.queryIndex(listPartitions.members(organizationId), page);
      return { items: items.map(toMembership), ...rest };
    },
  };
}
