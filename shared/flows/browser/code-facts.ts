import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import type { CodeFacts } from '../../domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { readClaimsRequest } from '../../domain/oauth/claims-request.ts';
import { storedClaims } from '../../domain/oauth/stored-claims.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { BrowserContext } from './browser-context.ts';

/** Who has logged in, as a code for an authorization request says it. */
export interface CodeFor {
  readonly userId: string;
  readonly methods: readonly MethodUse[];
  readonly joinsSession: string;
  readonly deliveredToHash?: string | undefined;
  readonly sealedSignUp?: string | undefined;
  readonly sealedArtifacts?: string | undefined;
}

export function codeFactsOf(
  { tenant, application, client }: Pick<BrowserContext, 'tenant' | 'application' | 'client'>,
  request: AuthorizationRequest,
  { methods, ...person }: CodeFor,
): CodeFacts {
  const authTime = methods.at(-1)?.at;
  if (authTime === undefined) throw new Error('a code needs an authentication');
  return omitUndefined<CodeFacts>({
    origin: request.origin,
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    nonce: request.nonce,
    scope: request.scope,
    offlineAccess: request.offlineAccess,
    resources: request.resources,
    claims: request.claims && storedClaims(tenant, readClaimsRequest(JSON.parse(request.claims))),
    organizationId: request.organizationId,
    dpopJkt: request.dpopJkt,
    approvalData: request.approvalData,
    ...person,
    methods,
    authTime,
  });
}
