import { expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { isTrustedForEmail } from '../../../shared/domain/social/provider.ts';
import { readProviderWishes } from '../../../shared/flows/browser/start-provider-login.ts';

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
