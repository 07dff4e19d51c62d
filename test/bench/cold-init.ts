import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltBundles } from '../../lib/build/bundle.ts';
import { computeAddresses, functionEnvironment } from '../../lib/local/function-environment.ts';

/** Amount of work that a Lambda function does before its first request, in units that do not depend on the machine's load. */
export interface ColdInit {
  /** Number of functions in the bundle that ran during loading. */
  readonly functions: number;
  /** Bytes of code evaluated during loading. V8 only pre-parses the other code. */
  readonly bytes: number;
}

/** Environment variables without which a bundle cannot be loaded. */
export const INIT_VARIABLES: Readonly<Record<string, string>> = {
  ...functionEnvironment(computeAddresses(3000, 3001), { version: 'measured', rateLimits: 'on' }),
  AWS_REGION: 'eu-central-1',
};

/**
 * Program that loads each file and reads V8's call counts. The program marks each byte that ran with 1, and each byte in a
 * nested range that did not run with 0.
 */
const PROGRAM = `
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  const post = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => { if (error) throw error; answer = result; });
    return answer;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const measured = {};
  const files = JSON.parse(process.argv[1]);
  for (const [, file] of files) require(file);
  // The profiler is read only once, because each read reports all scripts that were ever loaded.
  const { result } = post('Profiler.takePreciseCoverage');
  const scripts = new Map(result.map(({ url, functions }) => [url.replace('file://', ''), functions]));
  for (const [entry, file] of files) {
    const functions = scripts.get(file);
    const ranges = functions.map(({ ranges: [range] }) => range);
    ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
    const ran = new Uint8Array(ranges[0].endOffset);
    for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    measured[entry] = {
      functions: ranges.filter(({ count }) => count > 0).length,
      bytes: ran.reduce((sum, each) => sum + each, 0),
    };
  }
  process.stdout.write(JSON.stringify(measured));`;

/** Loads every bundle once, in one separate process. */
export async function measureColdInits(bundles: BuiltBundles): Promise<Readonly<Record<string, ColdInit>>> {
  const files = Object.entries(bundles).map(([entry, { dir }]) => [entry, join(dir, 'index.cjs')]);
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM, JSON.stringify(files)], {
    env: INIT_VARIABLES,
    maxBuffer: 1_000_000,
  });
  return JSON.parse(stdout) as Record<string, ColdInit>;
}
