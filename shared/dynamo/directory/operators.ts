import { buildGrantId } from '../../domain/basis/operators.ts';
import type { OperatorEnrolments, OperatorGrant, OperatorRecords, Operators } from '../../ports/operators.ts';
import { enrolmentFields, operatorFields } from '../../records/operator.ts';
import { createCodec } from '../codec-of.ts';
import { enrolmentKey, listPartitions, operatorKey, operatorPartition } from '../keys.ts';
import { cachedReader, type RecordStorage, readRecord, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const kind: RecordStorage<OperatorGrant> = {
  key: operatorKey,
  id: buildGrantId,
  list: ({ tenantId }) => listPartitions.operators(tenantId),
  toListPartition: listPartitions.operators,
  codec: createCodec(operatorFields),
};

export function operators(table: Table): Operators {
  const known = cachedReader(table, kind);
  return {
    find: (grant, options) => known.find(buildGrantId(grant), options),
    async listOfUser(userId) {
      return (await table.query(operatorPartition(userId))).map(kind.codec.read);
    },
  };
}

export const operatorRecords = (table: Table): OperatorRecords => recordStore(table, kind);

const enrolmentItem = createCodec(enrolmentFields);

export const operatorEnrolments = (table: Table): OperatorEnrolments => ({
  find: (grant) => readRecord(table, enrolmentKey(grant), enrolmentItem),

  async bind(enrolment) {
    const { hash } = enrolment;
    const attempt = await table.tryPut(
      { ...enrolmentKey(enrolment), ...enrolmentItem.toAttributes(enrolment) },
      { condition: 'attribute_not_exists(#pk) OR #hash <> :hash', values: { hash } },
    );
    return attempt.existing ? enrolmentItem.read(attempt.existing) : enrolment;
  },

  complete: (enrolment, at) =>
    table.change(enrolmentKey(enrolment), {
      condition: '#hash = :hash AND #browser_hash = :browser_hash',
      values: { hash: enrolment.hash, browser_hash: enrolment.browserHash },
      set: { enrolled_at: at },
    }),

  remove: (grant) => table.remove(enrolmentKey(grant)),
});
