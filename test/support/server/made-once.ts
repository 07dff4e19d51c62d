import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { childEnvironment } from '../tools/child-environment.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Goes with `npm ci`, as does what it was made by. */
const CACHE = join(ROOT, 'node_modules/.cache/otl');
/** All that bundles and templates are made of, and the programs that make them. */
const INPUTS = ['functions/**/*', 'lib/**/*', 'shared/**/*', 'test/**/support/**/*.ts', '*.json'];
const LOOK_AGAIN_MS = 20;
const KEEP_MS = 60 * 60 * 1000;

let known: string | undefined;

/** Names the present state of the sources. */
function stateOfSources(): string {
  if (known) return known;
  const hash = createHash('sha256').update(process.version);
  const files = globSync(INPUTS, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  known = hash.digest('hex').slice(0, 16);
  return known;
}

/**
 * The folder that `program` (a path from the root) fills when node runs it with the folder and `part` as its arguments: once for
 * the present state of the sources, whichever worker of jest asks first; the others wait. Outside of jest CDK is also much
 * faster: with the many contexts of a worker on the heap, each collection of garbage costs more than the work.
 */
export function madeOnce(program: string, part = 'all'): string {
  const name = `${basename(program, '.ts')}-${part}`;
  const folder = join(CACHE, `${name}-${stateOfSources()}`);
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
    // Nothing of the caller's accounts and settings.
    env: childEnvironment(),
  });
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}`);
  renameSync(unfinished, folder);
}

/** Undefined when another process that is alive has it. */
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
    // 0: it has been created, and is about to be written.
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** What was made of other states may still be in use for a while. */
function forgetOlder(name: string, folder: string): void {
  for (const other of readdirSync(CACHE)) {
    const path = join(CACHE, other);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (other.startsWith(`${name}-`) && !path.startsWith(folder) && age > KEEP_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
