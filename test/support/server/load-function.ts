import {
  type BackgroundHandler,
  loadBackground as loadBackgroundFromSource,
  loadFunction as loadFromSource,
} from '../../../lib/local/load-function.ts';
import { bundledFunctions } from './bundles.ts';

/** True if the tests run bundled functions. Set by `environment.ts`. */
const { isBundled } = globalThis as unknown as { readonly isBundled?: boolean };

/** Loads the handler of a Lambda function: from its bundle in test runs with bundles, otherwise from source. */
export const loadFunction = isBundled ? bundledFunctions() : loadFromSource;
/** Loads the handler of a background function, which AWS invokes for events instead of HTTP requests. */
export const loadBackground = isBundled ? bundledFunctions<BackgroundHandler>() : loadBackgroundFromSource;
