import { describe, expect, test } from '@jest/globals';
import {
  buildErrorResponse,
  buildRedirectUrl,
  type ResponseTarget,
} from '../../../shared/domain/oauth/authorization-answer.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const ISSUER = 'https://login.example';
const TARGET: ResponseTarget = {
  origin: 'oidc',
  redirectUri: 'https://app.example/callback',
  responseMode: 'query',
  state: 'opaque',
};

describe('error responses of the authorization endpoint', () => {
  test('an error with an OAuth error code is sent to the redirect URI together with state and issuer', () => {
    const response = buildErrorResponse(TARGET, new ServiceError('access_denied'), ISSUER);
    const { origin, pathname, searchParams } = new URL(buildRedirectUrl(response));
    expect(`${origin}${pathname}`).toBe(TARGET.redirectUri);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'opaque',
      iss: ISSUER,
    });
  });

  test.each([
    ['a programming error', new RangeError('index')],
    ['an error without an OAuth error code', new ServiceError('edge_bypassed')],
  ])(
    'the authorization endpoint rethrows %s unchanged instead of sending the error to the client',
    (_, error) => {
      expect(() => buildErrorResponse(TARGET, error, ISSUER)).toThrow(error);
    },
  );
});
