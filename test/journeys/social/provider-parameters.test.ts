// Each provider receives only the login parameters that its documentation lists.
import { expect, test } from '@jest/globals';
import type { ProviderWishes } from '../../../shared/providers/dialect.ts';
import { createDialect } from '../../../shared/providers/registry.ts';
import { PROVIDERS } from '../../../shared/records/providers.ts';

const none: ProviderWishes = { forcesLogin: false, selectsAccount: false };
const all: ProviderWishes = {
  forcesLogin: true,
  selectsAccount: true,
  maxAge: 0,
  loginHint: 'ann@example.com',
  uiLocales: 'fr-CA',
};

const sentTo = (name: Parameters<typeof createDialect>[0], wishes: ProviderWishes, issuer?: string) => {
  const preference = { clientId: 'client', ...(issuer === undefined ? {} : { issuer }) };
  const parameters = createDialect(name, preference).wishParameters?.(wishes) ?? {};
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
};

test.each([
  [
    'google',
    {
      prompt: 'select_account',
      claims: '{"id_token":{"auth_time":{"essential":true}}}',
      login_hint: 'ann@example.com',
    },
  ],
  ['apple', {}],
  ['facebook', { auth_type: 'reauthenticate' }],
  ['line', { max_age: '0', ui_locales: 'fr-CA' }],
  ['microsoft', { prompt: 'login', login_hint: 'ann@example.com' }],
] as const)('from a login with all login parameters, the provider %s receives only %j', (name, expected) => {
  expect(sentTo(name, all)).toEqual(expected);
  expect(sentTo(name, none)).toEqual({});
});

test('a custom OpenID provider receives all login parameters', () => {
  for (const name of PROVIDERS) {
    expect(sentTo(name, all, 'https://id.example.com')).toEqual({
      prompt: 'login select_account',
      max_age: '0',
      login_hint: 'ann@example.com',
      ui_locales: 'fr-CA',
    });
    expect(sentTo(name, none, 'https://id.example.com')).toEqual({});
  }
});

test('a custom OpenID provider receives the configured prompt in addition to required prompts', () => {
  const preference = { clientId: 'client', issuer: 'https://id.example.com', prompt: 'login' } as const;
  const { wishParameters, scope } = createDialect('openid/acme', { ...preference, scopes: ['openid', 'a'] });
  expect(wishParameters?.(none).prompt).toBe('login');
  expect(wishParameters?.(all).prompt).toBe('login select_account');
  expect(scope).toBe('openid a');
});

test('Google receives a login_hint only if it is an email address', () => {
  expect(sentTo('google', { ...none, loginHint: '+4915112345678' })).toEqual({});
  expect(sentTo('facebook', { ...none, maxAge: 300 })).toEqual({});
});
