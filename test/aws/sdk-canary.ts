import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/**
 * `npm run sdk-canary`: the tests of shared/sdk, which names parts of the SDK's inside, with the newest SDK, in a copy of the
 * repository. A failure tells what an update of the SDK would break.
 */
const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'otl-sdk-canary-'));
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: 'inherit' });
const sdk = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies }).filter((name) =>
  name.startsWith('@aws-sdk/'),
);
try {
  cpSync(ROOT, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/^(?:\.git|cdk\.out|dist)\b/.test(relative(ROOT, path)),
  });
  run('npm', 'install', ...sdk.map((name) => `${name}@latest`));
  run('npm', 'test', '--', 'test/aws/lean-client.test.ts');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
