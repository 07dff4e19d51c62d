import { describe, expect, test } from '@jest/globals';
import type { ErrorDialect } from '../../shared/errors/catalogue.ts';
import { catalogue, type ErrorKey } from '../../shared/errors/catalogue.ts';
import { renderError } from '../../shared/errors/render.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';

// Compares error bodies with literal expected values, because the other tests use the error renderer itself.

const message = 'device_id: must have at most 80 characters';
const messages = [message, 'code: is required'];
const ID = 'Vk3mT0sQ7yXb1cA=';
const OAUTH = {
  error: 'invalid_request',
  error_description: message,
  error_code: 400,
  http_request_id: ID,
};
const invalid = new ServiceError('system_invalid_input', { message, messages });

describe('errors about invalid input in each error format', () => {
  test.each<[ErrorDialect, unknown]>([
    ['named', { error_code: 'system_invalid_input', message }],
    ['status-text', { error_code: '400', message }],
    ['numeric', { error_code: 400, message, http_request_id: ID }],
    ['numeric-list', { error_code: 400, message: messages, http_request_id: ID }],
    ['oauth', { ...OAUTH, message }],
    ['oauth-list', { ...OAUTH, message: messages }],
  ])('an input error is rendered in the error format %s', (dialect, body) => {
    expect(renderError(invalid, dialect, ID)).toEqual({ status: 400, headers: {}, body });
  });
});

describe('errors about access tokens in each error format', () => {
  const error = new ServiceError('invalid_token', { headers: { 'www-authenticate': 'Bearer' } });

  test.each<[ErrorDialect, unknown]>([
    ['named', { error_code: '401', message: 'Invalid token' }],
    ['status-text', { error_code: '401', message: 'Invalid token' }],
    ['numeric', { error_code: 401, message: 'Invalid token' }],
    ['numeric-list', { error_code: 401, message: 'Invalid token' }],
    [
      'oauth',
      {
        error: 'invalid_token',
        error_description: 'Invalid token',
        message: 'Invalid token',
        error_code: 401,
      },
    ],
  ])('an error about an invalid token is rendered in the error format %s', (dialect, body) => {
    expect(renderError(error, dialect, undefined)).toEqual({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body,
    });
  });
});

test('N025 the Retry-After header contains a whole number of seconds, at least one', () => {
  const after = (retryAfterSeconds: number) =>
    renderError(new ServiceError('rate_limited', { retryAfterSeconds }), 'numeric', undefined).headers[
      'retry-after'
    ];
  expect([after(0), after(0.2), after(59.01), after(60)]).toEqual(['1', '1', '60', '60']);
});

test('the response to an internal error does not reveal the cause', () => {
  const cause = new Error('table flows of arn:aws:dynamodb:eu-central-1:111122223333');
  expect(renderError(new ServiceError('internal_error', { cause }), 'oauth', undefined).body).toEqual({
    error: 'server_error',
    error_description: 'Internal error',
    message: 'Internal error',
    error_code: 500,
  });
});

test.each(Object.keys(catalogue) as ErrorKey[])(
  'the response body of the error %s has no field "status"',
  (key) => {
    for (const dialect of ['named', 'status-text', 'numeric', 'numeric-list', 'oauth', 'oauth-list'] as const)
      expect(renderError(new ServiceError(key), dialect, ID).body).not.toHaveProperty('status');
  },
);
