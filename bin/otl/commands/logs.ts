// `otl logs tail` prints the log lines of requests and events as they arrive. `otl logs --request` prints those of one request.

import { setTimeout as pause } from 'node:timers/promises';
import { deployedLines, type LogLine, localLines, REQUEST_ID } from '../../../lib/operator/logs/new-lines.ts';
import { toNamePrefix } from '../../../lib/stacks/environments/environment.ts';
import type { TargetOptions } from '../target/service.ts';
import { openTarget } from '../target/target.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

interface TailOptions extends TargetOptions {
  readonly json?: boolean;
  readonly since: string;
  readonly once?: boolean;
}

const SINCE_MINUTES_MAX = 1440;
/** Pattern of metric and dimension names, which begin with a capital letter. Log fields begin with a lower-case letter. */
const METRIC = /^[A-Z]/;

/** Formats a log line for people. For a request it shows the HTTP status, otherwise the event and its fields. */
export function lineForPeople({
  time,
  level,
  event,
  status,
  result,
  request_id: id,
  ...rest
}: LogLine): string {
  const { duration_ms: duration, section: _, audit, _aws: __, ...others } = rest;
  const parts =
    status === undefined
      ? [level, event, JSON.stringify(others)]
      : [status, event, `${duration} ms`, result, ...(Array.isArray(audit) ? audit : []), id];
  // Replace control characters: values that a caller chose could otherwise move the operator's cursor.
  return [time, ...parts].join('  ').replace(/\p{Cc}/gu, '\ufffd');
}

async function source(where: TargetOptions, sinceSeconds: number, requestId?: string) {
  const { place } = await openTarget(where);
  if ('root' in place) return localLines(place.root, sinceSeconds, requestId);
  return deployedLines(place.environment.region, toNamePrefix(place.environment), sinceSeconds, requestId);
}

function readSince(since: string): number {
  const minutes = Number(since);
  if (!(minutes > 0 && minutes <= SINCE_MINUTES_MAX))
    throw new UsageError(`--since is a number of minutes, at most ${SINCE_MINUTES_MAX}.`);
  return Math.floor(Date.now() / 1000 - minutes * 60);
}

interface RequestOptions extends TargetOptions {
  readonly request: string;
  readonly since: string;
}

/**
 * Returns all log lines of one request with all their fields: the response, its events, AWS errors, and the lines of the
 * functions that processed the events later.
 * @throws `UsageError`; `RefusedError` if no line is found
 */
export async function readRequestLines({
  request,
  since,
  ...where
}: RequestOptions): Promise<readonly LogLine[]> {
  if (!REQUEST_ID.test(request))
    throw new UsageError('--request must be the X-Request-Id or the http_request_id of a response.');
  const lines = await (await source(where, readSince(since), request)).read();
  if (lines.length === 0)
    throw new RefusedError(`No line of this request was found in the last ${since} minutes.`);
  return lines.map(({ _aws: _, section: __, ...line }) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !METRIC.test(name))),
  );
}

export async function tailLogs(
  { since, once, json, ...where }: TailOptions,
  write: (text: string) => void,
): Promise<void> {
  const lines = await source(where, readSince(since));
  for (;;) {
    for (const line of await lines.read()) write(`${json ? JSON.stringify(line) : lineForPeople(line)}\n`);
    if (once) return;
    await pause(lines.pauseMs);
  }
}
