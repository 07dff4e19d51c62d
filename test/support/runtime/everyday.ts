import { isFull } from '../tools/full-run.ts';

/**
 * Tests that only `.ci/run`, or a run that names them, includes. They start browsers, compilers, other implementations or
 * servers, kill them repeatedly, or try every position of an attacker, every failing call or every row of an import over HTTP.
 * `npm test` omits them, because faster tests check one case of each: rules in `domain/`, races in `stores/`, rows in
 * `contract/`, and stories of honest users.
 */
const IN_FULL_RUNS = [
  /\/attacks\//,
  /\/browser\//,
  /\/bundles\//,
  /\/client\/package\./,
  /\/cli\/moving-/,
  /\/console\/(?:roles|why-[a-z-]+)\./,
  /\/conformance\//,
  /\/contract\/(?:caller-text|fuzz|kept-items|numbers)\./,
  /\/journeys\/hosted-login\/(?:hosted-login-limits|[a-z-]+-strangers)\./,
  /\/journeys\/one-time\/(?:sms-fraud|switched-off-codes)\./,
  /\/journeys\/operations\/(?:erasure-pace|passcodes-in-outages|reliability|slow-dependencies|try-again)\./,
  /\/journeys\/users\/erasing\./,
  /\/local\/(?:playground|process|start-local)\./,
  /\/pages\/(?:tour|verify-)/,
  /\/stacks\/(?:bundles|checks|chosen-areas|left-out|switches|custom-resources\/each-call-fails)\./,
  /\/stories\/attacks-/,
];

const isLeftOut = (path: string): boolean => IN_FULL_RUNS.some((pattern) => pattern.test(path));

/**
 * Returns the test names in the arguments of a jest run: arguments and values of options, except numbers such as the number of
 * workers.
 */
const namesIn = (args: readonly string[]): readonly RegExp[] =>
  args
    .map((arg) => (arg.startsWith('-') ? (arg.split('=')[1] ?? '') : arg).replace(/^\.\//, ''))
    .filter((name) => !/^\d*%?$/.test(name))
    .map((name) => new RegExp(name, 'i'));

/** Selects the test files of a run, as jest's `filter` option requires. */
function filter(paths: readonly string[]): { readonly filtered: readonly string[] } {
  const names = namesIn(process.argv.slice(2));
  const isNamed = (path: string) => names.some((name) => name.test(path));
  return { filtered: paths.filter((path) => isFull || !isLeftOut(path) || isNamed(path)) };
}

// jest loads this module with `require`.
export { filter as 'module.exports' };
