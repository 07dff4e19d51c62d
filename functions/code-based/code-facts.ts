import { type CodeFacts, codeFacts } from '../../shared/domain/oauth/code-facts.ts';
import type { CodeBasedRequest } from '../../shared/domain/sending/code-based-login.ts';
import type { ClientCaller } from '../../shared/operation.ts';
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
