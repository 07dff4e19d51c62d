import { type CatalogueEntry, catalogue, type ErrorDialect } from './catalogue.ts';
import type { ServiceError } from './service-error.ts';

/** Status of errors that may contain a list of messages. */
export const LISTED_STATUS = 400;

export interface RenderedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Converts an error to a response. In SPEC sections A1 to A4, the body omits the ID of the request, because it could be
 * confused with the secret `request_id` of these operations.
 */
export function renderError(
  error: ServiceError,
  dialect: ErrorDialect,
  requestId: string | undefined,
): RenderedError {
  const entry: CatalogueEntry = catalogue[error.key];
  const { status } = entry;
  const { unknownValue } = error.detail;
  const complaint = error.detail.message ?? entry.message;
  const message =
    unknownValue === undefined
      ? complaint
      : `${complaint}: ${unknownValue} (a change takes up to a minute to be seen)`;
  const headers: Record<string, string> = { ...error.detail.headers };
  if (error.detail.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.detail.retryAfterSeconds)));

  const { extra } = entry;
  const id = requestId === undefined ? {} : { http_request_id: requestId };
  const listed = status === LISTED_STATUS ? (error.detail.messages ?? [message]) : message;
  switch (dialect) {
    case 'named':
      return { status, headers, body: { error_code: entry.named ?? String(status), message, ...extra } };
    case 'status-text':
      return { status, headers, body: { error_code: String(status), message, ...extra } };
    case 'numeric':
      return { status, headers, body: { error_code: status, message, ...extra, ...id } };
    case 'numeric-list':
      return { status, headers, body: { error_code: status, message: listed, ...extra, ...id } };
    case 'oauth':
    case 'oauth-list':
      return {
        status,
        headers,
        body: {
          error: entry.oauth ?? 'invalid_request',
          error_description: message,
          message: dialect === 'oauth' ? message : listed,
          error_code: status,
          ...id,
        },
      };
  }
}
