import { awaitAll } from '../domain/basis/await-all.ts';
import { isRevoked } from '../domain/oauth/client-revocations.ts';
import { listClientPermissions } from '../domain/oauth/permissions.ts';
import { rejectExhaustedClient } from '../domain/rate-limits/call-window.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Auth, Operation, OrgAdminCaller, UserCaller } from '../operation.ts';
import type { Application, Client, Clients, ReadOptions } from '../ports/directory.ts';
import {
  insufficientPermissionError,
  invalidToken,
  type TokenScheme,
  tokenScheme,
} from '../tokens/challenges.ts';
import { requireOrganizationAdmin } from '../tokens/organization-admin.ts';
import { findTokenFault, type VerifiedClientToken, verifyAccessToken } from '../tokens/verify.ts';
import { acceptsToken, type ImpliedPorts, listAuth } from './effective-ports.ts';
import type { Exchange } from './exchange.ts';
import type { OperatorGate } from './operators.ts';
import { checkBinding, readToken } from './presented-token.ts';

/** Returns the permissions in the token's scope, except those that have since been removed from the client's record. */
function currentPermissions(
  client: Client,
  application: Application | undefined,
  { permissions: scope }: VerifiedClientToken,
): readonly string[] {
  const own = listClientPermissions(client, application);
  return own ? scope.filter((name) => own.includes(name)) : scope;
}

/** Checks the client's permissions. Throws `insufficient_permission` with a message that lists the sufficient permissions. */
function requirePermission(
  row: Operation,
  applicationId: string,
  permissions: readonly string[],
  scheme: TokenScheme,
): void {
  const accepted = row.permissions?.map((name) => name.replace('[appId]', applicationId));
  if (accepted && !accepted.some((name) => permissions.includes(name)))
    throw insufficientPermissionError(`needs ${accepted.join(' or ')}`, scheme);
}

const CALLERS: Readonly<Partial<Record<Auth, string>>> = {
  client: 'a client of an application',
  admin: 'a management client',
  operator: 'an operator',
  user: 'a user',
  'org-admin': 'an admin of the organization',
};

/** Returns the error message with the token types that the operation accepts. */
const describeCallers = (row: Operation): string =>
  `needs the token of ${listAuth(row)
    .flatMap((kind) => CALLERS[kind] ?? [])
    .join(' or ')}`;

/** Returns the client of a token. Throws `invalid_token` if the client was deleted or if the token was revoked. */
async function requireLivingClient(
  clients: Clients,
  token: VerifiedClientToken,
  refuse: () => Promise<never>,
  options: ReadOptions,
): Promise<Client> {
  const client = await clients.find(token.clientId, options);
  if (!client || client.tenantId !== token.tenantId || isRevoked(client, token)) return refuse();
  return client;
}

/**
 * Returns a function that rejects the token of a deleted client. If the client's application was deleted too, some operations
 * respond with `application_not_found`, and all others with `invalid_token`.
 */
const createRefusal =
  (
    row: Operation,
    { applications }: ImpliedPorts,
    { applicationId }: VerifiedClientToken,
    scheme: TokenScheme,
  ) =>
  async (): Promise<never> => {
    const tells = row.reportsDeletedApplication && applications && applicationId !== undefined;
    if (tells && !(await applications.find(applicationId, { fresh: true })))
      throw new ServiceError('application_not_found');
    throw invalidToken('revoked', scheme);
  };

/**
 * Returns true if the operation reads the client's record uncached. This applies to administration and to operations that add
 * credentials. Other operations skip this read to stay fast. Their response is withheld if the count of the call, which runs in
 * parallel, shows that the token was revoked.
 */
const readsFresh = (row: Operation): boolean => listAuth(row).includes('admin') || row.freshClient === true;

