import { isFull } from '../tools/full-run.ts';

/**
 * Files that start browsers, compilers, peers or servers of their own, or kill them again and again. `.ci/run` runs them all,
 * and so does a run that names one; `npm test` leaves them out, because a test beside each asks the same in this process.
 */
const IN_FULL_RUNS = [
  /\/browser\//,
  /\/bundles\//,
  /\/client\/package\./,
  /\/console\/(?:roles|why-[a-z-]+)\./,
  /\/conformance\//,
  /\/contract\/(?:fuzz|kept-items)\./,
  /\/journeys\/operations\/crash\./,
  /\/local\/(?:playground|process|start-local)\./,
  /\/pages\/(?:tour|verify-)/,
  /\/stacks\/(?:bundles|checks|left-out)\./,
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
