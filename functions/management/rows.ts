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
  summary: 'Creates an application',
  description:
    'Creates an application of the tenant; settings that are not given have their defaults. The application then needs a client for its backend or app, and `redirect_uris` where logins end. The response 400 names the invalid field, or says that the tenant has reached its limit.',
  uses: ['applicationRecords.put', 'applicationRecords.areAtLeast', 'resourceRecords.find'],
});

export const listApplications = applications.list({
  summary: 'Lists the applications of the tenant, oldest first',
  description:
    'Returns the applications of the tenant page by page. A record that was just created may be missing for a moment.',
  uses: ['applicationRecords.list'],
});

export const getApplication = applications.get({
  summary: 'Returns an application',
  description:
    'Returns the record of an application with all settings. An application of another tenant is 404, like an unknown one.',
  uses: ['applicationRecords.find'],
});

export const updateApplication = applications.update({
  operators: 'developer',
  unguarded: 'fields',
  summary: 'Updates the given fields of an application; null removes a field',
  description: `Null removes a setting, lists are replaced as a whole, and \`add_redirect_uris\` adds to a list. The change takes effect everywhere within ${DIRECTORY_CACHE_SECONDS} seconds. If other calls keep changing the record at the same time, the response is 409.`,
  errors: ['concurrent_change'],
  uses: [
    'applicationRecords.find',
    'applicationRecords.replace',
    'resourceRecords.find',
    'providerSecretRecords.remove',
  ],
});

export const deleteApplication = applications.delete({
  summary: 'Deletes an application with its clients, resources and webhooks; the users stay',
  description:
    'Tokens of its clients are rejected at once, and tokens of its users cannot be refreshed. Users belong to the tenant and stay. This cannot be undone. The response is 202 if many clients are still being removed; they can no longer authenticate.',
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
  summary: 'Returns the login methods of an application',
  description:
    'Returns the enabled methods with those settings that differ from the defaults. A method that is absent is disabled.',
  input: { path: ApplicationIdPath },
  output: { status: 200, json: LoginPreferencesResponse },
  errors: ['application_not_found'],
  uses: ['applicationRecords.find'],
} as const satisfies OperationRow;

export const updateLoginPreferences = {
  ...ofApplication,
  method: 'PUT',
  path: '/loginPreferences/{appId}',
  summary: 'Updates the given login methods of an application; null disables a method',
  description: `A method that is given is replaced with all its settings; other methods stay unchanged. Secrets of social providers can only be set with the command line. The change takes effect everywhere within ${DIRECTORY_CACHE_SECONDS} seconds.`,
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
  summary: 'Creates a client of an application and returns its secret, only this once',
  description:
    'Creates credentials for a backend, an app or a page of the application. Only this response contains `client_secret`, because only its hash is stored; clients with an `auth_method` other than `secret` have none. An unknown application is 404.',
  uses: ['applicationRecords.find', 'clientRecords.put'],
});

export const listClients = clients.list({
  record: 'appId',
  summary: 'Lists the clients of an application, oldest first',
  description:
    'Returns the clients of one application page by page, without their secrets. A record that was just created may be missing for a moment.',
  uses: ['applicationRecords.find', 'clientRecords.list'],
});

export const getClient = clients.get({
  summary: 'Returns a client without its secrets',
  description:
    'Returns the settings of a client and the IDs of its secrets. A client of another application is 404 too.',
  uses: ['clientRecords.find'],
});

export const updateClient = clients.update({
  summary: 'Updates the given fields of a client; null removes a field',
  description: `Lists are replaced as a whole. Changing \`auth_method\` from \`secret\` to another value deletes the secrets for good. Removed permissions are lost within ${DIRECTORY_CACHE_SECONDS} seconds. If other calls keep changing the record at the same time, the response is 409.`,
  errors: ['concurrent_change'],
  uses: CHANGE_CLIENT,
});

export const deleteClient = clients.delete({
  summary: 'Deletes a client',
  description: "The client's tokens and secrets are rejected at once. This cannot be undone.",
  uses: ['clientRecords.find', 'clientRecords.remove', 'windowRecords.announce'],
});

