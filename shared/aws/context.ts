import type { Environment } from './settings.ts';

/** The input of every adapter. In its own module, or functions without tables would bundle the DynamoDB client. */
export interface AwsContext {
  readonly env: Environment;
}
