import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { ClientOfTenant, Tenant } from '../../ports/directory.ts';
import { omitUndefined, type WithUndefined } from '../basis/omit-undefined.ts';
import { readClaimsRequest } from '../claims/claims-request.ts';
import { storedClaims } from '../claims/stored-claims.ts';
import { authenticationContext } from '../credentials/mfa.ts';
import { findLatestAuthTime } from '../trust/login-time.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isDocumentClient } from './client-document.ts';

/** Data that is stored with an authorization code. `createAuthorizationCode` adds the code's hash, IDs and times. */
export type CodeFacts = Omit<
  AuthorizationCode,
  'hash' | 'familyId' | 'issuedAt' | 'expiresAt' | 'consumedAt' | 'sessionId' | 'startsSession'
> & {
  /** ID of the session that the exchange joins. Absent if the exchange starts a new session. */
  readonly joinsSession?: string;
};

/** Fields of an authorization code that `buildCodeFacts` derives itself. */
type DerivedFields = 'tenantId' | 'applicationId' | 'clientId' | 'authTime' | 'idTokenClaims';

/** Fields of an authorization code that come from the login's request. */
type RequestFacts = Pick<CodeFacts, 'origin' | 'redirectUri' | 'scope' | 'offlineAccess' | 'resources'>;

/** Fields of an authorization code that describe the user and what they have proven so far. */
type UserFacts = Pick<CodeFacts, 'userId' | 'methods' | 'generation'>;

/** Other fields of an authorization code. All of them are optional, and come from the request or the user's data. */
type OptionalFacts = Partial<
  WithUndefined<Omit<CodeFacts, DerivedFields | keyof RequestFacts | keyof UserFacts>>
>;

/** Combines the data of a client, a request and a user into the data of an authorization code. */
export function buildCodeFacts(
  { tenant, application, client }: ClientOfTenant,
  request: RequestFacts & OptionalFacts,
  user: UserFacts & OptionalFacts,
): CodeFacts {
  const isSelective = application.idTokenClaims === 'requested' || isDocumentClient(client);
  return omitUndefined<CodeFacts>({
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    ...request,
    ...user,
    authTime: findLatestAuthTime(user.methods),
    // The ID tokens of backends and of redirect operations contain all claims (SPEC A to C).
    idTokenClaims: request.origin === 'oidc' && isSelective ? 'requested' : undefined,
  });
}

/** Derives the fields of an authorization code from its request. The values of claims are left out: they may be addresses. */
export function readRequestFacts(
  tenant: Tenant,
  request: AuthorizationRequest,
): RequestFacts & OptionalFacts {
  const { origin, redirectUri, codeChallenge, provenClient, nonce, scope, offlineAccess, resources } =
    request;
  const { claims, organizationId, dpopJkt, approvalData, consentId } = request;
  return {
    origin,
    redirectUri,
    codeChallenge,
    provenClient,
    nonce,
    scope,
    offlineAccess,
    resources,
    consentId,
    organizationId,
    dpopJkt,
    approvalData,
    claims: claims && storedClaims(tenant, readClaimsRequest(JSON.parse(claims))),
  };
}

/**
 * Returns the data of the code that completes a login of any kind. Errors: `access_denied` if the request requires MFA and the
 * login does not have two factors.
 */
export function buildLoginFacts(
  owner: ClientOfTenant,
  request: AuthorizationRequest,
  user: UserFacts & OptionalFacts,
): CodeFacts {
  if (request.requireMfa && authenticationContext(user.methods).acr !== 'mfa')
    throw new ServiceError('access_denied', { message: 'A second factor is required' });
  return buildCodeFacts(owner, readRequestFacts(owner.tenant, request), user);
}
