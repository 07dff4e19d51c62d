import type { Environment } from './settings.ts';

/** Input of every adapter. It is a separate module, so that functions without tables do not bundle the DynamoDB client. */
export interface AwsContext {
  readonly env: Environment;
  /** True to load, when the function starts, what its first message would otherwise have to wait for. */
  readonly early?: boolean;
}
