import {
  type BackgroundHandler,
  loadBackground as loadBackgroundFromSource,
  loadFunction as loadFromSource,
} from '../../../lib/local/load-function.ts';
import { bundledFunctions } from './bundles.ts';

const bundled = process.env.FUNCTIONS === 'bundles';

/** Brings the handler of an entry: out of its bundle where `FUNCTIONS=bundles` says so, else from its source. */
export const loadFunction = bundled ? bundledFunctions() : loadFromSource;
/** The same for a function that no request calls. */
export const loadBackground = bundled ? bundledFunctions<BackgroundHandler>() : loadBackgroundFromSource;
