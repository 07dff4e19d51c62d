import { channel } from 'node:diagnostics_channel';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { renderError } from '../errors/render.ts';
import { ServiceError } from '../errors/service-error.ts';
import type {
  Operation,
  OperationPorts,
  OperationRequest,
  OperationRow,
  Settings,
  UseCase,
} from '../operation.ts';
import { admit, toFailureResponse } from './admit.ts';
import type { authenticate } from './authenticate.ts';
import { acceptsOperators, acceptsToken, type ImpliedPorts } from './effective-ports.ts';
import { type Exchange, receive } from './exchange.ts';
import { logRequest, type Outcome, refusedFields } from './log.ts';
import type { OperatorGate } from './operators.ts';
import { parse } from './parse.ts';
import { DEFAULT_PATH, listAnsweredMethods } from './path.ts';
import { type Answer, respond, respondError, respondOptions } from './respond.ts';

/** Channel through which the local server and tests receive responses. */
const answers = channel('otl:answer');

export type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

interface FailedRequest {
  readonly request: OperationRequest<OperationRow>['request'];
  /** Query of the URL before validation. It may be the invalid part of the request. */
  readonly query: URLSearchParams;
}

/** Function that renders the error page of an operation that browsers request. If it returns undefined, the error is JSON. */
export type ErrorPage = (
  error: ServiceError,
  failed: FailedRequest,
) => { readonly html: string; readonly headers: Readonly<Record<string, string>> } | undefined;

export interface Wiring<Row extends Operation> {
  readonly ports: OperationPorts<Row>;
  readonly settings: Settings;
}

/** Parts of `serve` that only some operations need. Other operations do not bundle them. */
export interface OptionalParts {
  readonly errorPage?: ErrorPage | undefined;
  readonly authenticate?: typeof authenticate | undefined;
  readonly operators?: OperatorGate | undefined;
}

type Request = middy.Request<APIGatewayProxyEventV2 | Exchange>;

function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
}

function failedRequest({ request, event }: Exchange): FailedRequest {
  return { request, query: new URLSearchParams(event.rawQueryString) };
}

/** Adds the record ID in the request's path to the log line. */
function noteRecord({ record = '' }: Operation, { path, audit }: Exchange): void {
  const recordId = (path as Readonly<Record<string, string>> | undefined)?.[record];
  if (recordId !== undefined) audit({ recordId });
}

function settle(row: Operation, exchange: Exchange, outcome: Outcome): void {
  logRequest(row, exchange, outcome);
  if (answers.hasSubscribers)
    answers.publish({
      operation: row,
      status: outcome.status,
      errorKey: outcome.errorKey,
      error: outcome.error,
    });
}

/**
 * Creates the handler of an operation, which is the same in the cloud, locally and in tests. Steps: receive → edge check →
 * preflight → authenticate → admit → parse → **use case** → respond, or an error response.
 */
export function serve<Row extends Operation>(
  row: Row,
  useCase: UseCase<Row>,
  { ports, settings }: Wiring<Row>,
  { errorPage, authenticate, operators }: OptionalParts = {},
): Handler {
  if (acceptsToken(row) && !authenticate)
    throw new Error(`${row.event} takes tokens but has no authentication`);
  if (acceptsOperators(row) && !operators)
    throw new Error(`${row.event} accepts operators but has no operator gate`);
  const implied = ports as ImpliedPorts;
  const of = (request: Request): Exchange => request.event as Exchange;

  const answering = {
    before: (request: Request) => {
      request.event = receive(row, request.event as APIGatewayProxyEventV2, settings);
    },
    after: (request: Request) => {
      const answer = request.response as Answer;
      const response = respond(row, of(request), operators?.mask(row, of(request), answer) ?? answer);
      settle(row, of(request), { status: response.statusCode ?? 200 });
      request.response = response;
    },
    onError: (request: Request) => {
      const error = asServiceError(request.error);
      const { requestId } = of(request).request;
      const rendered = renderError(error, error.detail.dialect ?? row.dialect, requestId);
      if (error.detail.audit) of(request).audit(error.detail.audit);
      settle(row, of(request), {
        status: rendered.status,
        errorKey: error.key,
        error: error.detail.cause,
        fields: refusedFields(error),
        asked: error.detail.unknownValue,
      });
      const page = errorPage?.(error, failedRequest(of(request)));
      request.response = page
        ? respond(row, of(request), {
            ...page,
            status: rendered.status,
            headers: { ...rendered.headers, ...page.headers },
          })
        : respondError(row, of(request), rendered);
    },
  };
  const edge = {
    before: (request: Request) => {
      if (!of(request).fromEdge) throw new ServiceError('edge_bypassed');
    },
  };
  const preflight = {
    before: (request: Request) => {
      const { method } = of(request).request;
      if (method === 'OPTIONS' && row.cors !== 'none') return respondOptions(row, of(request));
      if (!of(request).pathParameters) throw new ServiceError('not_found');
      // A function URL accepts every method, unlike the gateway's routes.
      const allowed = listAnsweredMethods(row);
      if (!allowed.includes(method) && row.path !== DEFAULT_PATH)
        throw new ServiceError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
      return undefined;
    },
  };
  const authentication = {
    before: (request: Request) => authenticate?.(row, of(request), implied, operators),
  };
  const admission = {
    before: (request: Request) => {
      const admitted = admit(row, of(request), implied);
      // This promise is awaited below, after the use case. Until then, a rejection must not count as unhandled.
      admitted.catch(() => {});
      of(request).admission = admitted;
    },
    after: (request: Request) => of(request).admission,
    onError: async (request: Request) => {
      await of(request).admission?.catch((refusal: unknown) => {
        // A caller with a revoked token gets this error instead of the operation's own error.
        request.error = refusal as Error;
      });
      request.error = (await toFailureResponse(row, of(request), implied, request.error)) as Error;
    },
  };
  const parsing = {
    before: (request: Request) => {
      parse(row, of(request));
      operators?.requireFields(row, of(request));
      noteRecord(row, of(request));
    },
  };

  return middy({ timeoutEarlyInMillis: 0 })
    .use([answering, edge, preflight, authentication, admission, parsing])
    .handler((exchange: unknown) =>
      useCase(
        exchange as OperationRequest<Row>,
        operators?.recordChanges(row, exchange as Exchange, ports) ?? ports,
      ),
    ) as unknown as Handler;
}
