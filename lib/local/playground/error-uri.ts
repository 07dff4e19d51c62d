import { catalogue } from '../../../shared/errors/catalogue.ts';
import { areaOf } from '../../build/openapi/tags.ts';
import type { Answer } from '../gateway.ts';
import type { Match } from '../routes.ts';

const FIRST_ERROR_STATUS = 400;
const ADD_ADDRESS = 'npm run otl -- application add-redirect-uri <app_id> --uri <uri>';

/**
 * Adds `error_uri` to the JSON of an error: where a person reads about the operation (RFC 6749 §5.2). Deployed functions send
 * none: their reference is wherever its operator has put it.
 */
export function withErrorUri({ row }: Match, answer: Answer): Answer {
  const { status, headers } = answer;
  const isJson = headers['content-type']?.startsWith('application/json');
  if (status < FIRST_ERROR_STATUS || !isJson || answer.body.length === 0) return answer;
  const json = JSON.parse(answer.body.toString('utf8')) as Readonly<Record<string, unknown>>;
  if (!('error' in json || 'error_code' in json)) return answer;
  const error_uri = `${process.env.BROWSER_ORIGIN}/_local/docs#/${areaOf(row)}/${row.operationId}`;
  const isAddress = JSON.stringify(json).includes(catalogue.redirect_uri_not_allowed.message);
  const body = Buffer.from(JSON.stringify({ ...json, error_uri, ...(isAddress && { hint: ADD_ADDRESS }) }));
  return { ...answer, body, headers: { ...headers, 'content-length': String(body.length) } };
}
