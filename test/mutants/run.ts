import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accepted } from './accepted.ts';
import { type Coverage, MUTATED, readCoverage } from './coverage.ts';
import { listMutants, type Mutant } from './mutants.ts';

// Runs mutation tests: changes the product code in one place at a time, chosen by a seed, and runs the tests that cover the
// place. We do not use StrykerJS, because it cannot instrument modules in jest's own ESM runtime.

const USAGE = `npm run mutants -- [options] [tests to learn from]

  --seed <n>     repeats a sample; a new one when absent
  --count <n>    mutants to try (300)
  --from <n>     goes on at this one of the sample
  --in <text>    only where path and line have one of these: trust/missing-proof.ts:4,users/
  --jobs <n>     mutants at a time (2)
  --seconds <n>  how long the tests of a mutant may take (120); those that know its file best run first
  --learn        runs the tests once, or those named, to learn which of them run which line
`;

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/otl/coverage');
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
// Time limits in milliseconds: for one test, and for a test run in addition to its duration on an idle machine.
const TEST_MS = 30_000;
const START_MS = 60_000;
/** Milliseconds allowed per second of a test's recorded duration, because the machine may be busier than before. */
const PATIENCE = 4000;

type Outcome = 'killed' | 'timed out' | 'survived' | 'accepted';

/** Creates a random generator (Mulberry32) that yields the same sample for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawSample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const random = createRandom(seed);
  return all
    .map((each) => [random(), each] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, each]) => each);
}

const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readSourceLine = ({ path, line }: Mutant): string =>
  (readSource(path).split('\n')[line - 1] ?? '').trim();
const isAccepted = (mutant: Mutant): boolean =>
  accepted[mutant.path]?.some(([line]) => line === readSourceLine(mutant)) ?? false;

/**
 * Runs tests with the mutant. Returns `timed out` if they have neither passed nor failed within the time limit.
 * @param seconds Recorded duration of the tests in seconds
 */
async function runTests(
  mutant: Mutant,
  tests: readonly string[],
  seconds: number,
): Promise<Exclude<Outcome, 'accepted'>> {
  const options = ['--runInBand', '--bail', '--silent', `--testTimeout=${TEST_MS}`];
  const child = spawn(process.execPath, [...JEST, ...options, '--runTestsByPath', ...tests], {
    cwd: ROOT,
    env: { ...process.env, MUTANT: JSON.stringify(mutant), SEED: process.env.SEED ?? '20261121' },
    stdio: 'ignore',
    timeout: START_MS + Math.ceil(PATIENCE * seconds),
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === null) return 'timed out';
  return code === 0 ? 'survived' : 'killed';
}

/** Runs tests on a mutant for about `most` seconds, because all tests of a frequently used line would take minutes. */
async function tryMutant(mutant: Mutant, coverage: Coverage, most: number): Promise<Outcome> {
  const tests: string[] = [];
  let seconds = 0;
  for (const each of coverage.findTests(mutant.path, mutant.line)) {
    if (tests.length > 0 && seconds + each.seconds > most) continue;
    tests.push(each.test);
    seconds += each.seconds;
  }
  const outcome = await runTests(mutant, tests, seconds);
  return outcome === 'survived' && isAccepted(mutant) ? 'accepted' : outcome;
}

function learn(names: readonly string[]): void {
  const tests = spawnSync(process.execPath, [...JEST, '--silent', ...names], {
    cwd: ROOT,
    env: { ...process.env, COVERAGE_FOLDER: FOLDER },
    stdio: 'inherit',
  });
  if (tests.status !== 0) throw new Error('The tests fail without any mutant');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      count: { type: 'string', default: '300' },
      from: { type: 'string', default: '0' },
      in: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '120' },
      learn: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  if (values.learn || !existsSync(FOLDER)) learn(positionals);
  const coverage = readCoverage(FOLDER);
  const paths = globSync('{functions,shared}/**/*.ts', { cwd: ROOT }).sort();
  const changed = paths.filter((path) => MUTATED.test(path) && !coverage.sources.has(path));
  if (changed.length > 0) process.stdout.write(`no test is known for ${changed.length} sources: --learn\n`);
  const all = paths
    .filter((path) => coverage.sources.has(path))
    .flatMap((path) => listMutants(path, readSource(path)))
    .filter(({ path, line }) => values.in.split(',').some((text) => `${path}:${line}`.includes(text)));
  const sample = drawSample(all, Number(values.count), Number(values.seed)).slice(Number(values.from));
  process.stdout.write(`seed ${values.seed}: ${sample.length} of ${all.length} mutants\n`);
  const counts: Record<Outcome, number> = { killed: 0, 'timed out': 0, survived: 0, accepted: 0 };
  const waiting = sample.values();
  const work = async () => {
    for (const mutant of waiting) {
      const outcome = await tryMutant(mutant, coverage, Number(values.seconds));
      counts[outcome] += 1;
      const was = readSource(mutant.path).slice(mutant.start, mutant.end);
      const change =
        outcome === 'killed' ? '' : `\n  ${readSourceLine(mutant)}\n  "${was}" → "${mutant.instead}"`;
      process.stdout.write(`${outcome}: ${mutant.path}:${mutant.line}${change}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  const tried = sample.length - counts.accepted;
  process.stdout.write(`${JSON.stringify(counts)}: ${((100 * counts.killed) / tried).toFixed(1)} % killed\n`);
  process.exitCode = counts.survived === 0 ? 0 : 1;
}

await main();
