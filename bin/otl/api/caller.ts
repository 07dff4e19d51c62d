import { authOf } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Api } from '../engine/api.ts';
import { findLogin } from '../person/login-file.ts';
import { answerOf, callAsPerson, ownRecord } from '../person/tokens.ts';
import { findService, type Service, type TargetOptions } from '../target/service.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';

/** The API of one tenant, called by whom the command line finds: a client, a person, or the client of the demo. */

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
    throw new UsageError('OTL_CLIENT_ID and OTL_CLIENT_SECRET name a client together: set both, or neither.');
  return { clientId, clientSecret };
}

/** The tenant that the service has written into a token of a client. */
function tenantOfToken(token: string): unknown {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly tid?: unknown }).tid;
}

/** A client belongs to one tenant: a command for another one must not change this one. */
async function openAsClient(
  { baseUrl, apiUrl }: Service,
  { clientId, clientSecret }: ClientCredentials,
  tenantId: string | undefined,
): Promise<Api> {
  const issued = (await answerOf(
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
  const own = tenantOfToken(token);
  if (tenantId !== undefined && own !== tenantId)
    throw new RefusedError(`The client ${clientId} is of the tenant ${own}, and --tenant names ${tenantId}.`);
  return {
    baseUrl,
    call: async ({ method, path, json }) =>
      answerOf(
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

/** The tenant that is named, or the only one that the person operates. */
async function tenantOfPerson(baseUrl: string, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const [only, ...others] = (await ownRecord(baseUrl)).grants;
  if (!only || others.length > 0) throw new UsageError('Say for which tenant: --tenant <id>.');
  return only.tenant_id;
}

async function openAsPerson(baseUrl: string, named: string | undefined): Promise<Api> {
  const tenantId = await tenantOfPerson(baseUrl, named);
  return { baseUrl, call: (request) => callAsPerson(baseUrl, { ...request, tenantId }) };
}

/**
 * Finds who may call an operation: the client in the environment variables, else the person who is logged in, else at a
 * local server the management client of the demo. Undefined if none of them may. Errors: `UsageError`, `RefusedError`.
 */
export async function findApi(options: ApiOptions, row: Operation): Promise<Api | undefined> {
  const service = await findService(options);
  const auth = authOf(row);
  const takesClients = auth.includes('admin') || auth.includes('client');
  const credentials = credentialsInEnvironment();
  if (credentials && takesClients) return openAsClient(service, credentials, options.tenant);
  if (row.operators && findLogin(service.baseUrl)) return openAsPerson(service.baseUrl, options.tenant);
  const { demo } = service;
  const isOfDemo = options.tenant === undefined || options.tenant === demo?.tenantId;
  return demo && takesClients && isOfDemo ? openAsClient(service, demo, demo.tenantId) : undefined;
}

/** Says how to get at the API, to whom `findApi` finds nobody for. */
export function nobodyMayCall(words: string, { tenant }: ApiOptions): RefusedError {
  const of = tenant === undefined ? '' : ` of the tenant ${tenant}`;
  return new RefusedError(
    `otl ${words} calls the API: otl login, or set OTL_CLIENT_ID and OTL_CLIENT_SECRET to a management client${of}. With AWS credentials, otl --tenant ${tenant ?? '<id>'} client create --management --name otl makes one.`,
  );
}
