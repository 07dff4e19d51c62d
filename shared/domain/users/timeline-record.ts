import type { UserEvent } from '../../ports/events.ts';

/** An event of a timeline as operators see it: when, what, and what else its line in the log told. */
export interface TimelineRecord {
  readonly time: string;
  readonly type: string;
  readonly [detail: string]: string | number;
}

export const timelineRecord = ({ time, type, detail }: UserEvent): TimelineRecord => ({
  time,
  type,
  ...detail,
});
