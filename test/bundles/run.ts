import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs the tests that call the service against the bundles that `cdk` deploys, each with separate memory as on Lambda.
// Then compares the AWS calls of the bundles with the IAM policies. All arguments are passed to jest.

const TESTS = ['test/contract', 'test/journeys', 'test/conformance', 'test/stacks/custom-resources'];

const given = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'otl-calls-'));
const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, BUNDLED: 'contract,journeys,conformance,stacks', CALLS_FOLDER: folder },
  }).status === 0;
const passed = run('npm', 'test', '--', ...(given.length > 0 ? given : TESTS));
// A permission is known to be unused only after all tests have run, so a run with arguments skips the comparison.
const compared = given.length > 0 || run(process.execPath, join(import.meta.dirname, 'compare.ts'), folder);
rmSync(folder, { recursive: true, force: true });
process.exitCode = passed && compared ? 0 : 1;
