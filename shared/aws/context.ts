import type { Environment } from './settings.ts';

/**
 * Context of every AWS port adapter. The type is in a separate module, so that functions that use no table do not bundle the
 * DynamoDB client.
 */
export interface AwsContext {
  readonly env: Environment;
  /** True to load the SES and SNS clients when the function starts, so that the first message does not wait for them. */
  readonly early?: boolean;
}
