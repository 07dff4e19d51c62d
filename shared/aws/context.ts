import type { Environment } from './settings.ts';

/** What adapters are made of. A module of its own, so that a function without tables does not carry their client. */
export interface AwsContext {
  readonly env: Environment;
}
