import { readRedirectUri } from '../../../shared/domain/oauth/authorization-request.ts';
import { type OpenedRequest, openPushedRequest } from '../../../shared/domain/oauth/pushed-request.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { BrowserContext } from '../../../shared/flows/browser/browser-context.ts';
import {
  type BrowserResponse,
  readResponseTarget,
  returnErrorToClient,
} from '../../../shared/flows/browser/browser-response.ts';
import type { OperationPorts, OperationRequest } from '../../../shared/operation.ts';
import type * as rows from '../rows.ts';

/** Parameters of an authorization request, with a login ID if the parameters were pushed. */
export type LoadedRequest = Pick<OpenedRequest, 'parameters'> & Partial<OpenedRequest>;

/**
 * Returns the pushed parameters, which replace the parameters of the query (RFC 9126 §4), or the query if nothing was pushed.
 */
export async function loadPushedRequest(
  ports: OperationPorts<typeof rows.authorize>,
  context: BrowserContext,
  query: OperationRequest<typeof rows.authorize>['query'],
  audit: OperationRequest<typeof rows.authorize>['audit'],
): Promise<LoadedRequest | { readonly refusal: BrowserResponse }> {
  if (query.request_uri === undefined) return { parameters: query };
  try {
    return await openPushedRequest(ports, query.request_uri, context, context.now);
  } catch (error) {
    const foreign = error instanceof ServiceError && error.key === 'request_uri_not_supported';
    if (!foreign || query.redirect_uri === undefined) throw error;
    const target = readResponseTarget(readRedirectUri(context.application, query), query);
    return { refusal: returnErrorToClient(error, target, context, audit) };
  }
}
