import { describe, expect, test } from '@jest/globals';
import { providersOf } from '../../lib/local/providers.ts';
import { PROVIDERS } from '../../shared/records/providers.ts';

describe('social providers of the demo application', () => {
  test('are none where the environment names none', () => {
    expect(providersOf({ SOCIAL_GOOGLE_ISSUER: 'http://localhost:1', SOCIAL_LINE_CLIENT_ID: '' })).toEqual(
      {},
    );
  });

  test.each(PROVIDERS)('may be any OpenID provider in place of %s; its verified addresses count', (name) => {
    const [clientId, issuer, clientSecret] = ['id', 'http://localhost:1', 'secret'];
    const prefix = `SOCIAL_${name.toUpperCase()}`;
    const client = { [`${prefix}_ISSUER`]: issuer, [`${prefix}_CLIENT_ID`]: clientId };
    const preference = { clientId, issuer, trustedForEmail: true };
    expect(providersOf(client)).toEqual({ [name]: { preference, secret: {} } });
    expect(providersOf({ ...client, [`${prefix}_CLIENT_SECRET`]: clientSecret })).toEqual({
      [name]: { preference, secret: { clientSecret } },
    });
  });

  test('speak their own dialect without one', () => {
    expect(providersOf({ SOCIAL_LINE_CLIENT_ID: 'id', SOCIAL_LINE_CLIENT_SECRET: 'secret' })).toEqual({
      line: { preference: { clientId: 'id' }, secret: { clientSecret: 'secret' } },
    });
  });
});
