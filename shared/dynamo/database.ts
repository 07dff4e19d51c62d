import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { lean } from '../sdk/lean-client.ts';
import { orOverdue } from './unavailable.ts';

/** One connection to DynamoDB, shared by tables. */
export interface Database {
  readonly send: DynamoDBClient['send'];
  /** Does not repeat after a time-out. */
  readonly sendUnlessOverdue: DynamoDBClient['send'];
  destroy(): void;
}

const CONNECT_MILLISECONDS = 1000;
const CALL_MILLISECONDS = 3000;
const ATTEMPTS = 3;

/** A prompt "try again" is better than a login that hangs; `patience` multiplies each time-out. */
export function connectDatabase(config: DynamoDBClientConfig = {}, patience = 1): Database {
  const client = new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: patience * CONNECT_MILLISECONDS,
      requestTimeout: patience * CALL_MILLISECONDS,
      throwOnRequestTimeout: true,
      socketTimeout: patience * CALL_MILLISECONDS,
    },
    ...config,
  });
  return {
    send: lean(client, { attemptMilliseconds: CALL_MILLISECONDS }),
    sendUnlessOverdue: lean(client, { around: orOverdue, attemptMilliseconds: CALL_MILLISECONDS }),
    destroy: () => client.destroy(),
  };
}
