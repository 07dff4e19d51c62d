import { setTimeout as pause } from 'node:timers/promises';
import { deployedLines, type LogLine, localLines } from '../../../lib/operator/logs/new-lines.ts';
import { prefixOf } from '../../../lib/stacks/environments/environment.ts';
import { openTarget, type TargetOptions } from '../target/target.ts';
import { UsageError } from '../terminal/failure.ts';

/** `otl logs tail`: the lines of requests and events, as they come. */

interface TailOptions extends TargetOptions {
  readonly json?: boolean;
  readonly since: string;
  readonly once?: boolean;
}

const SINCE_MINUTES_MAX = 1440;

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

async function source(where: TargetOptions, sinceSeconds: number) {
  // Refuses wrong usage, and what is no local server.
  await openTarget(where);
  if (where.env === undefined)
    return localLines((where.endpoint ?? process.env.OTL_ENDPOINT ?? '').replace(/\/+$/, ''), sinceSeconds);
  const { environments } = await import('../../../lib/stacks/environments/environments.ts');
  const [environment] = environments(where.env);
  if (!environment) throw new UsageError(`There is no environment "${where.env}".`);
  return deployedLines(environment.region, prefixOf(environment), sinceSeconds);
}

export async function tailLogs(
  { since, once, json, ...where }: TailOptions,
  write: (text: string) => void,
): Promise<void> {
  const minutes = Number(since);
  if (!(minutes > 0 && minutes <= SINCE_MINUTES_MAX))
    throw new UsageError(`--since is a number of minutes, at most ${SINCE_MINUTES_MAX}.`);
  const lines = await source(where, Math.floor(Date.now() / 1000 - minutes * 60));
  for (;;) {
    for (const line of await lines.read()) write(`${json ? JSON.stringify(line) : lineForPeople(line)}\n`);
    if (once) return;
    await pause(lines.pauseMs);
  }
}
