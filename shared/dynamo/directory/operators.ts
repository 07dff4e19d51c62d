import { grantId } from '../../domain/basis/operators.ts';
import type { OperatorGrant, OperatorRecords, Operators } from '../../ports/operators.ts';
import { operatorFields } from '../../records/operator.ts';
import { codecOf } from '../codec-of.ts';
import { listPartitions, operatorKey, operatorPartition } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordKind<OperatorGrant> = {
  key: operatorKey,
  id: grantId,
  list: ({ tenantId }) => listPartitions.operators(tenantId),
  listOf: listPartitions.operators,
  codec: codecOf(operatorFields),
};

export function operators(table: Table): Operators {
  const known = lookup(table, kind);
  return {
    find: (grant, options) => known.find(grantId(grant), options),
    async listOfUser(userId) {
      return (await table.query(operatorPartition(userId))).map(kind.codec.read);
    },
  };
}

export const operatorRecords = (table: Table): OperatorRecords => recordStore(table, kind);
