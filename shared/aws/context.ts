import type { Environment } from './settings.ts';

/** Input of every adapter. It has its own module so that functions without tables do not bundle the DynamoDB client. */
export interface AwsContext {
  readonly env: Environment;
  /** True to load the clients for messages when the function starts, so that the first message does not wait for them. */
  readonly early?: boolean;
}
