import { ID_TOKEN_SECONDS } from '../domain/basis/limits.ts';
import { hashSecret, newId } from '../domain/basis/random.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import type { AuthenticationProof } from '../domain/credentials/authentication-proof.ts';
import { authenticationContext } from '../domain/credentials/mfa.ts';
import type { ClaimsRequest } from '../domain/oauth/claims-request.ts';
import type { Audience } from '../domain/sessions/audience.ts';
import type { Application, Client, Tenant } from '../ports/directory.ts';
import type { Session } from '../ports/flows.ts';
import type { Membership, User } from '../ports/people.ts';
import { claimsNamed, claimsRequested, rolesOf, type TokenSubject } from './claims.ts';
import { type JwtClaims, type SigningPorts, signJwt } from './jws.ts';

/** What a user token of the backend flows grants: identity, addresses, refresh. */
export const USER_SCOPE = 'openid email phone offline_access';

export interface UserTokenFacts {
  /** Without a consumed credential there are no tokens. */
  readonly proof: AuthenticationProof;
  readonly issuer: string;
  readonly tenant: Tenant;
  readonly client: Client;
  readonly application: Application;
  readonly user: User;
  readonly newUser: boolean;
  readonly session: Session;
  readonly membership?: Membership;
  readonly audience: Audience;
  readonly scope: string;
  readonly claims: ClaimsRequest;
  /** The refresh family that the tokens belong to: when it is revoked, they are (RFC 7009 §2.1). */
  readonly familyId?: string;
  readonly nonce?: string;
  /** RFC 9449 §6: the key that the access token is bound to. */
  readonly dpopJkt?: string;
  /** Of tokens that are issued once more after a lost answer: the same as the first time. */
  readonly reissue?: Reissue;
}

/** What tells two issues of one token apart. */
export interface Reissue {
  readonly jti: string;
  readonly at: number;
}

export interface UserTokens {
  readonly accessToken: string;
  readonly idToken: string;
  readonly tokenType: 'Bearer' | 'DPoP';
  readonly expiresIn: number;
}

/**
 * Names a refresh family in an access token. A hash, because whoever knows the family's ID can end it: an old refresh
 * token proves itself by it.
 */
export function familyClaim(familyId: string): string {
  return hashSecret(familyId).slice(0, 22);
}

/** RFC 9068 §2: an access token as JWT. */
function accessClaims(facts: UserTokenFacts, subject: TokenSubject, { at, jti }: Reissue): JwtClaims {
  return {
    ...claimsRequested(facts.tenant, facts.claims.accessToken, subject),
    iss: facts.issuer,
    sub: facts.user.userId,
    aud: facts.audience.uri,
    iat: at,
    exp: at + facts.audience.accessTokenSeconds,
    jti,
    scope: facts.scope,
    client_id: facts.client.clientId,
    app_id: facts.application.applicationId,
    tid: facts.user.tenantId,
    roles: rolesOf(subject),
    sid: facts.session.sessionId,
    ...(facts.familyId === undefined ? {} : { fid: familyClaim(facts.familyId) }),
    ...(facts.dpopJkt === undefined ? {} : { cnf: { jkt: facts.dpopJkt } }),
    auth_time: subject.authTime,
    amr: subject.amr,
    ...(subject.acr === undefined ? {} : { acr: subject.acr }),
    ...(facts.membership ? { org_id: facts.membership.organizationId } : {}),
  };
}

/** OIDC Core §2. The approval data of the consumed credential is part of it (SPEC "Shared request objects"). */
function idClaims(facts: UserTokenFacts, subject: TokenSubject, { at }: Reissue): JwtClaims {
  return {
    ...claimsNamed(['email', 'email_verified', 'groups', 'approval_data', 'acr', 'org_id'], subject),
    ...claimsRequested(facts.tenant, facts.claims.idToken, subject),
    iss: facts.issuer,
    sub: facts.user.userId,
    aud: facts.client.clientId,
    iat: at,
    exp: at + ID_TOKEN_SECONDS,
    auth_time: subject.authTime,
    amr: subject.amr,
    tid: facts.user.tenantId,
    new_user: facts.newUser,
    ...(facts.nonce === undefined ? {} : { nonce: facts.nonce }),
  };
}

/** Access and ID token of a login, signed side by side. */
export async function issueUserTokens(ports: SigningPorts, facts: UserTokenFacts): Promise<UserTokens> {
  const { proof, membership } = facts;
  const subject: TokenSubject = {
    user: facts.user,
    application: facts.application,
    ...(membership ? { membership } : {}),
    ...authenticationContext(facts.session.methods),
    authTime: proof.at,
    ...(proof.approvalData ? { approvalData: proof.approvalData } : {}),
  };
  const issue = facts.reissue ?? { jti: newId(), at: nowSeconds() };
  const [accessToken, idToken] = await Promise.all([
    signJwt(ports, 'at+jwt', accessClaims(facts, subject, issue)),
    signJwt(ports, 'JWT', idClaims(facts, subject, issue)),
  ]);
  return {
    accessToken,
    idToken,
    tokenType: facts.dpopJkt === undefined ? 'Bearer' : 'DPoP',
    expiresIn: facts.audience.accessTokenSeconds,
  };
}

/** SPEC D: a client access token. Its subject is the client itself, which no user ID can be (RFC 9700 §4.15). */
export async function issueClientToken(
  ports: SigningPorts,
  facts: {
    readonly issuer: string;
    readonly client: Client;
    readonly audience: Audience;
    readonly scope: string;
    readonly dpopJkt: string | undefined;
    readonly at: number;
  },
): Promise<string> {
  const { client, audience, scope, dpopJkt, at } = facts;
  return signJwt(ports, 'at+jwt', {
    iss: facts.issuer,
    sub: client.clientId,
    aud: audience.uri,
    iat: at,
    exp: at + audience.accessTokenSeconds,
    jti: newId(),
    scope,
    client_id: client.clientId,
    ...(client.applicationId === undefined ? {} : { app_id: client.applicationId }),
    tid: client.tenantId,
    ...(dpopJkt === undefined ? {} : { cnf: { jkt: dpopJkt } }),
    roles: client.roles ?? [],
    permissions: scope === '' ? [] : scope.split(' '),
  });
}
