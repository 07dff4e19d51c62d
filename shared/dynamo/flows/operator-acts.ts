import { EXPIRED_KEPT_SECONDS } from '../../domain/basis/limits.ts';
import type { OperatorActs } from '../../ports/operators.ts';
import { operatorActKey } from '../keys.ts';
import type { Table } from '../table.ts';

export function operatorActs(table: Table): OperatorActs {
  return {
    note({ userId, operatorId, act }, until, at) {
      const item = { act, expires_at: until, purge_at: until + EXPIRED_KEPT_SECONDS };
      return table.put(
        { ...operatorActKey(userId, operatorId), ...item },
        {
          condition: 'attribute_not_exists(#pk) OR #act = :act OR #expires_at <= :at',
          values: { act, at },
          mark: 'claimed_by',
        },
      );
    },
  };
}
