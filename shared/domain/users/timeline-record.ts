import type { ChangeEvent, TimelineEvent } from '../../ports/events.ts';
import type { ChangedField } from '../../records/changes.ts';

/** Timeline event as operators see it: time, type and the other fields of its log line. */
export interface TimelineRecord {
  readonly time: string;
  readonly type: string;
  readonly [detail: string]: string | number;
}

export const toTimelineRecord = ({ time, type, detail }: TimelineEvent): TimelineRecord => ({
  time,
  type,
  ...detail,
});

/** Converts a timeline event for non-operators. They learn what an operator did, but neither who the operator was nor why. */
export function toUserTimelineRecord(event: TimelineEvent): TimelineRecord {
  const { operator: _, reason: __, ...record } = toTimelineRecord(event);
  return record as TimelineRecord;
}

/** Configuration or user change as operators see it: the event with the other fields of its log line. */
interface ChangeRecord {
  readonly time: string;
  readonly type: string;
  readonly operation: string;
  readonly tenant_id: string;
  readonly changes: ChangedField[];
  readonly [detail: string]: string | number | ChangedField[];
}

export function toChangeRecord({ time, type, tenantId, userId, detail }: ChangeEvent): ChangeRecord {
  const { changes = '[]', operation = '', ...rest } = detail;
  return {
    ...{ time, type, operation: String(operation), ...rest, tenant_id: tenantId },
    ...(userId === undefined ? {} : { user_id: userId }),
    changes: JSON.parse(String(changes)) as ChangedField[],
  };
}

/** Converts a change for the user whom it concerns. Leaves out who made the change, why, and from where. */
export function toUserChangeRecord(
  event: ChangeEvent,
): Pick<ChangeRecord, 'time' | 'type' | 'operation' | 'changes'> {
  const { time, type, operation, changes } = toChangeRecord(event);
  return { time, type, operation, changes };
}
