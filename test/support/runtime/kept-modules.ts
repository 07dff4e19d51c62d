import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceFiles } from '../tools/source.ts';

export const PACKAGE = /\/node_modules\/(?!\.cache\/)/;
/** Pattern of the paths of function bundles. Each test file evaluates bundles anew with its own environment. */
export const BUNDLE = /\/node_modules\/\.cache\/otl\/make-bundles-[^/]+\/.+\.cjs$/;

/**
 * Pattern of state that a module keeps between requests: a variable, or a collection that is initially empty. WeakMaps do not
 * match, because their keys are ports, which each test file creates anew.
 */
const STATE =
  /^(?:export )?(?:let \w+(?:: .+)?(?: = .+)?;|const \w+(?:: .+)? = (?:new (?:Map|Set)(?:<.+>)?\(\)|\[\]|\{\});)$/m;
/** Modules with state that test files may share, because it only caches the results of pure functions. */
const CACHES = ['lib/build/service-document.ts', 'shared/http/path.ts', 'shared/templates/language.ts'];

/**
 * Returns the product modules that have no state and import none with state, so that all test files can share one
 * instance.
 */
function stateless(): ReadonlySet<string> {
  const files = sourceFiles.filter(({ path }) => !/^(?:bin|test)\//.test(path));
  const anew = new Set(
    files.filter(({ path, text }) => STATE.test(text) && !CACHES.includes(path)).map(({ path }) => path),
  );
  for (let size = 0; size < anew.size; ) {
    size = anew.size;
    for (const { path, imports } of files)
      if (imports.some(({ target, typeOnly }) => !typeOnly && anew.has(target))) anew.add(path);
  }
  return new Set(files.map(({ path }) => path).filter((path) => !anew.has(path)));
}

const ROOT = join(import.meta.dirname, '../../..');
const kept = stateless();

export function isKept(url: string): boolean {
  if (!url.startsWith('file:')) return false;
  const path = fileURLToPath(url);
  return PACKAGE.test(path) || kept.has(relative(ROOT, path));
}
