import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashFiles } from '../../../lib/build/source-hash.ts';
import { childEnvironment } from '../tools/child-environment.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Cache folder. `npm ci` deletes it, because other versions of the tools may produce other results. */
const CACHE = join(ROOT, 'node_modules/.cache/otl');
/** Files that bundles and templates depend on, including the programs that generate them. */
const INPUTS = ['functions/**/*', 'lib/**/*', 'shared/**/*', 'test/**/support/**/*.ts', '*.json'];
const LOOK_AGAIN_MS = 20;
const KEEP_MS = 60 * 60 * 1000;

let known: string | undefined;

/** Returns a hash of the current sources. */
const hashSources = (): string => {
  known ??= hashFiles(ROOT, INPUTS);
  return known;
};

/**
 * Returns the cache folder with the output of `program` (a path from the root), which gets the folder and `part` as arguments.
 * The program runs only once for the current sources: the first jest worker runs it in a separate process, and the others wait.
 * CDK is also much faster in a separate process, because garbage collection is expensive in a jest worker.
 */
export function madeOnce(program: string, part = 'all'): string {
  const name = `${basename(program, '.ts')}-${part}`;
  const folder = join(CACHE, `${name}-${hashSources()}`);
  mkdirSync(CACHE, { recursive: true });
  while (!exists(folder)) {
    const release = lock(`${folder}.lock`);
    if (!release) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    else
      try {
        if (!exists(folder)) make(program, folder, part);
        forgetOlder(name, folder);
      } finally {
        release();
      }
  }
  return folder;
}

function make(program: string, folder: string, part: string): void {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, program), unfinished, part], {
    cwd: ROOT,
    encoding: 'utf8',
    // The environment of the process contains no AWS accounts or settings of the developer.
    env: childEnvironment(),
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}`);
  renameSync(unfinished, folder);
}

/** Takes a lock file and returns a function that releases it. Returns undefined if a running process holds the lock. */
function lock(path: string): (() => void) | undefined {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return () => rmSync(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isLeft(path)) rmSync(path, { force: true });
    return undefined;
  }
}

function isLeft(path: string): boolean {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    // The value 0 means that the lock file exists but its process ID has not been written yet.
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Deletes output of previous sources that is older than an hour. Newer output may still be in use by another run. */
function forgetOlder(name: string, folder: string): void {
  for (const other of readdirSync(CACHE)) {
    const path = join(CACHE, other);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (other.startsWith(`${name}-`) && !path.startsWith(folder) && age > KEEP_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
