import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableName } from '../dynamo/keys.ts';
import { createTable, documentClient, type Table } from '../dynamo/table.ts';
import type { AwsContext } from './context.ts';
import { required } from './settings.ts';

const VARIABLES: Readonly<Record<TableName, string>> = {
  directory: 'DIRECTORY_TABLE',
  people: 'PEOPLE_TABLE',
  flows: 'FLOWS_TABLE',
};

const clients = new WeakMap<AwsContext, DynamoDBDocumentClient>();

function table(context: AwsContext, name: TableName): Table {
  const client = clients.get(context) ?? documentClient({}, Number(context.env.DATABASE_PATIENCE || 1));
  clients.set(context, client);
  return createTable(client, required(context.env, VARIABLES[name]));
}

/** The tables of a context share one DynamoDB client. */
export const directory = (context: AwsContext): Table => table(context, 'directory');
export const people = (context: AwsContext): Table => table(context, 'people');
export const flows = (context: AwsContext): Table => table(context, 'flows');
