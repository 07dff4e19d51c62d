import type { TimelineEvent } from '../../ports/events.ts';

/** An event of a timeline as operators see it: time, type and the further fields of its log line. */
export interface TimelineRecord {
  readonly time: string;
  readonly type: string;
  readonly [detail: string]: string | number;
}

export const timelineRecord = ({ time, type, detail }: TimelineEvent): TimelineRecord => ({
  time,
  type,
  ...detail,
});

/** The same for others: they learn what an operator did, not who that is and why. */
export function toldRecord(event: TimelineEvent): TimelineRecord {
  const { operator: _, reason: __, ...record } = timelineRecord(event);
  return record as TimelineRecord;
}
