import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { invalidClient } from '../../shared/domain/oauth/client-authentication.ts';
import { isRevoked } from '../../shared/domain/oauth/client-revocations.ts';
import { runCounted } from '../../shared/domain/rate-limits/call-window.ts';
import {
  findFamily,
  isCurrentToken,
  parseRefreshToken,
  type RefreshToken,
} from '../../shared/domain/sessions/refresh-token.ts';
import { isSessionValid } from '../../shared/domain/users/user-status.ts';
import type { UseCase, UserCaller } from '../../shared/operation.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { type ConsentedTokenPorts, findActiveLogin } from '../../shared/tokens/active-token.ts';
import { type OAuthCaller, requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import {
  type VerifiedAccessToken,
  type VerifiedClientToken,
  verifyAccessToken,
} from '../../shared/tokens/verify.ts';
import type * as rows from './rows.ts';

type IntrospectionPorts = ConsentedTokenPorts & PortsWith<'signingKeys'>;

/**
 * Introspection response (RFC 7662 §2.2). For an inactive token it has only the member `active`, so that a caller who tries out
 * tokens learns nothing (§4).
 */
interface Introspection {
  readonly active: boolean;
  readonly [member: string]: unknown;
}

interface IssuerAndTime {
  readonly issuer: string;
  /** Current time in epoch seconds. */
  readonly now: number;
}

const INACTIVE: Introspection = { active: false };

const active = (members: Readonly<Record<string, unknown>>): Introspection => ({
  active: true,
  ...omitUndefined(members),
});

/**
 * Returns true if the caller may see a token: a client sees the tokens of its own application, a management client all tokens
 * of its tenant.
 */
function maySee(
  { tenant, application }: OAuthCaller,
  tenantId: string,
  applicationId: string | undefined,
): boolean {
  if (tenant.tenantId !== tenantId) return false;
  return application === undefined || application.applicationId === applicationId;
}

function common(token: VerifiedAccessToken, issuer: string) {
  const [only, ...more] = token.audience;
  return {
    iss: issuer,
    client_id: token.clientId,
    aud: more.length === 0 ? only : token.audience,
    scope: token.scope,
    token_type: token.dpopJkt === undefined ? 'Bearer' : 'DPoP',
    cnf: token.dpopJkt === undefined ? undefined : { jkt: token.dpopJkt },
    iat: token.issuedAt,
    exp: token.expiresAt,
    jti: token.jti,
    tid: token.tenantId,
  };
}

async function ofUser(
  ports: IntrospectionPorts,
  requester: OAuthCaller,
  token: UserCaller,
  { issuer, now }: IssuerAndTime,
): Promise<Introspection> {
  if (!maySee(requester, token.tenantId, token.applicationId)) return INACTIVE;
  if (!(await findActiveLogin(ports, token, now))) return INACTIVE;
  const { userId: sub, sessionId: sid, authTime: auth_time, amr, acr } = token;
  return active({ ...common(token, issuer), sub, sid, auth_time, amr, acr });
}

async function ofClient(
  ports: IntrospectionPorts,
  requester: OAuthCaller,
  token: VerifiedClientToken,
  { issuer }: IssuerAndTime,
): Promise<Introspection> {
  const client = await ports.clients.find(token.clientId, { fresh: true });
  if (!client || isRevoked(client, token) || !maySee(requester, client.tenantId, client.applicationId))
    return INACTIVE;
  return active({ ...common(token, issuer), sub: token.clientId });
}

/**
 * Introspects a refresh token. Only the client that the token was issued to gets details, because no other client can use it.
 */
async function ofRefreshToken(
  ports: IntrospectionPorts,
  requester: OAuthCaller,
  token: RefreshToken,
  { issuer, now }: IssuerAndTime,
): Promise<Introspection> {
  const [found, user] = await awaitAll(findFamily(ports, token, now), ports.users.find(token.userId));
  if (!found || !isCurrentToken(found, token) || !isSessionValid(user, found.session)) return INACTIVE;
  const { session, family } = found;
  if (session.tenantId !== requester.tenant.tenantId || family.clientId !== requester.client.clientId)
    return INACTIVE;
  return active({
    iss: issuer,
    client_id: family.clientId,
    sub: session.userId,
    scope: family.scope,
    cnf: family.dpopJkt === undefined ? undefined : { jkt: family.dpopJkt },
    iat: family.issuedAt,
    exp: family.expiresAt,
    tid: session.tenantId,
    sid: session.sessionId,
  });
}

/** Introspects an access or refresh token for a client (RFC 7662 §2). */
async function introspect(
  ports: IntrospectionPorts,
  requester: OAuthCaller,
  token: string,
  moment: IssuerAndTime,
): Promise<Introspection> {
  const refreshToken = parseRefreshToken(token);
  if (refreshToken) return ofRefreshToken(ports, requester, refreshToken, moment);
  const accessToken = await verifyAccessToken(token, await ports.signingKeys.list(), moment.issuer);
  if (!accessToken) return INACTIVE;
  return accessToken.kind === 'user'
    ? ofUser(ports, requester, accessToken, moment)
    : ofClient(ports, requester, accessToken, moment);
}

/** Reports to an authenticated client if a token is active, and returns the claims of an active token (RFC 7662). */
export const introspection: UseCase<typeof rows.introspection> = async (
  { form, request, settings, audit },
  ports,
) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  // Public clients are rejected, because an attacker can pose as one and scan for tokens (RFC 7662 §2.1).
  if (caller.client.authMethod === 'none') throw invalidClient();
  return runCounted(ports, caller, { request, settings }, async () => ({
    json: await introspect(ports, caller, form.token, { issuer: settings.issuer, now: request.now }),
  }));
};
