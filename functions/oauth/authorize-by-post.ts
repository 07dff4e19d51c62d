import { lambda } from '../../shared/aws/lambda.ts';
import { withParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { readRedirectUri, withoutEmpty } from '../../shared/domain/oauth/authorization-request.ts';
import { keepPushedRequest } from '../../shared/domain/oauth/pushed-request.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { leadBackWith, targetOf } from '../../shared/flows/hosted-login/answer-browser.ts';
import { browserContext } from '../../shared/flows/hosted-login/context.ts';
import { errorPage } from '../../shared/flows/hosted-login/error-page.ts';
import type { UseCase } from '../../shared/operation.ts';
import { authorizeByPost as operation } from '../hosted-login/rows.ts';

/**
 * F. The authorization endpoint by POST (OIDC Core §3.1.2.1). A Lax cookie does not come with a cross-site POST, so the
 * request is kept and the browser led on by a GET, which brings its cookies.
 */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { request, settings, audit } = input;
  const form = withoutEmpty(input.form);
  const context = await browserContext(ports, form.client_id, request, settings, form.ui_locales);
  const { client_id, request_uri } = form;
  const onward = (requestUri: string) => ({
    redirect: withParameters(`${settings.issuer}/auth`, { client_id, request_uri: requestUri }),
  });
  if (request_uri !== undefined) return onward(request_uri);
  const redirectUri = readRedirectUri(context.application, form);
  // What is kept here was pushed by nobody who has proven to be the client.
  if (context.client.requirePushedRequests) {
    const missing = new ServiceError('system_invalid_input', {
      message: 'request_uri: is required for this client',
    });
    return leadBackWith(missing, targetOf(redirectUri, form), context, audit);
  }
  return onward((await keepPushedRequest(ports, context.client, form)).requestUri);
};

export const handler = lambda(operation, useCase, errorPage());
