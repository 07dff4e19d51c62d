import type { Environment } from './settings.ts';

/** Context of every AWS port adapter. It has its own module to keep the DynamoDB client out of functions without tables. */
export interface AwsContext {
  readonly env: Environment;
  /** True to load the SES and SNS clients when the function starts, so that the first message does not wait for them. */
  readonly early?: boolean;
}
