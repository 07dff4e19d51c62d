import { setTimeout as pause } from 'node:timers/promises';
import { deployedLines, type LogLine, localLines, REQUEST_ID } from '../../../lib/operator/logs/new-lines.ts';
import { prefixOf } from '../../../lib/stacks/environments/environment.ts';
import type { TargetOptions } from '../target/service.ts';
import { openTarget } from '../target/target.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

/** `otl logs tail`: the lines of requests and events, as they come. `otl logs --request`: all about one. */

interface TailOptions extends TargetOptions {
  readonly json?: boolean;
  readonly since: string;
  readonly once?: boolean;
}

const SINCE_MINUTES_MAX = 1440;
/** Fields of a line have small letters, metrics and their dimensions do not. */
const METRIC = /^[A-Z]/;

/** A line of a request has a status; others say what happened. */
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
  // What a caller made up could move the operator's cursor.
  return [time, ...parts].join('  ').replace(/\p{Cc}/gu, '\ufffd');
}

async function source(where: TargetOptions, sinceSeconds: number, requestId?: string) {
  const { place } = await openTarget(where);
  if ('root' in place) return localLines(place.root, sinceSeconds, requestId);
  return deployedLines(place.environment.region, prefixOf(place.environment), sinceSeconds, requestId);
}

function beginningOf(since: string): number {
  const minutes = Number(since);
  if (!(minutes > 0 && minutes <= SINCE_MINUTES_MAX))
    throw new UsageError(`--since is a number of minutes, at most ${SINCE_MINUTES_MAX}.`);
  return Math.floor(Date.now() / 1000 - minutes * 60);
}

interface RequestOptions extends TargetOptions {
  readonly request: string;
  readonly since: string;
}

/** Every line of one request, whole: its answer, its events, errors of AWS, and what functions did with its events later. */
export async function linesOfRequest({
  request,
  since,
  ...where
}: RequestOptions): Promise<readonly LogLine[]> {
  if (!REQUEST_ID.test(request))
    throw new UsageError('--request takes the X-Request-Id of an answer, its http_request_id.');
  const lines = await (await source(where, beginningOf(since), request)).read();
  if (lines.length === 0) throw new RefusedError(`No line of the last ${since} minutes is of this request.`);
  return lines.map(({ _aws: _, section: __, ...line }) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !METRIC.test(name))),
  );
}

export async function tailLogs(
  { since, once, json, ...where }: TailOptions,
  write: (text: string) => void,
): Promise<void> {
  const lines = await source(where, beginningOf(since));
  for (;;) {
    for (const line of await lines.read()) write(`${json ? JSON.stringify(line) : lineForPeople(line)}\n`);
    if (once) return;
    await pause(lines.pauseMs);
  }
}
