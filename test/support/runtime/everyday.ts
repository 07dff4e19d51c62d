import { isFull } from '../tools/full-run.ts';

/**
 * Files that start browsers, compilers or servers of their own. `.ci/run` runs them all, and so does a run that names one;
 * `npm test` leaves them out, because a test beside each asks the same of the code in this process.
 */
const IN_FULL_RUNS = [
  // `test/browser/hosted-login.test.ts` stays.
  /\/browser\/(?!hosted-login)/,
  /\/client\/package\./,
  /\/conformance\/browser-clients\./,
  /\/local\/playground\./,
  /\/stacks\/(?:bundles|checks)\./,
];

const isLeftOut = (path: string): boolean => IN_FULL_RUNS.some((pattern) => pattern.test(path));

/** As jest reads what a run is asked for: an argument, or the value of an option. */
const namesIn = (args: readonly string[]): readonly RegExp[] =>
  args
    .map((arg) => (arg.startsWith('-') ? (arg.split('=')[1] ?? '') : arg).replace(/^\.\//, ''))
    .filter((name) => name !== '')
    .map((name) => new RegExp(name, 'i'));

/** jest's `filter`. */
function filter(paths: readonly string[]): { readonly filtered: readonly string[] } {
  const names = namesIn(process.argv.slice(2));
  const isNamed = names.some((name) => paths.some((path) => isLeftOut(path) && name.test(path)));
  return { filtered: isFull || isNamed ? paths : paths.filter((path) => !isLeftOut(path)) };
}

// jest takes what `require` brings.
export { filter as 'module.exports' };
