import { describe, expect, test } from '@jest/globals';
import { readProviders } from '../../lib/local/providers.ts';
import { PROVIDERS } from '../../shared/records/providers.ts';

describe('social providers of the demo application', () => {
  test('the demo application offers only social providers that are configured with environment variables', () => {
    expect(readProviders({ SOCIAL_GOOGLE_ISSUER: 'http://localhost:1', SOCIAL_LINE_CLIENT_ID: '' })).toEqual(
      {},
    );
  });

  test.each(PROVIDERS)(
    'on the local server, any OpenID provider can stand in for %s and is trusted to verify email addresses',
    (name) => {
      const [clientId, issuer, clientSecret] = ['id', 'http://localhost:1', 'secret'];
      const prefix = `SOCIAL_${name.toUpperCase()}`;
      const client = { [`${prefix}_ISSUER`]: issuer, [`${prefix}_CLIENT_ID`]: clientId };
      const preference = { clientId, issuer, trustedForEmail: true };
      expect(readProviders(client)).toEqual({ [name]: { preference, secret: {} } });
      expect(readProviders({ ...client, [`${prefix}_CLIENT_SECRET`]: clientSecret })).toEqual({
        [name]: { preference, secret: { clientSecret } },
      });
    },
  );

  test('a social provider without a configured issuer uses the provider’s own protocol', () => {
    expect(readProviders({ SOCIAL_LINE_CLIENT_ID: 'id', SOCIAL_LINE_CLIENT_SECRET: 'secret' })).toEqual({
      line: { preference: { clientId: 'id' }, secret: { clientSecret: 'secret' } },
    });
  });
});
