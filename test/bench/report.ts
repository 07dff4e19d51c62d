import type { ColdStartRow } from './cold-start.ts';
import type { CpuRow } from './cpu.ts';
import type { AtTwoMoments, LoadResult } from './load.ts';
import type { Machine } from './support/machine.ts';
import type { ThroughputRow } from './throughput.ts';

export interface Results {
  readonly machine: Machine;
  readonly throughput?: readonly ThroughputRow[];
  readonly cpu?: readonly CpuRow[];
  readonly cold_start?: readonly ColdStartRow[];
  readonly load?: LoadResult;
}

type Cell = string | number;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const moments = ({ after_a_minute, at_the_end }: AtTwoMoments): string =>
  `${after_a_minute} and ${at_the_end} MB`;

/** Formats the results as Markdown. */
export function report(results: Results): string {
  const { machine, throughput, cpu, cold_start, load } = results;
  const { cpu: model, cores, memory_gb, node, platform, load_before } = machine;
  const parts = [
    `${cores} cores (${model}), ${memory_gb} GB, Node ${node}, ${platform}; load before the bench ${load_before}`,
    throughput &&
      `## Throughput and latency of the local server

Load generator, server (windows off, no log) and emulators for AWS share the ${cores} cores. Latency is that of the whole flow.

${table(
  ['Flow', 'at once', 'per second', 'p50 ms', 'p99 ms', 'flows', 'generator, cores'],
  throughput.map((row) => [
    row.flow,
    row.concurrency,
    row.flows_per_second,
    row.p50_ms,
    row.p99_ms,
    row.flows,
    row.generator_core,
  ]),
)}`,
    cpu &&
      `## CPU time of the functions

Milliseconds per request on warm functions, windows and log lines on, emulators for AWS in another process (HTTP, so without TLS).

${table(
  ['Flow or operation', 'ms', 'AWS calls'],
  cpu.map((row) => [row.what, row.ms, row.aws_calls]),
)}`,
    cold_start &&
      `## Bundles and cold init

The size of each bundle, the code that is evaluated when it is loaded, and the processor time of that.

${table(
  ['Function', 'bundle KB', 'evaluated KB', 'init ms'],
  cold_start.map((row) => [row.function, row.bundle_kb, row.evaluated_kb, row.init_ms]),
)}`,
    load &&
      `## Load

${load.concurrency} at once for ${load.seconds} s, data on disk. Memory of the server after a minute and at the end: in use ${moments(load.memory_mb.live)}, resident ${moments(load.memory_mb.resident)}.

${table(
  ['Login', 'logins', 'p50 ms', 'p99 ms', '% within 2 s', '429 and 503', 'errors'],
  load.rows.map((row) => [
    row.flow,
    row.logins,
    row.p50_ms,
    row.p99_ms,
    row.within_2_s,
    row.overload,
    Object.keys(row.errors).length === 0 ? 0 : JSON.stringify(row.errors),
  ]),
)}`,
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}
