import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { ClientOfTenant, Tenant } from '../../ports/directory.ts';
import { type Given, omitUndefined } from '../basis/omit-undefined.ts';
import { readClaimsRequest } from '../claims/claims-request.ts';
import { storedClaims } from '../claims/stored-claims.ts';
import { authenticationContext } from '../credentials/mfa.ts';
import { authTimeOf } from '../trust/login-time.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isByDocument } from './client-document.ts';

/** What a code stands for; `makeCode` adds hash, IDs and times. */
export type CodeFacts = Omit<
  AuthorizationCode,
  'hash' | 'familyId' | 'issuedAt' | 'expiresAt' | 'consumedAt' | 'sessionId' | 'startsSession'
> & {
  /** The session that the exchange joins; absent: it starts one. */
  readonly joinsSession?: string;
};

/** Filled in by `codeFacts`. */
type Derived = 'tenantId' | 'applicationId' | 'clientId' | 'authTime' | 'idTokenClaims';

/** What a login asks of its code. */
type RequestFacts = Pick<CodeFacts, 'origin' | 'redirectUri' | 'scope' | 'offlineAccess' | 'resources'>;

/** The user of a code, and what they have proven so far. */
type PersonFacts = Pick<CodeFacts, 'userId' | 'methods' | 'generation'>;

/** All other fields are optional: either side may give any of them. */
type OptionalFacts = Partial<Given<Omit<CodeFacts, Derived | keyof RequestFacts | keyof PersonFacts>>>;

/** Puts the facts of a code together. */
export function codeFacts(
  { tenant, application, client }: ClientOfTenant,
  request: RequestFacts & OptionalFacts,
  person: PersonFacts & OptionalFacts,
): CodeFacts {
  const isSelective = application.idTokenClaims === 'requested' || isByDocument(client);
  return omitUndefined<CodeFacts>({
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    ...request,
    ...person,
    authTime: authTimeOf(person.methods),
    // The ID tokens of backends and of redirect operations have all claims (SPEC A to C).
    idTokenClaims: request.origin === 'oidc' && isSelective ? 'requested' : undefined,
  });
}

/** What an authorization request asks of its code. Its claims are kept without their values, which may be addresses. */
export function requestFacts(tenant: Tenant, request: AuthorizationRequest): RequestFacts & OptionalFacts {
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
 * Returns the facts of the code that ends a login. Throws `access_denied` if the request demands MFA and the login does not
 * have two factors, however it came here.
 */
export function loginFacts(
  place: ClientOfTenant,
  request: AuthorizationRequest,
  person: PersonFacts & OptionalFacts,
): CodeFacts {
  if (request.requireMfa && authenticationContext(person.methods).acr !== 'mfa')
    throw new ServiceError('access_denied', { message: 'A second factor is required' });
  return codeFacts(place, requestFacts(place.tenant, request), person);
}
