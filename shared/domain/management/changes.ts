import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { ChangeEvent } from '../../ports/events.ts';
import type { Using } from '../../ports/uses.ts';
import type { ChangedField } from '../../records/changes.ts';

/** Absent: all of them. */
export interface ChangeFilter {
  readonly user_id?: string | undefined;
  readonly operator?: string | undefined;
  readonly kind?: string | undefined;
}

/** Who changed what in a tenant, newest first. */
export const listChanges = (
  { timeline }: Using<'timeline.listChanges'>,
  { tenantId }: Tenant,
  { user_id: userId, operator, kind }: ChangeFilter,
  page: PageRequest,
): Promise<Page<ChangeEvent>> =>
  timeline.listChanges(
    { tenantId, userId },
    page,
    ({ detail }) =>
      (operator === undefined || detail.operator === operator) &&
      (kind === undefined || detail.record_kind === kind),
  );

/** A change as operators see it: the event with the further fields of its log line. */
interface ChangeRecord {
  readonly time: string;
  readonly type: string;
  readonly operation: string;
  readonly tenant_id: string;
  readonly changes: ChangedField[];
  readonly [detail: string]: string | number | ChangedField[];
}

export function changeRecord({ time, type, tenantId, userId, detail }: ChangeEvent): ChangeRecord {
  const { changes = '[]', operation = '', ...rest } = detail;
  return {
    ...{ time, type, operation: String(operation), ...rest, tenant_id: tenantId },
    ...(userId === undefined ? {} : { user_id: userId }),
    changes: JSON.parse(String(changes)) as ChangedField[],
  };
}
