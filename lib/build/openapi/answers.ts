import type { GenericSchema } from 'valibot';
import { RETRY } from '../../../shared/domain/support/event-words.ts';
import type { ErrorDialect } from '../../../shared/errors/catalogue.ts';
import { type CatalogueEntry, catalogue, type ErrorKey } from '../../../shared/errors/catalogue.ts';
import { LISTED_STATUS, renderError } from '../../../shared/errors/render.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { listErrors } from '../../../shared/http/errors-of.ts';
import type { Operation } from '../../../shared/operation.ts';
import { COMPONENTS } from './json-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const integer = { type: 'integer' };

const message = {
  type: 'string',
  description: 'What is wrong, for developers. The wording may change.',
  examples: ['passcode must be a string'],
};
const messages = {
  type: 'array',
  items: text,
  description: 'List of everything that is wrong, for developers. The wording may change.',
  examples: [['name must be a string', 'uri is missing']],
};
const named = { ...text, description: 'Name of the error, or the HTTP status in digits.', examples: ['400'] };
const digits = { ...text, description: 'The HTTP status in digits.', examples: ['400'] };
const status = { ...integer, description: 'The HTTP status.', examples: [400] };
const oauthMembers = {
  error: { ...text, description: 'Registered name of the error.', examples: ['invalid_request'] },
  error_description: { ...message, description: 'What is wrong, in one text.' },
};
/** Additional member in the body of an error that requires a new login (RFC 9470 §3). */
const stepUp = {
  error: {
    const: 'insufficient_user_authentication',
    description: 'Only if the operation requires a new login.',
  },
};
const EXAMPLE_ID = 'Vk3mT0sQ7yXb1cA=';
const traced = {
  http_request_id: {
    ...text,
    description: 'The ID of this request in the log, as in `X-Request-Id`.',
    examples: [EXAMPLE_ID],
  },
};
const record = (properties: Json, optional: Json = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

const ERROR_SCHEMA: Readonly<Record<ErrorDialect, string>> = {
  named: 'NamedError',
  'status-text': 'StatusTextError',
  numeric: 'NumericError',
  'numeric-list': 'NumericError',
  oauth: 'OAuthError',
  'oauth-list': 'OAuthError',
};

/** Schemas that replace those of `ERROR_SCHEMA` for errors whose `message` is a list. */
const LIST_SCHEMA: Readonly<Partial<Record<ErrorDialect, string>>> = {
  'numeric-list': 'NumericListError',
  'oauth-list': 'OAuthListError',
};

const schemaName = (dialect: ErrorDialect, status: number): string =>
  (status === LISTED_STATUS && LIST_SCHEMA[dialect]) || ERROR_SCHEMA[dialect];

/** Schemas of all error bodies (SPEC "Errors"), by name. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  NamedError: {
    description: 'The name of the error, or the HTTP status as text.',
    ...record({ error_code: named, message }),
  },
  StatusTextError: { description: 'The HTTP status as text.', ...record({ error_code: digits, message }) },
  NumericError: {
    description: 'The HTTP status as a number.',
    ...record({ error_code: status, message }, { ...stepUp, ...traced }),
  },
  NumericListError: {
    description: 'The HTTP status as a number, and a list of messages.',
    ...record({ error_code: status, message: messages }, traced),
  },
  OAuthError: {
    description: 'The members of RFC 6749 and the HTTP status as a number.',
    ...record({ ...oauthMembers, message, error_code: status }, traced),
  },
  OAuthListError: {
    description: 'The members of RFC 6749, the HTTP status as a number, and a list of messages.',
    ...record({ ...oauthMembers, message: messages, error_code: status }, traced),
  },
};

export const answerHeaders: Readonly<Record<string, Json>> = {
  RequestId: { description: 'The ID of this request in the log.', schema: text },
  RetryAfter: {
    description: 'Seconds to wait before the request may be repeated.',
    schema: integer,
    example: 30,
  },
  Challenge: { description: 'How to authenticate (RFC 9110 §11.6.1).', schema: text, example: 'Bearer' },
  Location: {
    description: 'URL to which the browser is redirected.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://app.example.com/complete?code=Vd0sXg8kq1m2',
  },
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { 'X-Request-Id': header('RequestId') };

function errorHeaders(status: number, keys: readonly ErrorKey[]): Json {
  return {
    ...everyAnswer,
    ...(status === 401 || status === 403 ? { 'WWW-Authenticate': header('Challenge') } : {}),
    ...(status === 429 || status === 503 || keys.includes('auth_locked')
      ? { 'Retry-After': header('RetryAfter') }
      : {}),
  };
}

/**
 * Describes the body of all errors with one status. Errors of the same format share one schema, so that generated clients have
 * few types. Each error has its own example.
 */
function errorContent(dialect: ErrorDialect, status: number, keys: readonly ErrorKey[]): Json {
  const examples = keys.map((key) => {
    const { failedLogin }: CatalogueEntry = catalogue[key];
    const value = renderError(new ServiceError(key), dialect, EXAMPLE_ID).body;
    return [key, { ...(failedLogin && { summary: RETRY[failedLogin.retry] }), value }] as const;
  });
  return {
    'application/json': {
      schema: { $ref: `${COMPONENTS}${schemaName(dialect, status)}` },
      examples: Object.fromEntries(examples),
    },
  };
}

interface ErrorAnswer {
  readonly status: number;
  readonly name: string;
  readonly answer: Json;
}

const pageOrFile = (output: object) =>
  'file' in output
    ? { description: 'A file', content: { 'application/json': { schema: { type: 'object' } } } }
    : { description: 'A page', content: page };

const page = { 'text/html': { schema: text } };

/**
 * Describes the error responses of an operation, one for each status. The name of a response lists its errors, so that
 * references are readable.
 */
function errorAnswers(row: Operation): readonly ErrorAnswer[] {
  const byStatus = Map.groupBy(listErrors(row), (key) => catalogue[key].status);
  return [...byStatus].map(([status, unsorted]) => {
    const keys = unsorted.toSorted();
    const messages = keys.map((key) => (catalogue[key] as CatalogueEntry).message);
    const pages = row.errorPage ? page : {};
    return {
      status,
      name: [schemaName(row.dialect, status), ...keys, ...Object.keys(pages).map(() => 'page')].join('.'),
      answer: {
        description: [...new Set(messages)].join('. '),
        headers: errorHeaders(status, keys),
        content: { ...errorContent(row.dialect, status, keys), ...pages },
      },
    };
  });
}

/** Returns the distinct error responses of all operations in alphabetical order. */
export function errorResponses(rows: readonly Operation[]): Record<string, Json> {
  const answers = rows.flatMap(errorAnswers).map(({ name, answer }) => [name, answer] as const);
  return Object.fromEntries(answers.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Description of the response to a prefetch request (`Sec-Purpose`, Fetch standard), which consumes no link or code. */
const PREFETCHED = 'Nothing was done, because the browser only prefetched the page (`Sec-Purpose: prefetch`)';

const LATER = 'The change is already effective, and the service removes the remaining data in the background';

function successAnswers(
  { output, reach }: Operation,
  named: ReadonlyMap<GenericSchema, string>,
): Record<string, Json> {
  if ('json' in output) {
    const schema = { $ref: `${COMPONENTS}${named.get(output.json)}` };
    const content = { 'application/json': { schema } };
    return { [output.status]: { description: 'Success', headers: everyAnswer, content } };
  }
  const shown = {
    ...('html' in output ? { 200: { ...pageOrFile(output), headers: everyAnswer } } : {}),
    ...(reach === 'browser' ? { 204: { description: PREFETCHED, headers: everyAnswer } } : {}),
  };
  if (output.status === 200) return shown;
  if (output.status === 204)
    return {
      204: { description: 'Success', headers: everyAnswer },
      ...(output.orLater && { 202: { description: LATER, headers: everyAnswer } }),
    };
  const headers = { ...everyAnswer, Location: header('Location') };
  return { ...shown, [output.status]: { description: 'A redirect', headers } };
}

/** Describes all responses of an operation by status, in ascending order, because JavaScript sorts numeric keys. */
export function describeAnswers(
  row: Operation,
  named: ReadonlyMap<GenericSchema, string>,
): Record<string, Json> {
  const errors = errorAnswers(row).map(({ status, name }) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  return { ...successAnswers(row, named), ...Object.fromEntries(errors) };
}
