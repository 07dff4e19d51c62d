import { STATISTICS_HOURS } from '../../shared/domain/basis/limits.ts';
import { statisticsRecord } from '../../shared/domain/support/statistics.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Returns the tenant's hourly counts of logins, failures and messages. */
export const getStatistics: UseCase<typeof rows.getStatistics> = async (
  { query, caller, request },
  ports,
) => {
  const hours = Number(query.hours ?? STATISTICS_HOURS);
  return { json: { result: await statisticsRecord(ports, caller.tenant, hours, request.now) } };
};
