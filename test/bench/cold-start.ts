import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../functions/operations.ts';
import { bundleFunctions } from '../../lib/build/bundle.ts';
import { recordedSizes } from '../../lib/build/bundle-sizes.ts';
import { coldInitsOf, INIT_VARIABLES, recordedColdInits } from '../../lib/build/cold-init.ts';
import recorded from './cold-starts.json' with { type: 'json' };
import type { Machine } from './machine.ts';
import { rounded } from './statistics.ts';

export interface ColdStartRow {
  readonly function: string;
  /** 1 KB = 1000 bytes. */
  readonly bundle_kb: number;
  /** What `npm run bundles:record` has noted; absent for a function that is new since. */
  readonly recorded_kb?: number;
  /** Code that is evaluated when it is loaded: the part of its init that no machine changes. */
  readonly evaluated_kb: number;
  /** What `npm run bundles:record` has noted. */
  readonly recorded_evaluated_kb?: number;
  /**
   * Processor time from the first line of the bundle to its handler, in a Node process that has loaded nothing else: the least
   * of all runs, for everything else is what the machine did meanwhile.
   */
  readonly init_ms: number;
  /** What `test/bench/cold-starts.json` has, from the machine that it names. */
  readonly recorded_init_ms?: number;
}

const recordedInits: Readonly<Record<string, number>> = recorded.init_ms;

const RECORD = join(import.meta.dirname, 'cold-starts.json');

const PROGRAM = `
  const before = process.cpuUsage();
  if (typeof require(process.argv[1]).handler !== 'function') throw new Error('no handler');
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String((user + system) / 1000));`;

const run = promisify(execFile);

/** Loads the very bundles that are deployed, each `runs` times in a fresh process. */
export async function measureColdStart(runs: number): Promise<ColdStartRow[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'otl-bench-'));
  try {
    const bundles = await bundleFunctions(operations, outdir);
    const sizes = recordedSizes();
    const [inits, recordedBytes] = [await coldInitsOf(bundles), recordedColdInits()];
    const rows: ColdStartRow[] = [];
    for (const [entry, { dir, bytes }] of Object.entries(bundles)) {
      const times: number[] = [];
      for (let done = 0; done < runs; done += 1) times.push(await initTime(join(dir, 'index.cjs')));
      rows.push({
        function: entry,
        bundle_kb: rounded(bytes / 1000, 0),
        evaluated_kb: rounded((inits[entry]?.bytes ?? 0) / 1000, 0),
        init_ms: rounded(Math.min(...times), 0),
        ...(recordedBytes[entry] && {
          recorded_evaluated_kb: rounded(recordedBytes[entry].bytes / 1000, 0),
        }),
        ...(sizes[entry] !== undefined && { recorded_kb: rounded(sizes[entry] / 1000, 0) }),
        ...(recordedInits[entry] !== undefined && { recorded_init_ms: recordedInits[entry] }),
      });
    }
    return rows;
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/** Puts the times into the place of the recorded ones, with the machine that they are of. */
export function recordColdStarts(machine: Machine, rows: readonly ColdStartRow[], runs: number): void {
  const { cores, cpu, memory_gb, node, platform, load_before } = machine;
  const kept = {
    machine: `${cores} cores (${cpu}), ${memory_gb} GB, Node ${node}, ${platform}; processor time, the least of ${runs} runs; load before ${load_before}`,
    init_ms: Object.fromEntries(rows.map((row) => [row.function, row.init_ms])),
  };
  writeFileSync(RECORD, `${JSON.stringify(kept, undefined, 2)}\n`);
}

async function initTime(file: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['-e', PROGRAM, file], { env: INIT_VARIABLES });
  return Number(stdout);
}
