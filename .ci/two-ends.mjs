import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What counts once counts once with two ends of one store, too; and the tests that say so fail where each end has a store of
 * its own and the last write wins. Else they would prove nothing.
 */

const RACES = 'at once|callers|browsers|steps from';
/** They follow each count by a model, and nobody is told of a count whose answer was lost. */
const MODELS = 'property';
const ONCE = /exactly one/;
const seed = Number(process.env.ENDS_SEED ?? Date.now() % 1_000_000);
const report = join(tmpdir(), `two-ends-${process.pid}.json`);

function race(mode) {
  const options = ['test/stores/flows', '-t', RACES, '--testPathIgnorePatterns', MODELS];
  options.push('--json', '--outputFile', report);
  const env = { ...process.env, STORE_ENDS: mode, SEED: String(seed) };
  spawnSync('npm', ['test', '--silent', '--', ...options], { env, stdio: ['ignore', 'ignore', 'ignore'] });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'pending');
}

const tests = race('ordered');
const failed = tests.filter(({ status }) => status !== 'passed');
console.log(`two ends of one store, seed ${seed}: ${tests.length - failed.length} of ${tests.length} pass`);
const apart = race('eventual').filter(({ title }) => ONCE.test(title));
const held = apart.filter(({ status }) => status !== 'failed');
console.log(
  `two stores, the last write wins: ${apart.length - held.length} of ${apart.length} fail, as they must`,
);
for (const { fullName } of failed) console.error(`fails: ${fullName}`);
for (const { fullName } of held) console.error(`passes, though each end has its own store: ${fullName}`);
process.exitCode = failed.length + held.length === 0 && tests.length > 0 && apart.length > 0 ? 0 : 1;
