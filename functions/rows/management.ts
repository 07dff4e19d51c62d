import type { Operation } from '../../shared/operation.ts';
import {
  ApplicationIdPath,
  ApplicationListResponse,
  ApplicationResponse,
  ClientIdPath,
  ClientListResponse,
  ClientResponse,
  ClientSecretPath,
  CreateApplicationBody,
  CreateClientBody,
  LoginPreferencesBody,
  LoginPreferencesResponse,
  UpdateApplicationBody,
  UpdateClientBody,
} from '../../shared/schemas/management.ts';
import { PageQuery } from '../../shared/schemas/paging.ts';

/** Rows of the table for applications, their clients and login preferences: a management client administers its tenant. */

export const createApplication = {
  section: 'management',
  method: 'POST',
  path: '/v1/applications',
  entry: 'management/create-application',
  reach: 'api',
  summary: 'Makes an application',
  auth: 'admin',
  cors: 'none',
  input: { json: CreateApplicationBody },
  output: { status: 201, json: ApplicationResponse },
  dialect: 'numeric',
  errors: [],
  uses: ['applicationRecords', 'resourceRecords'],
} as const satisfies Operation;

export const listApplications = {
  section: 'management',
  method: 'GET',
  path: '/v1/applications',
  entry: 'management/list-applications',
  reach: 'api',
  summary: 'Lists the applications of the tenant, oldest first',
  auth: 'admin',
  cors: 'none',
  input: { query: PageQuery },
  output: { status: 200, json: ApplicationListResponse },
  dialect: 'numeric',
  errors: [],
  uses: ['applicationRecords'],
} as const satisfies Operation;

export const getApplication = {
  section: 'management',
  method: 'GET',
  path: '/v1/applications/{appId}',
  entry: 'management/get-application',
  reach: 'api',
  summary: 'Shows an application',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath },
  output: { status: 200, json: ApplicationResponse },
  dialect: 'numeric',
  errors: ['application_not_found'],
  uses: ['applicationRecords'],
} as const satisfies Operation;

export const updateApplication = {
  section: 'management',
  method: 'PUT',
  path: '/v1/applications/{appId}',
  entry: 'management/update-application',
  reach: 'api',
  summary: 'Changes the given fields of an application; null removes a field',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath, json: UpdateApplicationBody },
  output: { status: 200, json: ApplicationResponse },
  dialect: 'numeric',
  errors: ['application_not_found', 'concurrent_change'],
  uses: ['applicationRecords', 'resourceRecords'],
} as const satisfies Operation;

export const deleteApplication = {
  section: 'management',
  method: 'DELETE',
  path: '/v1/applications/{appId}',
  entry: 'management/delete-application',
  reach: 'api',
  summary: 'Deletes an application with its clients and resources; the users stay',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['application_not_found'],
  uses: ['applicationRecords', 'clientRecords', 'resourceRecords', 'providerSecretRecords'],
} as const satisfies Operation;

export const getLoginPreferences = {
  section: 'management',
  method: 'GET',
  path: '/loginPreferences/{appId}',
  entry: 'management/get-login-preferences',
  reach: 'api',
  summary: 'Shows the login methods of an application',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath },
  output: { status: 200, json: LoginPreferencesResponse },
  dialect: 'numeric',
  errors: ['application_not_found'],
  uses: ['applicationRecords'],
} as const satisfies Operation;

export const updateLoginPreferences = {
  section: 'management',
  method: 'PUT',
  path: '/loginPreferences/{appId}',
  entry: 'management/update-login-preferences',
  reach: 'api',
  summary: 'Sets the given login methods of an application; null switches one off',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath, json: LoginPreferencesBody },
  output: { status: 200, json: LoginPreferencesResponse },
  dialect: 'numeric',
  errors: ['application_not_found', 'concurrent_change'],
  uses: ['applicationRecords', 'resourceRecords'],
} as const satisfies Operation;

export const createClient = {
  section: 'management',
  method: 'POST',
  path: '/v1/applications/{appId}/clients',
  entry: 'management/create-client',
  reach: 'api',
  summary: 'Makes a client of an application and shows its secret, this once',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath, json: CreateClientBody },
  output: { status: 201, json: ClientResponse },
  dialect: 'numeric',
  errors: ['application_not_found'],
  uses: ['applicationRecords', 'clientRecords'],
} as const satisfies Operation;

export const listClients = {
  section: 'management',
  method: 'GET',
  path: '/v1/applications/{appId}/clients',
  entry: 'management/list-clients',
  reach: 'api',
  summary: 'Lists the clients of an application, oldest first',
  auth: 'admin',
  cors: 'none',
  input: { path: ApplicationIdPath, query: PageQuery },
  output: { status: 200, json: ClientListResponse },
  dialect: 'numeric',
  errors: ['application_not_found'],
  uses: ['applicationRecords', 'clientRecords'],
} as const satisfies Operation;

export const getClient = {
  section: 'management',
  method: 'GET',
  path: '/v1/applications/{appId}/clients/{clientId}',
  entry: 'management/get-client',
  reach: 'api',
  summary: 'Shows a client without its secrets',
  auth: 'admin',
  cors: 'none',
  input: { path: ClientIdPath },
  output: { status: 200, json: ClientResponse },
  dialect: 'numeric',
  errors: ['client_not_found'],
  uses: ['clientRecords'],
} as const satisfies Operation;

export const updateClient = {
  section: 'management',
  method: 'PUT',
  path: '/v1/applications/{appId}/clients/{clientId}',
  entry: 'management/update-client',
  reach: 'api',
  summary: 'Changes the given fields of a client; null removes a field',
  auth: 'admin',
  cors: 'none',
  input: { path: ClientIdPath, json: UpdateClientBody },
  output: { status: 200, json: ClientResponse },
  dialect: 'numeric',
  errors: ['client_not_found', 'concurrent_change'],
  uses: ['clientRecords'],
} as const satisfies Operation;

export const deleteClient = {
  section: 'management',
  method: 'DELETE',
  path: '/v1/applications/{appId}/clients/{clientId}',
  entry: 'management/delete-client',
  reach: 'api',
  summary: 'Deletes a client',
  auth: 'admin',
  cors: 'none',
  input: { path: ClientIdPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['client_not_found'],
  uses: ['clientRecords'],
} as const satisfies Operation;

export const addClientSecret = {
  section: 'management',
  method: 'POST',
  path: '/v1/applications/{appId}/clients/{clientId}/secrets',
  entry: 'management/add-client-secret',
  reach: 'api',
  summary: 'Adds a secret and shows it, this once; the one before works on',
  auth: 'admin',
  cors: 'none',
  input: { path: ClientIdPath },
  output: { status: 201, json: ClientResponse },
  dialect: 'numeric',
  errors: ['client_not_found', 'system_invalid_input', 'concurrent_change'],
  uses: ['clientRecords'],
} as const satisfies Operation;

export const revokeClientSecret = {
  section: 'management',
  method: 'DELETE',
  path: '/v1/applications/{appId}/clients/{clientId}/secrets/{secretId}',
  entry: 'management/revoke-client-secret',
  reach: 'api',
  summary: 'Takes a secret of a client back',
  auth: 'admin',
  cors: 'none',
  input: { path: ClientSecretPath },
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['client_not_found', 'secret_not_found', 'concurrent_change'],
  uses: ['clientRecords'],
} as const satisfies Operation;
