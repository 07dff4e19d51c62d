import { expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import {
  isTrustedForEmail,
  readProviderFromPath,
  requireMatchingSecret,
  requireProvider,
} from '../../../shared/domain/social/provider.ts';
import { readProviderWishes } from '../../../shared/flows/browser/start-provider-login.ts';
import { someApplication } from '../../support/server/records.ts';

test.each([
  ['google', true],
  ['apple', true],
  ['facebook', false],
  ['line', false],
  ['microsoft', true],
] as const)('default trust in email addresses from the identity provider %s: %s', (provider, isBelieved) => {
  const [clientId, issuer] = ['id', 'https://issuer.example.com'];
  expect(isTrustedForEmail(provider, { clientId })).toBe(isBelieved);
  // A configured issuer replaces the provider's own issuer, so its email addresses are not trusted by default.
  expect(isTrustedForEmail(provider, { clientId, issuer })).toBe(false);
  for (const trustedForEmail of [true, false]) {
    expect(isTrustedForEmail(provider, { clientId, trustedForEmail })).toBe(trustedForEmail);
    expect(isTrustedForEmail(provider, { clientId, trustedForEmail, issuer })).toBe(trustedForEmail);
  }
});

test.each<[string, Partial<AuthorizationRequest>, boolean | undefined, object]>([
  ['no demand', {}, undefined, { forcesLogin: false, selectsAccount: false }],
  ['a maximum age', { maxAge: 1 }, undefined, { forcesLogin: false, selectsAccount: false, maxAge: 1 }],
  ['a maximum age of 0', { maxAge: 0 }, undefined, { forcesLogin: true, selectsAccount: false, maxAge: 0 }],
  [
    'a new login',
    { prompts: ['login', 'select_account'], maxAge: 60 },
    false,
    { forcesLogin: true, selectsAccount: true, maxAge: 0 },
  ],
  ['a confirmation', {}, true, { forcesLogin: true, selectsAccount: false, maxAge: 0 }],
])(
  'an authorization request with %s is passed on to the identity provider',
  (_, change, confirms, wishes) => {
    const request = { prompts: [], ...change } as unknown as AuthorizationRequest;
    expect(readProviderWishes(request, confirms)).toEqual(wishes);
  },
);

test('only an identity provider that the application has enabled can be used', () => {
  const find = (google: object | undefined) =>
    requireProvider(someApplication({ loginPreferences: { google } as never }), 'google');
  for (const preference of [{ clientId: 'id' }, { clientId: 'id', enabled: true }])
    expect(find(preference)).toEqual(preference);
  for (const preference of [undefined, { clientId: 'id', enabled: false }])
    expect(() => find(preference)).toThrow(expect.objectContaining({ key: 'provider_not_configured' }));
});

test('the client secret of an application is sent only to the issuer for which it was set', () => {
  const [clientId, issuer] = ['id', 'https://issuer.example.com'];
  const secret = { clientSecret: 'secret', issuer };
  expect(requireMatchingSecret({ clientId, issuer }, secret)).toBe(secret);
  expect(requireMatchingSecret({ clientId, issuer }, undefined)).toBeUndefined();
  expect(() => requireMatchingSecret({ clientId }, secret)).toThrow(
    expect.objectContaining({
      ...{ key: 'provider_failed', detail: { audit: { providerError: 'secret_of_another_issuer' } } },
    }),
  );
});

test('the path of a social login names the identity provider', () => {
  expect(readProviderFromPath('/cis/v1/auth/google')).toBe('google');
  expect(readProviderFromPath('/auth/openid/corp/callback')).toBe('openid/corp');
  expect(() => readProviderFromPath('/auth/unknown/callback')).toThrow('without a provider');
});
