import type { Environment } from './settings.ts';

/** The input of every adapter. In its own module, or functions without tables would bundle the DynamoDB client. */
export interface AwsContext {
  readonly env: Environment;
  /** Loads in the function's init what its first message would wait for. */
  readonly early?: boolean;
}
