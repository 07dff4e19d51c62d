import { isFull } from '../tools/full-run.ts';

/**
 * Files that start browsers, compilers, peers or servers of their own, or kill them again and again; and those that try every
 * position of an attacker, every call that can fail or every row of an import over HTTP. `.ci/run` runs them all, and so does a run
 * that names one. `npm test` leaves them out, because a test beside each asks the same of one kind: rules of `domain/`, races of
 * `stores/`, rows of `contract/`, and `stories/`.
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
  /\/stacks\/(?:bundles|checks|left-out|custom-resources\/each-call-fails)\./,
];

const isLeftOut = (path: string): boolean => IN_FULL_RUNS.some((pattern) => pattern.test(path));

/** As jest reads what a run is asked for: an argument, or the value of an option. Numbers are those of workers and the like. */
const namesIn = (args: readonly string[]): readonly RegExp[] =>
  args
    .map((arg) => (arg.startsWith('-') ? (arg.split('=')[1] ?? '') : arg).replace(/^\.\//, ''))
    .filter((name) => !/^\d*%?$/.test(name))
    .map((name) => new RegExp(name, 'i'));

/** jest's `filter`. */
function filter(paths: readonly string[]): { readonly filtered: readonly string[] } {
  const names = namesIn(process.argv.slice(2));
  const isNamed = (path: string) => names.some((name) => name.test(path));
  return { filtered: paths.filter((path) => isFull || !isLeftOut(path) || isNamed(path)) };
}

// jest takes what `require` brings.
export { filter as 'module.exports' };
