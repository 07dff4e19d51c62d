import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../functions/operations.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { recordedSizes } from '../lib/bundle-sizes.ts';
import { addressesOf, functionEnvironment } from '../lib/local/function-environment.ts';
import recorded from './cold-starts.json' with { type: 'json' };
import { median, rounded } from './statistics.ts';

export interface ColdStartRow {
  readonly function: string;
  /** 1 KB = 1000 bytes. */
  readonly bundle_kb: number;
  /** What `npm run bundles:record` has noted; absent for a function that is new since. */
  readonly recorded_kb?: number;
  /** From the first line of the bundle to its handler, in a Node process that has loaded nothing else. Median. */
  readonly init_ms: number;
  /** What `bench/cold-starts.json` has, from the machine that it names. */
  readonly recorded_init_ms?: number;
}

const recordedInits: Readonly<Record<string, number>> = recorded.init_ms;

const PROGRAM = `
  const before = performance.now();
  if (typeof require(process.argv[1]).handler !== 'function') throw new Error('no handler');
  process.stdout.write(String(performance.now() - before));`;

const run = promisify(execFile);

/** Loads the very bundles that are deployed, each `runs` times in a fresh process. */
export async function measureColdStart(runs: number): Promise<ColdStartRow[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'otl-bench-'));
  try {
    const bundles = await bundleFunctions(operations, outdir);
    const sizes = recordedSizes();
    const rows: ColdStartRow[] = [];
    for (const [entry, { dir, bytes }] of Object.entries(bundles)) {
      const times: number[] = [];
      for (let done = 0; done < runs; done += 1) times.push(await initTime(join(dir, 'index.cjs')));
      rows.push({
        function: entry,
        bundle_kb: rounded(bytes / 1000, 0),
        init_ms: rounded(median(times), 0),
        ...(sizes[entry] !== undefined && { recorded_kb: rounded(sizes[entry] / 1000, 0) }),
        ...(recordedInits[entry] !== undefined && { recorded_init_ms: recordedInits[entry] }),
      });
    }
    return rows;
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

async function initTime(file: string): Promise<number> {
  const env = {
    ...functionEnvironment(addressesOf(3000), { version: 'bench', rateLimits: 'on' }),
    AWS_REGION: 'eu-central-1',
    SIGNING_KEY_ARN: 'none',
    DIRECTORY_TABLE: 'directory',
  };
  const { stdout } = await run(process.execPath, ['-e', PROGRAM, file], { env });
  return Number(stdout);
}
