import { readRedirectUri } from '../../shared/domain/authorization-request.ts';
import { keepPushedRequest } from '../../shared/domain/pushed-request.ts';
import { withParameters } from '../../shared/domain/redirect-uri.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { authorizeByPost as operation } from '../rows/browser.ts';
import { browserContext } from './context.ts';

/**
 * F. The authorization endpoint by POST (OIDC Core §3.1.2.1). A Lax cookie does not come with a cross-site POST, so the
 * request is kept and the browser led on by a GET, which brings its cookies.
 */
export const useCase: UseCase<typeof operation> = async ({ form, request, settings }, ports) => {
  const context = await browserContext(ports, form.client_id, request, settings, form.ui_locales);
  const { client_id, request_uri } = form;
  const onward = (requestUri: string) => ({
    redirect: withParameters(`${settings.issuer}/auth`, { client_id, request_uri: requestUri }),
  });
  if (request_uri !== undefined) return onward(request_uri);
  readRedirectUri(context.application, form);
  return onward((await keepPushedRequest(ports, context.client, form)).requestUri);
};

export const handler = lambda(operation, useCase);
