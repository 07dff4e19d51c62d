import { describe, expect, test } from '@jest/globals';
import { fallback } from '../../functions/fallback.ts';
import type { ServiceError } from '../../shared/errors/service-error.ts';

type Input = Parameters<typeof fallback>[0];
const answer = (path: string, method = 'GET', areas: unknown = 'all') => {
  const settings = { areas, issuer: 'https://login.example.com/oidc' };
  const input = { request: { path, method }, settings } as unknown as Input;
  return fallback(input, {}).catch(({ key, detail }: ServiceError) => ({ key, ...detail }));
};

describe('requests without a route', () => {
  test.each([
    ['/', 'numeric'],
    ['/v1/nothing', 'numeric'],
    ['/v1/users/nothing/x', 'numeric'],
    ['/v1/auth/nothing', 'status-text'],
    ['/v1/auth/otp/nothing', 'named'],
    ['/oidc', 'numeric'],
    ['/oidc/nothing', 'oauth'],
  ])('the error about the unknown path %s has the format %s', async (path, dialect) => {
    expect(await answer(path)).toEqual({ key: 'not_found', dialect });
  });

  test('the error about another discovery path names the right one', async () => {
    expect(await answer('/.well-known/oauth-authorization-server/oidc')).toMatchObject({
      message: expect.stringContaining('https://login.example.com/oidc/.well-known/openid-configuration'),
    });
  });

  test('the error about a method lists the methods of the most specific path', async () => {
    const headers = { allow: 'GET, HEAD' };
    expect(await answer('/v1/resources/uri', 'DELETE')).toEqual({
      ...{ key: 'method_not_allowed', dialect: 'numeric', headers },
    });
    expect(await answer('/v1/resources/uri', 'OPTIONS')).toEqual({ none: true, headers });
  });

  test('an operation of an area that is not deployed is unknown', async () => {
    expect(await answer('/v1/resources/uri', 'DELETE', ['oauth'])).toMatchObject({ key: 'not_found' });
  });
});
