import type { Membership, MembershipRecords, Memberships } from '../../ports/people.ts';
import { memberFields } from '../../records/organization.ts';
import { createCodec } from '../codec-of.ts';
import { listPartitions, listSort, memberKey, userPartition } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';

const membershipItem = createCodec(memberFields);

export function memberships(table: Table): Memberships {
  return {
    find: (userId, organizationId) => readRecord(table, memberKey(userId, organizationId), membershipItem),
  };
}

/**
 * Creates the store of memberships. Each membership is in its user's partition, where erasing the user finds it, and in a list
 * of its organization.
 */
export function membershipRecords(table: Table): MembershipRecords {
  function write(membership: Membership, condition: string): Promise<boolean> {
    const { organizationId, userId } = membership;
    const item = {
      ...memberKey(userId, organizationId),
      list_pk: listPartitions.members(organizationId),
      list_sk: listSort(membership.createdAt, userId),
      ...membershipItem.toAttributes(membership),
    };
    return table.put(item, { condition, tokenAttribute: 'written_by' });
  }

  return {
    ...memberships(table),
    put: (membership) => write(membership, 'attribute_not_exists(#pk)'),
    replace: (membership) => write(membership, 'attribute_exists(#pk)'),
    remove: (userId, organizationId) => table.remove(memberKey(userId, organizationId)),

    async listOfUser(userId) {
      const items = await table.query(userPartition(userId));
      return items.filter(({ sk }) => String(sk).startsWith('member#')).map(membershipItem.read);
    },

    async listOfOrganization(organizationId, page) {
      const { items, ...rest } = await table.queryIndex(listPartitions.members(organizationId), page);
      return { items: items.map(membershipItem.read), ...rest };
    },
  };
}
