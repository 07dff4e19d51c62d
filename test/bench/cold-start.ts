import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../functions/operations.ts';
import { bundleFunctions } from '../../lib/build/bundle.ts';
import { INIT_VARIABLES, measureColdInits } from './cold-init.ts';
import { rounded } from './support/statistics.ts';

export interface ColdStartRow {
  readonly function: string;
  /** Size of the bundle in KB (1000 bytes). */
  readonly bundle_kb: number;
  /** Code in KB that is evaluated on load. This part of the initialisation does not depend on the machine. */
  readonly evaluated_kb: number;
  /**
   * CPU time in ms from the first line of the bundle to its handler, in a new Node.js process. It is the minimum of all runs,
   * because only other load on the machine makes a run longer.
   */
  readonly init_ms: number;
}

const PROGRAM = `
  const before = process.cpuUsage();
  if (typeof require(process.argv[1]).handler !== 'function') throw new Error('no handler');
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String((user + system) / 1000));`;

const run = promisify(execFile);

/** Loads the deployed bundles. Each bundle is loaded `runs` times, each time in a new process. */
export async function measureColdStart(runs: number): Promise<ColdStartRow[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'otl-bench-'));
  try {
    const bundles = await bundleFunctions(operations, outdir);
    const inits = await measureColdInits(bundles);
    const rows: ColdStartRow[] = [];
    for (const [entry, { dir, bytes }] of Object.entries(bundles)) {
      const times: number[] = [];
      for (let done = 0; done < runs; done += 1) times.push(await initTime(join(dir, 'index.cjs')));
      rows.push({
        function: entry,
        bundle_kb: rounded(bytes / 1000, 0),
        evaluated_kb: rounded((inits[entry]?.bytes ?? 0) / 1000, 0),
        init_ms: rounded(Math.min(...times), 0),
      });
    }
    return rows;
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

async function initTime(file: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['-e', PROGRAM, file], { env: INIT_VARIABLES });
  return Number(stdout);
}
