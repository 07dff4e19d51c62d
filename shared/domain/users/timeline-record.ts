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
