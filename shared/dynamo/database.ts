import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { createLeanSend } from '../sdk/lean-client.ts';
import { preventTimeoutRetry } from './unavailable.ts';

/** Connection to DynamoDB, which all tables share. */
export interface Database {
  readonly send: DynamoDBClient['send'];
  /** Sends a command to DynamoDB. Unlike `send`, does not retry after a time-out. */
  readonly sendWithoutTimeoutRetry: DynamoDBClient['send'];
  destroy(): void;
}

const CONNECT_MILLISECONDS = 1000;
const CALL_MILLISECONDS = 3000;
const ATTEMPTS = 3;

/**
 * Connects to DynamoDB with short time-outs, because a user can repeat a failed login but not a login that hangs.
 * @param timeoutMultiplier Factor for each time-out
 */
export function connectDatabase(config: DynamoDBClientConfig = {}, timeoutMultiplier = 1): Database {
  const client = new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: timeoutMultiplier * CONNECT_MILLISECONDS,
      requestTimeout: timeoutMultiplier * CALL_MILLISECONDS,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMultiplier * CALL_MILLISECONDS,
    },
    ...config,
  });
  return {
    send: createLeanSend(client, { attemptMilliseconds: CALL_MILLISECONDS }),
    sendWithoutTimeoutRetry: createLeanSend(client, {
      around: preventTimeoutRetry,
      attemptMilliseconds: CALL_MILLISECONDS,
    }),
    destroy: () => client.destroy(),
  };
}
