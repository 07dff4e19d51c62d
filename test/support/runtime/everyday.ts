import { isFull } from '../tools/full-run.ts';

/**
 * Patterns of test files that run only in `.ci/run` or if the command line names them. These tests start browsers, compilers or
 * servers, try every attack, every failing call or every import row over HTTP, or check what follows a login: notices, events,
 * recovery and the work of operators. `npm test` omits them, because faster tests cover the main cases: rules in `domain/`,
 * races in `stores/`, operations in `contract/`, and each kind of login in `journeys/`.
 */
const IN_FULL_RUNS = [
  /\/attacks\//,
  /\/browser\//,
  /\/bundles\//,
  /\/client\/package\./,
  /\/cli\/(?:audit-log|config\/|first-tenant|moving-|operator|other-systems|otl|restore|user-import)/,
  /\/console\/(?:roles|why-[a-z-]+)\./,
  /\/conformance\//,
  /\/contract\/(?:answers|caller-text|fuzz|kept-items|numbers|users-of-others)\./,
  /\/journeys\/account\/(?!account-page)/,
  /\/journeys\/agents\//,
  /\/journeys\/hosted-login\/(?:enrolled-factor|hosted-login-limits|passkey-signals|[a-z-]+-strangers)\./,
  /\/journeys\/management\/(?:operators|tenants-apart)\./,
  /\/journeys\/oauth\/(?:key-rotation|moved-sessions)\./,
  /\/journeys\/one-time\/(?:every-message|phone-risk|sms-fraud|sms-pool|switched-off-codes)\./,
  /\/journeys\/operations\/(?!events|promise)/,
  /\/journeys\/sessions\/copied-cookies\./,
  /\/journeys\/social\/(?:fresh-logins|provider-answers)\./,
  /\/journeys\/users\/(?:erasing|recent-trouble|suspended-users)\./,
  /\/local\/(?:database|history|playground|process|start-local)\./,
  /\/pages\/(?:tour|verify-)/,
  /\/stacks\/(?:bundles|checks|chosen-areas|left-out|switches|custom-resources\/each-call-fails)\./,
  /\/stories\//,
  /\/templates\/(?:email-norms|pages\/(?:escaping|languages))\./,
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
