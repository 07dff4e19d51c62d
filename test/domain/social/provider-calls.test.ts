import { expect, test } from '@jest/globals';
import { customFetch } from 'oauth4webapi';
import { createProviderCalls } from '../../../shared/providers/calls.ts';

// Deployed functions must not call addresses of private networks, even if the metadata of a provider contain such URLs.

const get = (url: string, loopback: boolean) =>
  createProviderCalls({ loopback })[customFetch](url, { method: 'GET', headers: {} });

test.each([
  ...['http://127.0.0.1:1/', 'http://localhost:1/', 'https://127.0.0.1:1/', 'https://10.0.0.1/'],
  ...['https://169.254.169.254/latest', 'https://[fd00:ec2::254]/', 'http://id.example.com/'],
  // This host name resolves to the local machine.
  'https://localhost:1/',
])('the service does not call an identity provider at the URL %s', async (url) => {
  await expect(get(url, false)).rejects.toMatchObject({
    key: 'provider_failed',
    detail: { audit: { providerError: 'forbidden_address' } },
  });
});

test('only the local server may call an identity provider on localhost', async () => {
  await expect(get('http://127.0.0.1:1/', true)).rejects.toMatchObject({ key: 'provider_unavailable' });
  await expect(get('https://10.0.0.1/', true)).rejects.toMatchObject({ key: 'provider_failed' });
});
