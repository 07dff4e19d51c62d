import { expect, test } from '@jest/globals';
import { isTrustedForEmail } from '../../../shared/domain/social/provider.ts';

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
