import { DEFAULT_PATH } from '../../../shared/http/path.ts';
import { findTag } from '../../build/openapi/tags.ts';
import type { Answer } from '../gateway.ts';
import type { Match } from '../routes.ts';
import { FIRST_ERROR_STATUS } from './hints.ts';

/** Name of the header that contains the hint for developers. */
export const HINT_HEADER = 'local-hint';

/**
 * Adds the hint to a response, and adds `error_uri` to the JSON of an error. The URI leads to the operation in the local API
 * reference (RFC 6749 §5.2). Deployed functions send neither, because they do not know where their reference is published.
 */
export function withErrorUri({ row }: Match, answer: Answer, hint: string | undefined): Answer {
  const { status } = answer;
  const headers = hint === undefined ? answer.headers : { ...answer.headers, [HINT_HEADER]: hint };
  const isJson = headers['content-type']?.startsWith('application/json');
  if (status < FIRST_ERROR_STATUS || !isJson || answer.body.length === 0) return { ...answer, headers };
  const json = JSON.parse(answer.body.toString('utf8')) as Readonly<Record<string, unknown>>;
  if (!('error' in json || 'error_code' in json)) return { ...answer, headers };
  // The fallback operation for unknown paths has no section in the reference.
  const section = row.path === DEFAULT_PATH ? '' : `#/${findTag(row)}/${row.operationId}`;
  const error_uri = `${process.env.BROWSER_ORIGIN}/_local/docs${section}`;
  const body = Buffer.from(JSON.stringify({ ...json, error_uri, ...(hint !== undefined && { hint }) }));
  return { ...answer, body, headers: { ...headers, 'content-length': String(body.length) } };
}
