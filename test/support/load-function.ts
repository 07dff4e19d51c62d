import { loadFunction as loadFromSource } from '../../lib/local/start.ts';
import { bundledFunctions } from './bundles.ts';

/** Brings the handler of an entry: out of its bundle where `FUNCTIONS=bundles` says so, else from its source. */
export const loadFunction = process.env.FUNCTIONS === 'bundles' ? bundledFunctions() : loadFromSource;
