import { awaitAll } from '../domain/basis/await-all.ts';
import { OPERATORS_TENANT_ID } from '../domain/basis/operators.ts';
import { maskUrl, recordChanges } from '../domain/management/recorded-ports.ts';
import { CONSOLE_APPLICATION_ID, GUARDED_SECONDS, includesRole } from '../domain/operators/operators.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation, OperatorCaller, OperatorNeed, UserCaller } from '../operation.ts';
import {
  insufficientLogin,
  insufficientPermissionError,
  invalidToken,
  tokenScheme,
} from '../tokens/challenges.ts';
import { requireOwnUser } from '../tokens/own-user.ts';
import { acceptsOperators, type ImpliedPorts, listAuth } from './effective-ports.ts';
import type { Exchange } from './exchange.ts';
import { readToken } from './presented-token.ts';
import type { Answer } from './respond.ts';

// Checks for calls by operators. Only bundles of operations that accept operators contain this file.

const TENANT_HEADER = 'otl-tenant';
/** Header with the reason that an operator gives. The reason is percent-encoded, because headers are limited to ASCII. */
const REASON_HEADER = 'otl-reason';
const REASON_MAX = 200;
const TENANT_ID = /^[\w-]{1,64}$/;
/** Pattern of email addresses and phone numbers, which are replaced in a reason because a log must not contain them. */
const ADDRESSES = /\S+@\S+|\+?\d[\d ().-]{6,}/g;

/**
 * Returns true if the caller is an operator. If other users may also call the operation, the tenant header marks an operator.
 */
function isOperator(row: Operation, { request }: Exchange, { applicationId }: UserCaller): boolean {
  if (!acceptsOperators(row) || applicationId !== CONSOLE_APPLICATION_ID) return false;
  return request.headers[TENANT_HEADER] !== undefined || !listAuth(row).includes('user');
}

function readReason({ request }: Exchange): string | undefined {
  const given = request.headers[REASON_HEADER] ?? '';
  let reason = given;
  try {
    reason = decodeURIComponent(given);
  } catch {
    // The header is not percent-encoded, so it is used as it is.
  }
  return reason.slice(0, REASON_MAX).replace(ADDRESSES, '•••') || undefined;
}

const atLeast = (need: OperatorNeed) => (need === 'guarded' ? 'admin' : need);

/**
 * Checks that the operator has logged in recently. Otherwise throws `insufficient_user_authentication`, by which the client
 * asks for a new login (RFC 9470). Marks the call in the log, so that the tenant's admins are notified of it.
 */
function requireGuarded(exchange: Exchange, authTime: number): void {
  if (exchange.request.now - authTime > GUARDED_SECONDS)
    throw insufficientLogin(readToken(exchange).scheme, 'login', GUARDED_SECONDS);
  exchange.audit({ told: 'admins' });
}

/**
 * Identifies the operator of a token in the tenant that the request names. Reads accept a grant cached for up to a minute.
 * Changes read the grant, session and user uncached. An operator who was removed, suspended or logged out is then rejected
 * immediately. Errors: `invalid_token`, `insufficient_permission`, `insufficient_user_authentication`.
 */
