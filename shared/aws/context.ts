import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableName } from '../dynamo/keys.ts';
import { createTable, documentClient, type Table } from '../dynamo/table.ts';
import { type Environment, required } from './settings.ts';

/** What adapters are made of: the environment, and one DynamoDB client for all tables of the container. */
export interface AwsContext {
  readonly env: Environment;
  readonly table: (name: TableName) => Table;
}

const VARIABLES: Readonly<Record<TableName, string>> = {
  directory: 'DIRECTORY_TABLE',
  people: 'PEOPLE_TABLE',
  flows: 'FLOWS_TABLE',
};

export function awsContext(env: Environment): AwsContext {
  let client: DynamoDBDocumentClient | undefined;
  return {
    env,
    table: (name) => {
      client ??= documentClient();
      return createTable(client, required(env, VARIABLES[name]));
    },
  };
}
