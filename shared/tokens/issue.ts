import { ID_TOKEN_SECONDS } from '../domain/basis/limits.ts';
import { hashSecret, newId } from '../domain/basis/random.ts';
import type { ClaimName } from '../domain/claims/claims-request.ts';
import { listScopeClaims } from '../domain/claims/scope-claims.ts';
import { authenticationContext } from '../domain/credentials/mfa.ts';
import type { Audience } from '../domain/sessions/audience.ts';
import type { LoginInSession } from '../domain/sessions/login.ts';
import type { Client } from '../ports/directory.ts';
import { claimsNamed, claimsRequested, readRoles, type TokenSubject } from './claims.ts';
import { type JwtClaims, type SigningPorts, signJwt, USER_INFO_CLAIM } from './jws.ts';

/** Scope of user tokens in the backend flows (sections A to C of SPEC.md). */
export const USER_SCOPE = 'openid email phone offline_access';

export interface UserTokens {
  readonly accessToken: string;
  readonly idToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  readonly expiresIn: number;
}

/**
 * Returns the `fid` claim, which identifies the refresh family of an access token. The claim is a hash, because anyone who
 * knows the family's ID could revoke the family.
 */
export function familyClaim(familyId: string): string {
  return hashSecret(familyId).slice(0, 22);
}

/** Returns the claims of a user's access token (RFC 9068 §2). */
function accessClaims(login: LoginInSession, subject: TokenSubject): JwtClaims {
  const { caller, at, audience, user, familyId, dpopJkt, membership } = login;
  const forUserInfo = Object.keys(claimsRequested(caller.tenant, login.claims.userInfo, subject));
  return {
    ...claimsRequested(caller.tenant, login.claims.accessToken, subject),
    iss: login.issuer,
    sub: user.userId,
    aud: audience.aud,
    iat: at,
    exp: at + audience.accessTokenSeconds,
    jti: login.jti ?? newId(),
    scope: login.scope,
    client_id: caller.client.clientId,
    app_id: caller.application.applicationId,
    tid: user.tenantId,
    roles: readRoles(subject),
    sid: login.session.sessionId,
    ...(login.consentId === undefined ? {} : { consent_id: login.consentId }),
    ...(familyId === undefined ? {} : { fid: familyClaim(familyId) }),
    ...(dpopJkt === undefined ? {} : { cnf: { jkt: dpopJkt } }),
    auth_time: subject.authTime,
    amr: subject.amr,
    ...(subject.acr === undefined ? {} : { acr: subject.acr }),
    ...(membership ? { org_id: membership.organizationId } : {}),
    ...(user.isTest ? { test: true } : {}),
    ...(forUserInfo.length > 0 ? { [USER_INFO_CLAIM]: forUserInfo } : {}),
  };
}

/** Claims of every ID token, unless the application's ID tokens contain only requested claims. */
const ALWAYS = [
  'tid',
  'new_user',
  'email',
  'email_verified',
  'groups',
] as const satisfies readonly ClaimName[];

/**
 * Returns the claims of an ID token (OpenID Connect Core §2), including the approval data of the consumed credential (SPEC
 * "Shared request objects").
 */
function idClaims(login: LoginInSession, subject: TokenSubject): JwtClaims {
  const { caller, at, user, nonce } = login;
  const ofUser = login.idTokenClaims === 'requested' ? listScopeClaims(login.scope) : ALWAYS;
  return {
    ...claimsNamed([...ofUser, 'approval_data', 'acr', 'org_id'], subject),
    ...claimsRequested(caller.tenant, login.claims.idToken, subject),
    iss: login.issuer,
    sub: user.userId,
    aud: caller.client.clientId,
    iat: at,
    exp: at + ID_TOKEN_SECONDS,
    auth_time: subject.authTime,
    amr: subject.amr,
    ...(caller.client.backchannelLogoutUri === undefined ? {} : { sid: login.session.sessionId }),
    ...(user.isTest ? { test: true } : {}),
    ...(nonce === undefined ? {} : { nonce }),
  };
}

/**
 * Signs the access token (RFC 9068) and the ID token (OpenID Connect Core §2) of a login in parallel. `expiresIn` is in
 * seconds.
 */
export async function issueUserTokens(ports: SigningPorts, login: LoginInSession): Promise<UserTokens> {
  const { proof, membership, dpopJkt } = login;
  const { idTokenSignedResponseAlg: alg } = login.caller.client;
  const subject: TokenSubject = {
    user: login.user,
    application: login.caller.application,
    ...(membership ? { membership } : {}),
    ...authenticationContext(login.factors),
    authTime: proof.authTime ?? proof.at,
    ...(proof.approvalData ? { approvalData: proof.approvalData } : {}),
    newUser: login.newUser,
  };
  const [accessToken, idToken] = await Promise.all([
    signJwt(ports, { typ: 'at+jwt', alg }, accessClaims(login, subject)),
    signJwt(ports, { typ: 'JWT', alg }, idClaims(login, subject)),
  ]);
  return {
    accessToken,
    idToken,
    tokenType: dpopJkt === undefined ? 'Bearer' : 'DPoP',
    expiresIn: login.audience.accessTokenSeconds,
  };
}

/** Returns the ID token if the scope contains `openid`. A plain OAuth request gets no ID token (OIDC Core §3.1.2.1). */
export const idTokenFor = (scope: string, { idToken }: UserTokens): string | undefined =>
  scope.split(' ').includes('openid') ? idToken : undefined;

/**
 * Signs an access token for a client (SPEC D). `at` is the issue time in epoch seconds. `sub` is never a user ID (RFC 9700
 * §4.15).
 */
export async function issueClientToken(
  ports: SigningPorts,
  facts: {
    readonly issuer: string;
    readonly client: Client;
    /** ID of the secret with which the client authenticated. If this secret is revoked, the token is no longer valid. */
    readonly secretId: string | undefined;
    readonly audience: Audience;
    readonly scope: string;
    readonly dpopJkt: string | undefined;
    readonly at: number;
  },
): Promise<string> {
  const { client, secretId, audience, scope, dpopJkt, at } = facts;
  const kind = { typ: 'at+jwt', alg: client.idTokenSignedResponseAlg } as const;
  return signJwt(ports, kind, {
    iss: facts.issuer,
    sub: client.clientId,
    aud: audience.aud,
    iat: at,
    exp: at + audience.accessTokenSeconds,
    jti: newId(),
    scope,
    client_id: client.clientId,
    ...(client.applicationId === undefined ? {} : { app_id: client.applicationId }),
    tid: client.tenantId,
    ...(secretId === undefined ? {} : { secret_id: secretId }),
    ...(dpopJkt === undefined ? {} : { cnf: { jkt: dpopJkt } }),
    roles: client.roles ?? [],
    permissions: scope === '' ? [] : scope.split(' '),
  });
}
