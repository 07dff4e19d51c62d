import { lambda } from '../../shared/aws/lambda.ts';
import { together } from '../../shared/domain/basis/await-all.ts';
import type { UseCase } from '../../shared/operation.ts';
import { insufficient, invalidToken } from '../../shared/tokens/challenges.ts';
import { findLivingSession } from '../../shared/tokens/living-token.ts';
import { userInfo as claimsOf } from '../../shared/tokens/user-info.ts';
import { userInfo as operation } from './rows.ts';

/** OIDC Core §5.3. The user of an access token, as far as its scope goes and as long as the login lives. */
export const useCase: UseCase<typeof operation> = async ({ caller, settings }, ports) => {
  const scheme = caller.dpopJkt === undefined ? 'Bearer' : 'DPoP';
  // A token for another resource is not for this one (RFC 9068 §4).
  if (!caller.audience.includes(settings.defaultAudience)) throw invalidToken(scheme);
  if (!caller.scope.split(' ').includes('openid')) throw insufficient(scheme);
  const [session, user] = await together(findLivingSession(ports, caller), ports.users.find(caller.userId));
  if (!session || user?.tenantId !== caller.tenantId || user.status === 'Disabled')
    throw invalidToken(scheme);
  return { json: claimsOf(user, caller.scope) };
};

export const handler = lambda(operation, useCase);