async function identify(
  row: Operation,
  exchange: Exchange,
  ports: ImpliedPorts,
  token: UserCaller,
): Promise<OperatorCaller> {
  const { request, settings } = exchange;
  const { userId, authTime } = token;
  const scheme = tokenScheme(token);
  const { operators, tenants, clients, sessions, revokedTokens, users } = ports;
  const tenantId = request.headers[TENANT_HEADER] ?? '';
  if (!token.audience.includes(settings.defaultAudience)) throw invalidToken('audience', scheme);
  if (!operators || !tenants || !clients || !row.operators)
    throw new Error(`${row.event} does not accept operators`);
  exchange.audit({ operator: userId });
  if (!TENANT_ID.test(tenantId))
    throw insufficientPermissionError('the header OTL-Tenant must name a tenant', scheme);
  if (token.tenantId !== OPERATORS_TENANT_ID || token.acr !== 'mfa' || !token.amr.includes('webauthn'))
    throw insufficientPermissionError('needs a login by passkey and a second factor', scheme);

  const isWrite = row.method !== 'GET';
  const isGuarded = row.operators === 'guarded';
  const login = sessions && revokedTokens && users && { clients, sessions, revokedTokens, users };
  if (isWrite && !login) throw new Error(`${row.event} cannot check the login of an operator`);
  const [grant, tenant] = await awaitAll(
    operators.find({ userId, tenantId }, { fresh: isWrite }),
    tenants.find(tenantId),
    isWrite && login ? requireOwnUser(login, token, settings, request.now) : Promise.resolve(undefined),
  );
  if (grant?.state !== 'active' || grant.tenantId !== tenantId || !tenant)
    throw insufficientPermissionError('the operator has no role in this tenant', scheme);
  exchange.audit({ tenantId, ...(isWrite || isGuarded ? { reason: readReason(exchange) } : {}) });
  if (!includesRole(grant.role, atLeast(row.operators)))
    throw insufficientPermissionError(`needs the role ${atLeast(row.operators)}`, scheme);
  const guard = () => requireGuarded(exchange, authTime);
  if (isGuarded) guard();
  return { kind: 'admin', tenant, operator: { userId, role: grant.role, authTime, guard } };
}

/** Checks the role required to set each field. Errors: `insufficient_permission`, `insufficient_user_authentication`. */
function requireFields({ fieldRoles = {} }: Operation, exchange: Exchange): void {
  const { caller, json } = exchange;
  if (caller?.kind !== 'admin' || !caller.operator) return;
  const { operator } = caller;
  const given = (json ?? {}) as Readonly<Record<string, unknown>>;
  const needs = Object.entries(fieldRoles).filter(([name]) => given[name] !== undefined);
  const refused = needs.filter(([, need]) => !includesRole(operator.role, atLeast(need)));
  if (refused.length > 0)
    throw new ServiceError('insufficient_permission', {
      message: refused.map(([name, need]) => `${name}: needs the role ${atLeast(need)}`).join('; '),
    });
  if (needs.some(([, need]) => need === 'guarded')) operator.guard();
}

type Json = Readonly<Record<string, unknown>>;

/** Function that masks an email address or phone number for viewers who may not see it. Other texts stay unchanged. */
type MaskAddress = (value: string) => string;

function maskPath(
  value: unknown,
  [name, ...rest]: readonly string[],
  mask: MaskAddress | undefined,
): unknown {
  if (name === undefined) return mask && typeof value === 'string' ? mask(value) : mask && value;
  if (name === '*') return Array.isArray(value) ? value.map((each) => maskPath(each, rest, mask)) : value;
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  return { ...value, [name]: maskPath((value as Json)[name], rest, mask) };
}

/** Returns a function that masks a response for the operator's role; see `Masked` in shared/schemas. */
const maskBy =
  (address: MaskAddress) =>
  ({ masked = {} }: Operation, { caller }: Exchange, answer: Answer): Answer => {
    if (caller?.kind !== 'admin' || !caller.operator || !('json' in answer)) return answer;
    const { role } = caller.operator;
    const hidden = Object.entries(masked).filter(
      ([, how]) => !includesRole(role, how === 'called' ? 'admin' : 'support'),
    );
    const masks = { address, called: maskUrl, 'left out': undefined };
    const json = hidden.reduce(
      (seen: unknown, [path, how]) => maskPath(seen, path.split('.'), masks[how]),
      answer.json,
    );
    return { ...answer, json };
  };

/**
 * Creates the checks for operators.
 * @param address Function that masks an address or phone number; see shared/templates
 */
export const createOperatorGate = (address: MaskAddress) => ({
  isOperator,
  identify,
  requireFields,
  mask: maskBy(address),
  /** Returns ports that record the changes of an administrative call. Changes of users to their own data are not recorded. */
  recordChanges: <Ports extends object>(
    { method }: Operation,
    { caller, audit }: Exchange,
    ports: Ports,
  ): Ports =>
    method !== 'GET' && caller && caller.kind !== 'user' ? recordChanges(ports, audit, address) : ports,
});

export type OperatorGate = ReturnType<typeof createOperatorGate>;