export const addClientSecret = {
  ...ofClient,
  method: 'POST',
  path: '/v1/applications/{appId}/clients/{clientId}/secrets',
  summary: 'Adds a secret and returns it, only this once; the previous secret stays valid',
  description: `The new secret is valid at once. ${CLIENT_SECRETS_MAX} secrets are valid at a time, so that servers can switch one by one; adding another one revokes the oldest. A client that authenticates in another way is 400.`,
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
  summary: 'Revokes a client secret',
  description:
    'From now on the secret gets no tokens, and tokens that it got are rejected. The last secret can be revoked too. A secret that the client does not have is 404.',
  input: { path: ClientSecretPath },
  output: { status: 204 },
  errors: ['client_not_found', 'secret_not_found', 'concurrent_change'],
  audit: 'management.changed',
  uses: CHANGE_CLIENT,
} as const satisfies OperationRow;

/**
 * Creates a management client, which belongs to the tenant and may do everything in it, including creating and replacing other
 * management clients. Management clients are administered like the clients of an application, by a path that names no
 * application.
 */
export const createManagementClient = managementClients.create({
  summary: 'Creates a management client of the tenant and returns its secret, only this once',
  description:
    'A management client may do everything in the tenant and create other management clients, so it has no permissions and roles. Only this response contains `client_secret`, because only its hash is stored.',
  uses: ['clientRecords.put'],
});

export const listManagementClients = managementClients.list({
  summary: 'Lists the management clients of the tenant, oldest first',
  description:
    'Returns the management clients of the tenant page by page, without their secrets. A record that was just created may be missing for a moment.',
  uses: ['clientRecords.list'],
});

export const getManagementClient = managementClients.get({
  summary: 'Returns a management client without its secrets',
  description:
    'Returns the settings of a management client and the IDs of its secrets. A client of an application is 404 here.',
  uses: ['clientRecords.find'],
});

export const updateManagementClient = managementClients.update({
  summary: 'Updates the given fields of a management client; null removes a field',
  description:
    'Changing `auth_method` from `secret` to another value deletes the secrets for good; `none`, for a public client, is 400. If other calls keep changing the record at the same time, the response is 409.',
  errors: ['concurrent_change'],
  uses: CHANGE_CLIENT,
});

export const deleteManagementClient = managementClients.delete({
  summary: 'Deletes a management client other than the caller',
  description:
    "The client's tokens and secrets are rejected at once. The calling client itself is 409, so that no tenant locks itself out.",
  errors: ['own_client'],
  uses: ['clientRecords.find', 'clientRecords.remove', 'windowRecords.announce'],
});

export const addManagementClientSecret = {
  ...addClientSecret,
  path: '/v1/management-clients/{clientId}/secrets',
  summary:
    'Adds a secret of a management client and returns it, only this once; the previous secret stays valid',
  input: { path: ManagementClientPath },
} as const satisfies OperationRow;

export const revokeManagementClientSecret = {
  ...revokeClientSecret,
  path: '/v1/management-clients/{clientId}/secrets/{secretId}',
  summary: "Revokes a secret of a management client, except the caller's last one",
  description:
    'From now on the secret gets no tokens, and tokens that it got are rejected. The last secret of the calling client is 409.',
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
  summary: 'Lists administrative changes, newest first, with the values before and after',
  description:
    'Returns changes of records and of users by the API, operators and `otl`, for 400 days. Changes that users make themselves are in their own event lists. Secrets are left out, and personal data is masked. A page may be short or even empty and still have a next one.',
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
  summary:
    'Counts logins, failures and messages by the hour and by application, and reports limits that are nearly reached',
  description:
    'Returns the hours up to now, including those in which nothing happened. An event is counted within seconds. Counts are kept for 90 days.',
  input: { query: StatisticsQuery },
  output: { status: 200, json: StatisticsResponse },
  errors: [],
  uses: ['statistics.list', 'windowRecords.counted', 'applicationRecords.areAtLeast', 'applications'],
} as const satisfies OperationRow;
