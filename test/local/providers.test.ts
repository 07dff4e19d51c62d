import { describe, expect, test } from '@jest/globals';
import { providersOf } from '../../lib/local/providers.ts';

describe('social providers of the demo application', () => {
  test('are none where the environment names none', () => {
    expect(providersOf({ SOCIAL_GOOGLE_ISSUER: 'http://localhost:1', SOCIAL_LINE_CLIENT_ID: '' })).toEqual(
      {},
    );
  });

  test('may be at any issuer; its verified addresses count', () => {
    const env = {
      SOCIAL_GOOGLE_ISSUER: 'http://localhost:1',
      SOCIAL_GOOGLE_CLIENT_ID: 'id',
      SOCIAL_GOOGLE_CLIENT_SECRET: 'secret',
      SOCIAL_APPLE_ISSUER: 'http://localhost:2',
      SOCIAL_APPLE_CLIENT_ID: 'public',
    };
    expect(providersOf(env)).toEqual({
      google: {
        preference: { clientId: 'id', issuer: 'http://localhost:1', trustedForEmail: true },
        secret: { clientSecret: 'secret' },
      },
      apple: {
        preference: { clientId: 'public', issuer: 'http://localhost:2', trustedForEmail: true },
        secret: {},
      },
    });
  });

  test('speak their own dialect without one', () => {
    expect(providersOf({ SOCIAL_LINE_CLIENT_ID: 'id', SOCIAL_LINE_CLIENT_SECRET: 'secret' })).toEqual({
      line: { preference: { clientId: 'id' }, secret: { clientSecret: 'secret' } },
    });
  });
});
