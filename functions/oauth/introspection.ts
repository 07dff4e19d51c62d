import { lambda } from '../../shared/aws/lambda.ts';
import { clientRefused } from '../../shared/domain/oauth/client-authentication.ts';
import { counted } from '../../shared/domain/rate-limits/call-window.ts';
import type { UseCase } from '../../shared/operation.ts';
import { introspect } from '../../shared/tokens/introspect.ts';
import { requireOAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import { introspection as operation } from './rows.ts';

/** RFC 7662. Tells a client that proves who it is whether a token is active, and what it says. */
export const useCase: UseCase<typeof operation> = async ({ form, request, settings, audit }, ports) => {
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  // RFC 7662 §2.1: anybody can play a public client and scan for tokens.
  if (caller.client.authMethod === 'none') throw clientRefused();
  return counted(ports, caller, { request, settings }, async () => ({
    json: await introspect(ports, caller, form.token, settings),
  }));
};

export const handler = lambda(operation, useCase);
