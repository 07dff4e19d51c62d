import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Context, constants, type Module, Script } from 'node:vm';
import * as jest from 'jest-runtime';
import { type Mutant, mutated } from '../../mutants/mutants.ts';
import { BUNDLE, isKept, PACKAGE } from './kept-modules.ts';

/** Runtime class of jest. The cast corrects the type, because the package is loaded with `require`. */
const { default: JestRuntime } = jest as unknown as typeof jest.default;
const load = createRequire(import.meta.url);

/**
 * Pattern of the path of jest-circus, which stores the tests of a file and is therefore evaluated for each file. The packages
 * that it requires, such as `expect`, store nothing about a file, so they are loaded only once.
 */
const CIRCUS = /\/node_modules\/jest-circus\//;

/** Evaluated modules, by URL. Test files can share them because a worker has only one context (see `environment.ts`). */
const kept = new Map<string, Module>();

class Registry extends Map<string, Module> {
  override get(url: string): Module | undefined {
    return super.get(url) ?? kept.get(url);
  }

  override has(url: string): boolean {
    return super.has(url) || kept.has(url);
  }

  override set(url: string, module: Module): this {
    if (!isKept(url)) return super.set(url, module);
    kept.set(url, module);
    return this;
  }
}

type DynamicImport = (...parameters: readonly unknown[]) => Promise<unknown>;

/** Compiled bundles, by path. Each test file evaluates the bundles again. */
const scripts = new Map<string, Script>();

function compiled(path: string): Script {
  const source = () =>
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`;
  // Bundles import some Node.js modules dynamically.
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = scripts.get(path) ?? new Script(source(), { filename: path, importModuleDynamically });
  scripts.set(path, script);
  return script;
}

function evaluated(path: string, context: Context): object {
  const module = { exports: {} };
  compiled(path).runInContext(context)(module.exports, load, module, path, dirname(path));
  return module.exports;
}

interface Internals {
  readonly registries: { esModuleRegistry: Map<string, Module> };
  readonly esmLoader: { dynamicImport: DynamicImport };
}

let importNow: DynamicImport;

/** Mutant that `npm run mutants` tests in this run. */
const mutant = process.env.MUTANT && (JSON.parse(process.env.MUTANT) as Mutant);

type Transformer = ConstructorParameters<typeof JestRuntime>[3];

function withMutant(transformer: Transformer, { path, ...change }: Mutant): void {
  const transform = transformer.transform.bind(transformer);
  transformer.transform = (...asked) => {
    const done = transform(...asked);
    return asked[0].endsWith(`/${path}`) ? { ...done, code: mutated(done.code, change) } : done;
  };
}

/**
 * Runtime that caches modules across test files. jest evaluates every module anew for each file, which is slow.
 * Packages and product modules without state are loaded once per worker, and stay compiled and optimised.
 */
class Runtime extends JestRuntime {
  readonly #bundles = new Map<string, object>();
  readonly #context: Context;

  constructor(...parameters: ConstructorParameters<typeof JestRuntime>) {
    super(...parameters);
    const [, environment, , transformer] = parameters;
    if (mutant) withMutant(transformer, mutant);
    this.#context = environment.getVmContext() as Context;
    const { registries, esmLoader } = this as unknown as Internals;
    registries.esModuleRegistry = new Registry();
    importNow = esmLoader.dynamicImport;
    // A cached module may import dynamically later, which must use the runtime of the test file that is running then.
    esmLoader.dynamicImport = (...asked) => importNow(...asked);
  }

  override requireModule<Exports>(
    ...parameters: Parameters<InstanceType<typeof JestRuntime>['requireModule']>
  ): Exports {
    const [from, name = from, options] = parameters;
    if (options?.isInternalModule)
      return CIRCUS.test(from) && name !== from
        ? createRequire(from)(name)
        : super.requireModule(...parameters);
    if (BUNDLE.test(name)) return this.#bundle(name) as Exports;
    return PACKAGE.test(name) ? load(name) : super.requireModule(...parameters);
  }

  #bundle(path: string): object {
    const exports = this.#bundles.get(path) ?? evaluated(path, this.#context);
    this.#bundles.set(path, exports);
    return exports;
  }
}

// jest loads this class with `require`.
export { Runtime as 'module.exports' };
