import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bundles } from '../../lib/build/bundle.ts';
import { measureColdInits } from '../bench/cold-init.ts';
import { buildBundles } from '../support/server/bundles.ts';

// Compares each bundle with the previous commit: its size and the code that it evaluates on load. Prints growth over 5
// %. Exits with 1 over 15 %, unless the commit message has a line that begins with `Grows:`.

const SHOWN = 1.05;
const REFUSED = 1.15;

const root = resolve(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'otl-growth-'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

const PROGRAM = `
  const { operations } = await import(process.argv[1] + '/functions/operations.ts');
  const { bundleFunctions } = await import(process.argv[1] + '/lib/build/bundle.ts');
  process.stdout.write(JSON.stringify(await bundleFunctions(operations, process.argv[2])));`;

function bundlesAt(folder: string): Bundles {
  const given = ['--input-type=module', '-e', PROGRAM, folder, join(scratch, 'old')];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8', maxBuffer: 100_000_000 }));
}

async function measure(bundles: Bundles) {
  const inits = Object.entries(await measureColdInits(bundles));
  return new Map(inits.map(([entry, init]) => [entry, { ...init, size: bundles[entry]?.bytes ?? 0 }]));
}

/**
 * Measures the bundles of the previous commit. Returns undefined for the first commit, in a shallow clone, and if the previous
 * bundles do not load with today's variables.
 */
async function measureBefore() {
  const folder = join(scratch, 'commit');
  try {
    git('worktree', 'add', '--detach', folder, 'HEAD~1');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return await measure(bundlesAt(folder));
  } catch (error) {
    return void console.log(`The commit before cannot be measured: ${String(error).slice(0, 200)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}

try {
  const old = await measureBefore();
  for (const [entry, now] of await measure(buildBundles().bundles))
    for (const measured of ['size', 'bytes'] as const) {
      const growth = now[measured] / (old?.get(entry)?.[measured] ?? now[measured]);
      if (growth <= SHOWN) continue;
      console.log(
        `${entry}: ${measured === 'size' ? 'bundle' : 'code evaluated at load'} × ${growth.toFixed(2)}`,
      );
      if (growth > REFUSED && !/^Grows:/m.test(git('log', '-1', '--format=%B'))) process.exitCode = 1;
    }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
