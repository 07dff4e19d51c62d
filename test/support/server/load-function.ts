import {
  type BackgroundHandler,
  loadBackground as loadBackgroundFromSource,
  loadFunction as loadFromSource,
} from '../../../lib/local/load-function.ts';
import { bundledFunctions } from './bundles.ts';

/** Set by `environment.ts`. */
const { isBundled } = globalThis as unknown as { readonly isBundled?: boolean };

/** Brings the handler of an entry: out of its bundle in the tests whose paths `BUNDLED` begins, else from its source. */
export const loadFunction = isBundled ? bundledFunctions() : loadFromSource;
/** The same for a function that no request calls. */
export const loadBackground = isBundled ? bundledFunctions<BackgroundHandler>() : loadBackgroundFromSource;
