import * as adapters from '../../../shared/aws/adapters.ts';
import { createPorts } from '../../../shared/aws/create-ports.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';

const PORTS = [
  'tenantRecords',
  'applicationRecords',
  'clientRecords',
  'resourceRecords',
  'resources',
  'uriOwners',
  'uriOwnerRecords',
  'organizationRecords',
  'operators',
  'operatorRecords',
  'operatorEnrolments',
  'tenants',
  'userRecords',
  'users',
  'identifiers',
  'identifierReservations',
  'jobs',
  'passkeyRecords',
  'holders',
  'passkeys',
  'rpIds',
  'deviceKeys',
  'providerSecretRecords',
  'sessions',
  'signingKeyRecords',
  'windowRecords',
  'formerIssuers',
  'timeline',
  'webhookRecords',
] as const;

export type OperatorPorts = ReturnType<typeof createPorts<(typeof PORTS)[number]>>;

export type DurableTable = Exclude<TableName, 'flows'>;

/** Environment variable that multiplies the time limits of AWS calls by ten, because operators may use a slow connection. */
const TIME_LIMITS = { DATABASE_PATIENCE: '10' };

/**
 * Opens the ports for the tables and services of an environment or local server. As in functions, the AWS SDK reads endpoints
 * and credentials from environment variables.
 */
export function openPorts(
  tables: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): OperatorPorts {
  Object.assign(process.env, variables);
  return createPorts(PORTS, adapters, { ...process.env, ...TIME_LIMITS, ...tables });
}

/** Opens the ports of an environment or local server, with one table replaced by its restored copy. */
export function openRestored(
  variables: Readonly<Record<string, string>>,
  table: DurableTable,
  name: string,
): OperatorPorts {
  const variable = table === 'directory' ? 'DIRECTORY_TABLE' : 'PEOPLE_TABLE';
  return createPorts(PORTS, adapters, { ...process.env, ...TIME_LIMITS, ...variables, [variable]: name });
}
