import { isFull } from '../tools/full-run.ts';

/**
 * Patterns of slow test files that run only in `.ci/run` or if the command line names them. These tests start browsers,
 * compilers or servers, or try every attack, every failing call or every import row over HTTP. `npm test` omits them,
 * because faster tests cover some cases: rules in `domain/`, races in `stores/`, and operations in `contract/`.
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
  /\/journeys\/sessions\/copied-cookies\./,
  /\/journeys\/users\/erasing\./,
  /\/local\/(?:playground|process|start-local)\./,
  /\/pages\/(?:tour|verify-)/,
  /\/stacks\/(?:bundles|checks|chosen-areas|left-out|switches|custom-resources\/each-call-fails)\./,
  /\/stories\/attacks-/,
];

const isLeftOut = (path: string): boolean => IN_FULL_RUNS.some((pattern) => pattern.test(path));

/**
 * Returns patterns of the test paths that the arguments of a jest run name. These are arguments and option values, except
 * numbers such as the number of workers.
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