async function asOrganizationAdmin(
  row: Operation,
  { settings, request }: Exchange,
  ports: ImpliedPorts,
  token: UserCaller,
): Promise<OrgAdminCaller> {
  const { clients, sessions, revokedTokens, users, memberships, organizations, tenants } = ports;
  const accepts = listAuth(row).includes('org-admin') && clients && sessions && revokedTokens && users;
  if (!accepts || !memberships || !organizations || !tenants)
    throw insufficientPermissionError(describeCallers(row), tokenScheme(token));
  const all = { clients, sessions, revokedTokens, users, memberships, organizations, tenants };
  return requireOrganizationAdmin(all, token, settings, request.now);
}

/**
 * Returns true for a call from a web page without a token. The use case must check that the page's origin belongs to the
 * application.
 */
const isPage = (row: Operation, { request }: Exchange): boolean =>
  listAuth(row).includes('origin') &&
  request.headers.authorization === undefined &&
  request.headers.origin !== undefined;

/**
 * Identifies the caller by the token's signature and the client's current record, so that removed permissions stop working
 * immediately. Runs before parsing, so that a caller without a token learns nothing about the format of requests.
 */
export async function authenticate(
  row: Operation,
  exchange: Exchange,
  ports: ImpliedPorts,
  operators?: OperatorGate,
): Promise<void> {
  const accepted = listAuth(row);
  if (!acceptsToken(row) || isPage(row, exchange)) return;
  const { signingKeys, clients, tenants, applications } = ports;
  if (!signingKeys) throw new Error(`${row.event} has no port signingKeys`);

  const presented = readToken(exchange);
  const { scheme } = presented;
  const token = await verifyAccessToken(presented.token, await signingKeys.list(), exchange.settings.issuer);
  if (!token) throw invalidToken(findTokenFault(presented.token, exchange.request.now), scheme);
  await checkBinding(exchange, ports, presented, token);
  if (operators && token.kind === 'user' && operators.isOperator(row, exchange, token)) {
    exchange.caller = await operators.identify(row, exchange, ports, token);
    return;
  }

  exchange.audit({ clientId: token.clientId, tenantId: token.tenantId });
  if (token.kind === 'user')
    exchange.audit({ userId: token.userId, sessionId: token.sessionId, applicationId: token.applicationId });

  if (token.kind === 'user') {
    if (token.consentId !== undefined && !row.acceptsConsentedTokens) throw invalidToken('audience', scheme);
    exchange.caller = accepted.includes('user')
      ? token
      : await asOrganizationAdmin(row, exchange, ports, token);
    return;
  }

  if (!token.audience.includes(exchange.settings.defaultAudience)) throw invalidToken('audience', scheme);
  if (!clients || !tenants) throw insufficientPermissionError(describeCallers(row), scheme);
  const fresh = readsFresh(row);
  const refuse = createRefusal(row, ports, token, scheme);
  if (fresh) rejectExhaustedClient(token.clientId, exchange.request.now);
  const [client, tenant] = await awaitAll(
    requireLivingClient(clients, token, refuse, { fresh }),
    tenants.find(token.tenantId),
  );
  if (!tenant) throw invalidToken('revoked', scheme);
  if (!fresh)
    exchange.recheckToken = async () => {
      await requireLivingClient(clients, token, refuse, { fresh: true });
    };

  if (client.applicationId === undefined) {
    if (!accepted.includes('admin')) throw insufficientPermissionError(describeCallers(row), scheme);
    exchange.caller = { kind: 'admin', client, tenant };
    return;
  }
  exchange.audit({ applicationId: client.applicationId });
  if (!accepted.includes('client') || !applications)
    throw insufficientPermissionError(describeCallers(row), scheme);
  const application = await applications.find(client.applicationId);
  const permissions = currentPermissions(client, application, token);
  requirePermission(row, client.applicationId, permissions, scheme);
  if (!application || application.tenantId !== tenant.tenantId) return refuse();
  exchange.caller = { kind: 'client', client, tenant, application, permissions };
}
