import { lambda } from '../../shared/aws/lambda.ts';
import { counted } from '../../shared/domain/rate-limits/call-window.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { revokeToken } from '../../shared/tokens/revoke.ts';
import { revocation as operation } from './rows.ts';

/** RFC 7009. Takes a token of the client back. */
export const useCase: UseCase<typeof operation> = async ({ form, request, settings, audit }, ports) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  return counted(ports, caller, { request, settings }, async () => {
    await revokeToken(ports, caller.client, form.token, settings);
    return { json: {} };
  });
};

export const handler = lambda(operation, useCase);
