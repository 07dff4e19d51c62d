import { CLIENT_SECRETS_MAX, DIRECTORY_CACHE_SECONDS } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { CHANGE_CLIENT, REMOVE_APPLICATION, RUN_JOB } from '../../shared/ports/verbs.ts';
import {
  ApplicationIdPath,
  ApplicationListResponse,
  ApplicationResponse,
  CreateApplicationBody,
  UpdateApplicationBody,
} from '../../shared/schemas/applications.ts';
import {
  ClientIdPath,
  ClientListResponse,
  ClientResponse,
  ClientSecretPath,
  CreateClientBody,
  ManagementClientPath,
  ManagementClientSecretPath,
  UpdateClientBody,
} from '../../shared/schemas/clients.ts';
import { LoginPreferencesBody, LoginPreferencesResponse } from '../../shared/schemas/login-preferences.ts';
import {
  ChangesQuery,
  ChangesResponse,
  StatisticsQuery,
  StatisticsResponse,
} from '../../shared/schemas/timeline.ts';
import { administration, recordRows } from '../records/record-rows.ts';

/** Rows of the table for applications, their clients and login preferences: a management client administers its tenant. */

const ofApplication = { ...administration, file: 'management/applications', record: 'appId' } as const;

const applications = recordRows({
  common: ofApplication,
  path: '/v1/applications',
  id: 'appId',
  item: ApplicationIdPath,
  create: CreateApplicationBody,
  update: UpdateApplicationBody,
  one: ApplicationResponse,
  list: ApplicationListResponse,
  itemErrors: ['application_not_found'],
});

export const createApplication = applications.create({
  operators: 'admin',
  unguarded: 'fields',
  summary: 'Makes an application',
  description:
    'Makes an application of the tenant; a setting that is not given has its default. It needs a client for its backend or app, and `redirect_uris` where logins end. 400 names the field that does not fit, or says that the tenant has no room for more.',
  uses: ['applicationRecords.put', 'applicationRecords.areAtLeast', 'resourceRecords.find'],
});

export const listApplications = applications.list({
  summary: 'Lists the applications of the tenant, oldest first',
  description:
    'Answers the applications of the tenant by pages. A record that was just made may be missing for a moment.',
  uses: ['applicationRecords.list'],
});

export const getApplication = applications.get({
  summary: 'Shows an application',
  description:
    'Answers the record of an application with all settings. One of another tenant is 404 like an unknown one.',
  uses: ['applicationRecords.find'],
});

export const updateApplication = applications.update({
  operators: 'developer',
  unguarded: 'fields',
  summary: 'Changes the given fields of an application; null removes a field',
  description: `Null removes a setting, lists are replaced as a whole, and \`add_redirect_uris\` adds to one. The change is seen everywhere within ${DIRECTORY_CACHE_SECONDS} seconds. 409 when others keep changing the record at the same time.`,
  errors: ['concurrent_change'],
  uses: ['applicationRecords.find', 'applicationRecords.replace', 'resourceRecords.find'],
});

export const deleteApplication = applications.delete({
  summary: 'Deletes an application with its clients, resources and webhooks; the users stay',
  description:
    'Tokens of its clients are refused at once, and tokens of its users cannot be refreshed. Users belong to the tenant and stay. It cannot be undone. 202 when some of very many clients are still being removed; nobody logs in by them.',
  output: { status: 204, orLater: true },
  uses: [
    'applicationRecords.remove',
    'providerSecretRecords.remove',
    'formerIssuers.remove',
    'formerApplications.remember',
    'jobs.put',
    ...REMOVE_APPLICATION,
    ...RUN_JOB,
  ],
});

export const getLoginPreferences = {
  ...ofApplication,
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/loginPreferences/{appId}',
  summary: 'Shows the login methods of an application',
  description:
    'Answers the methods that are on, with the settings that are not the default. A method that is absent is off.',
  input: { path: ApplicationIdPath },
  output: { status: 200, json: LoginPreferencesResponse },
  errors: ['application_not_found'],
  uses: ['applicationRecords.find'],
} as const satisfies OperationRow;

