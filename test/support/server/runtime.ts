import { createRequire } from 'node:module';
import * as jest from 'jest-runtime';

/** Its types tell what `require` brings, one default deeper. */
const { default: JestRuntime } = jest as unknown as typeof jest.default;
const load = createRequire(import.meta.url);
/** Bundles lie in the cache: each test file loads them anew, with its own environment. */
const PACKAGE = /\/node_modules\/(?!\.cache\/)/;

/**
 * jest evaluates every module anew for each test file. Packages in CommonJS have no state of a test, and the SDK alone costs
 * more than most tests: so Node loads them, once in each worker, where their code also stays compiled and optimised.
 */
class Runtime extends JestRuntime {
  override requireModule<Module>(
    ...parameters: Parameters<InstanceType<typeof JestRuntime>['requireModule']>
  ): Module {
    const [from, name = from, options] = parameters;
    return !options?.isInternalModule && PACKAGE.test(name) ? load(name) : super.requireModule(...parameters);
  }
}

// jest takes what `require` brings for the class.
export { Runtime as 'module.exports' };
