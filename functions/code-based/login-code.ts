import { readCode } from '../../shared/domain/oauth/authorization-code.ts';
import { type CodeFacts, codeFacts } from '../../shared/domain/oauth/code-facts.ts';
import type { CodeBasedRequest } from '../../shared/domain/sending/code-based-login.ts';
import type { AuditContext, ClientCaller } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';

/** What the code of a login of section C stands for. A refresh token always comes with its tokens. */
export function codeBasedFacts(
  caller: ClientCaller,
  { resource, ...request }: CodeBasedRequest,
  person: Parameters<typeof codeFacts>[2],
): CodeFacts {
  const resources = resource === undefined ? [] : [resource];
  const granted = { origin: 'code-based', scope: USER_SCOPE, offlineAccess: true, resources } as const;
  return codeFacts(caller, { ...request, ...granted }, person);
}

/** The code of section C that a browser opens, alive or not. */
export async function findCode(
  ports: Using<'codes.find'>,
  code: string,
  audit: (context: AuditContext) => void,
): Promise<AuthorizationCode | undefined> {
  const record = await readCode(ports, code);
  if (record?.origin !== 'code-based') return undefined;
  const { userId, tenantId, applicationId, clientId } = record;
  audit({ userId, tenantId, applicationId, clientId });
  return record;
}