export const updateLoginPreferences = {
  ...ofApplication,
  method: 'PUT',
  path: '/loginPreferences/{appId}',
  summary: 'Sets the given login methods of an application; null switches one off',
  description: `A method that is given is replaced with all its settings, others stay. Secrets of social providers are set by the command line alone. The change is seen everywhere within ${DIRECTORY_CACHE_SECONDS} seconds.`,
  input: { path: ApplicationIdPath, json: LoginPreferencesBody },
  output: { status: 200, json: LoginPreferencesResponse },
  errors: ['application_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: ['applicationRecords.find', 'applicationRecords.replace'],
} as const satisfies OperationRow;

const ofClient = { ...administration, file: 'management/clients', record: 'clientId' } as const;

const clients = recordRows({
  common: ofClient,
  path: '/v1/applications/{appId}/clients',
  id: 'clientId',
  outer: { path: ApplicationIdPath },
  item: ClientIdPath,
  create: CreateClientBody,
  update: UpdateClientBody,
  one: ClientResponse,
  list: ClientListResponse,
  outerErrors: ['application_not_found'],
  itemErrors: ['client_not_found'],
});

const managementClients = recordRows({
  common: ofClient,
  path: '/v1/management-clients',
  id: 'clientId',
  item: ManagementClientPath,
  create: CreateClientBody,
  update: UpdateClientBody,
  one: ClientResponse,
  list: ClientListResponse,
  itemErrors: ['client_not_found'],
});

export const createClient = clients.create({
  summary: 'Makes a client of an application and shows its secret, this once',
  description:
    'Makes credentials for a backend, an app or a page of the application. `client_secret` is in this answer alone, because only its hash is stored; clients with another `auth_method` than `secret` have none. 404 for an unknown application.',
  uses: ['applicationRecords.find', 'clientRecords.put'],
});

export const listClients = clients.list({
  record: 'appId',
  summary: 'Lists the clients of an application, oldest first',
  description:
    'Answers the clients of one application by pages, without their secrets. A record that was just made may be missing for a moment.',
  uses: ['applicationRecords.find', 'clientRecords.list'],
});

export const getClient = clients.get({
  summary: 'Shows a client without its secrets',
  description:
    'Answers the settings of a client and the IDs of its secrets. 404 for a client of another application, too.',
  uses: ['clientRecords.find'],
});

export const updateClient = clients.update({
  summary: 'Changes the given fields of a client; null removes a field',
  description: `Lists are replaced as a whole. Another \`auth_method\` than \`secret\` deletes the secrets for good. Permissions that are taken away are lost within ${DIRECTORY_CACHE_SECONDS} seconds. 409 when others keep changing the record at the same time.`,
  errors: ['concurrent_change'],
  uses: CHANGE_CLIENT,
});

export const deleteClient = clients.delete({
  summary: 'Deletes a client',
  description: 'Its tokens and secrets are refused at once. It cannot be undone.',
  uses: ['clientRecords.find', 'clientRecords.remove', 'windowRecords.announce'],
});

export const addClientSecret = {
  ...ofClient,
  method: 'POST',
  path: '/v1/applications/{appId}/clients/{clientId}/secrets',
  summary: 'Adds a secret and shows it, this once; the one before works on',
  description: `The new secret works at once. ${CLIENT_SECRETS_MAX} work at a time, so that servers change over one by one; one more stops the oldest. 400 for a client that authenticates in another way.`,
  input: { path: ClientIdPath },
  output: { status: 201, json: ClientResponse },
  errors: ['client_not_found', 'system_invalid_input', 'concurrent_change'],
  audit: 'management.changed',
  uses: CHANGE_CLIENT,
} as const satisfies OperationRow;

export const revokeClientSecret = {
  ...ofClient,
  method: 'DELETE',
  path: '/v1/applications/{appId}/clients/{clientId}/secrets/{secretId}',
  summary: 'Takes a secret of a client back',
  description:
    'It buys nothing from that moment on, and tokens that it has bought are refused. The last one can be revoked, too. 404 for a secret that the client does not have.',
  input: { path: ClientSecretPath },
  output: { status: 204 },
  errors: ['client_not_found', 'secret_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: CHANGE_CLIENT,
} as const satisfies OperationRow;

/**
 * Management clients belong to the tenant and may do everything in it: one creates and replaces others. They are administered as
 * the clients of an application are, by a path that names none.
 */
export const createManagementClient = managementClients.create({
  summary: 'Makes a management client of the tenant and shows its secret, this once',
  description:
    'It may do everything in the tenant, and make others of its kind, so it takes no permissions and roles. `client_secret` is in this answer alone, because only its hash is stored.',
  uses: ['clientRecords.put'],
});

export const listManagementClients = managementClients.list({
  summary: 'Lists the management clients of the tenant, oldest first',
  description:
    'Answers the management clients of the tenant by pages, without their secrets. A record that was just made may be missing for a moment.',
  uses: ['clientRecords.list'],
});

export const getManagementClient = managementClients.get({
  summary: 'Shows a management client without its secrets',
  description:
    'Answers the settings of a management client and the IDs of its secrets. 404 for a client of an application, too.',
  uses: ['clientRecords.find'],
});

export const updateManagementClient = managementClients.update({
  summary: 'Changes the given fields of a management client; null removes a field',
  description:
    'Another `auth_method` than `secret` deletes the secrets for good; a public one is 400. 409 when others keep changing the record at the same time.',
  errors: ['concurrent_change'],
  uses: CHANGE_CLIENT,
});

export const deleteManagementClient = managementClients.delete({
  summary: 'Deletes a management client, but not the one that calls',
  description:
    'Its tokens and secrets are refused at once. 409 for the client that calls: no tenant locks itself out.',
  errors: ['own_client'],
  uses: ['clientRecords.find', 'clientRecords.remove', 'windowRecords.announce'],
});

export const addManagementClientSecret = {
  ...addClientSecret,
  path: '/v1/management-clients/{clientId}/secrets',
  summary: 'Adds a secret of a management client and shows it, this once; the one before works on',
  input: { path: ManagementClientPath },
} as const satisfies OperationRow;

export const revokeManagementClientSecret = {
  ...revokeClientSecret,
  path: '/v1/management-clients/{clientId}/secrets/{secretId}',
  summary: 'Takes a secret of a management client back, but not the last one of the caller',
  description:
    'It buys nothing from that moment on, and tokens that it has bought are refused. 409 for the last secret of the client that calls.',
  input: { path: ManagementClientSecretPath },
  errors: ['client_not_found', 'secret_not_found', 'own_client', 'concurrent_change'],
} as const satisfies OperationRow;

export const listChanges = {
  ...administration,
  file: 'management/changes',
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/changes',
  summary: 'Lists what management has changed, newest first, with the values before and after',
  description:
    'Answers changes of records and of users by the API, operators and `otl`, for 400 days. What people changed themselves stands in their timelines. Secrets are left out, and what is of a person is masked. A page may be short, or empty, and have a next one.',
  input: { query: ChangesQuery },
  output: { status: 200, json: ChangesResponse },
  errors: [],
  uses: ['timeline.listChanges'],
} as const satisfies OperationRow;

export const getStatistics = {
  ...administration,
  file: 'management/statistics',
  operators: 'viewer',
  unguarded: 'reads',
  method: 'GET',
  path: '/v1/statistics',
  summary: 'Counts logins, failures and messages by the hour, and says which limits are near',
  description:
    'Answers the hours up to now, also those in which nothing happened. An event is counted within seconds after it happened. Counts are kept for 90 days.',
  input: { query: StatisticsQuery },
  output: { status: 200, json: StatisticsResponse },
  errors: [],
  uses: ['statistics.list', 'windowRecords.counted', 'applicationRecords.areAtLeast'],
} as const satisfies OperationRow;
