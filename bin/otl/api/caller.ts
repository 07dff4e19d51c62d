// Finds the credentials with which `otl` calls the API of a tenant: those of a client, of a logged-in person, or of the demo's
// management client.

import { listAuth } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Api } from '../engine/api.ts';
import { findLogin } from '../person/login-file.ts';
import { callAsPerson, ownRecord, readAnswer } from '../person/tokens.ts';
import { findService, type Service, type TargetOptions } from '../target/service.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ApiOptions extends TargetOptions {
  readonly tenant?: string | undefined;
}

function credentialsInEnvironment(): ClientCredentials | undefined {
  const { OTL_CLIENT_ID: clientId, OTL_CLIENT_SECRET: clientSecret } = process.env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret)
    throw new UsageError('Set both OTL_CLIENT_ID and OTL_CLIENT_SECRET, or neither.');
  return { clientId, clientSecret };
}

/** Reads the `tid` claim of an access token. The token need not be verified, because it comes directly from the service. */
function readTenantId(token: string): unknown {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly tid?: unknown }).tid;
}

/** Returns access to the API with a client token. Throws if `--tenant` names a tenant that the client does not belong to. */
async function openAsClient(
  { baseUrl, apiUrl }: Service,
  { clientId, clientSecret }: ClientCredentials,
  tenantId: string | undefined,
): Promise<Api> {
  const issued = (await readAnswer(
    await fetch(`${apiUrl}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    }),
  )) as { readonly access_token: string };
  const token = issued.access_token;
  const own = readTenantId(token);
  if (tenantId !== undefined && own !== tenantId)
    throw new RefusedError(
      `The client ${clientId} belongs to the tenant ${own}, but --tenant names ${tenantId}.`,
    );
  return {
    baseUrl,
    call: async ({ method, path, json }) =>
      readAnswer(
        await fetch(`${apiUrl}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(json && { 'content-type': 'application/json' }),
          },
          ...(json && { body: JSON.stringify(json) }),
        }),
      ),
  };
}

/**
 * Returns the named tenant, or the only tenant that the logged-in person operates.
 * @throws `UsageError` if no tenant is named and the person does not operate exactly one.
 */
async function requireTenantId(baseUrl: string, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const [only, ...others] = (await ownRecord(baseUrl)).grants;
  if (!only || others.length > 0) throw new UsageError('Name the tenant: --tenant <id>.');
  return only.tenant_id;
}

async function openAsPerson(baseUrl: string, named: string | undefined): Promise<Api> {
  const tenantId = await requireTenantId(baseUrl, named);
  return { baseUrl, call: (request) => callAsPerson(baseUrl, { ...request, tenantId }) };
}

/**
 * Returns access to the API with the first credentials that may call the operation. These are the client in the environment
 * variables, the logged-in person, or (on a local server) the management client of the demo tenant. Returns undefined if no
 * credentials are suitable.
 * @throws `UsageError`, `RefusedError`
 */
export async function findApi(options: ApiOptions, row: Operation): Promise<Api | undefined> {
  const service = await findService(options);
  const auth = listAuth(row);
  const takesClients = auth.includes('admin') || auth.includes('client');
  const credentials = credentialsInEnvironment();
  if (credentials && takesClients) return openAsClient(service, credentials, options.tenant);
  if (row.operators && findLogin(service.baseUrl)) return openAsPerson(service.baseUrl, options.tenant);
  const { demo } = service;
  const isOfDemo = options.tenant === undefined || options.tenant === demo?.tenantId;
  return demo && takesClients && isOfDemo ? openAsClient(service, demo, demo.tenantId) : undefined;
}

/** Creates the error for a command without usable credentials. The message says how to get credentials. */
export function noCallerError(words: string, { tenant }: ApiOptions): RefusedError {
  const of = tenant === undefined ? '' : ` of the tenant ${tenant}`;
  return new RefusedError(
    `otl ${words} calls the API. Run otl login, or set OTL_CLIENT_ID and OTL_CLIENT_SECRET to a management client${of}. With AWS credentials, otl --tenant ${tenant ?? '<id>'} client create --management --name otl creates one.`,
  );
}
