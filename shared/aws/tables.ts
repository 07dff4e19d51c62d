import { connectDatabase, type Database } from '../dynamo/database.ts';
import type { TableName } from '../dynamo/keys.ts';
import { createTable, type Table } from '../dynamo/table.ts';
import type { AwsContext } from './context.ts';
import { requireVariable } from './settings.ts';

const VARIABLES: Readonly<Record<TableName, string>> = {
  directory: 'DIRECTORY_TABLE',
  people: 'PEOPLE_TABLE',
  flows: 'FLOWS_TABLE',
};

const databases = new WeakMap<AwsContext, Database>();

function table(context: AwsContext, name: TableName): Table {
  const database = databases.get(context) ?? connectDatabase({}, Number(context.env.DATABASE_PATIENCE || 1));
  databases.set(context, database);
  return createTable(database, requireVariable(context.env, VARIABLES[name]));
}

/** Returns the table `directory`. All tables of an `AwsContext` share one DynamoDB client. */
export const directory = (context: AwsContext): Table => table(context, 'directory');
export const people = (context: AwsContext): Table => table(context, 'people');
export const flows = (context: AwsContext): Table => table(context, 'flows');
