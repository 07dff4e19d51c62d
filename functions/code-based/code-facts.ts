import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import type { ApprovalData } from '../../shared/domain/credentials/approval-data.ts';
import type { CodeFacts } from '../../shared/domain/oauth/authorization-code.ts';
import type { CodeBasedRequest } from '../../shared/domain/sending/code-based-login.ts';
import type { ClientCaller } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';

/** Who has proven what. */
export interface ProvenPerson {
  readonly userId: string;
  readonly use: MethodUse;
  readonly deliveredToHash: string | undefined;
  readonly sealedSignUp: string | undefined;
  readonly approvalData?: ApprovalData | undefined;
  readonly nonce?: string | undefined;
}

/** What the code of a login of section C stands for. A refresh token always comes with its tokens. */
export function codeFactsOf(
  { client, application, tenant }: ClientCaller,
  request: CodeBasedRequest,
  { use, ...person }: ProvenPerson,
): CodeFacts {
  return omitUndefined<CodeFacts>({
    origin: 'code-based',
    tenantId: tenant.tenantId,
    applicationId: application.applicationId,
    clientId: client.clientId,
    redirectUri: request.redirectUri,
    scope: USER_SCOPE,
    offlineAccess: true,
    resources: request.resource === undefined ? [] : [request.resource],
    claims: request.claims,
    organizationId: request.organizationId,
    requireMfa: request.requireMfa,
    userAgent: request.userAgent,
    ipAddress: request.ipAddress,
    ...person,
    methods: [use],
    authTime: use.at,
  });
}
