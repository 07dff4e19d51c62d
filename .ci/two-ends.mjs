import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the tests of concurrent writes with two replicas of the tables, in two modes. If all writes are ordered, every test must
 * pass. If the last write wins, the tests that expect a single winner must fail. If they passed, they would prove nothing.
 */

/**
 * Pattern of the titles of these tests. It excludes lost responses, because a caller of two replicas does not learn of a loss.
 */
const RACES = 'concurrent(?!.*lost)';
/** Pattern of the files to skip: property tests compare each count with a model that does not know of lost responses. */
const MODELS = 'property';
const ONCE = /only one of \d+ concurrent/;
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
