import { describe, expect, test } from '@jest/globals';
import { CONSENT_SECONDS } from '../../../shared/domain/basis/limits.ts';
import type {
  AuthorizationRequest,
  ConsentRequest,
} from '../../../shared/domain/oauth/authorization-request.ts';
import {
  addConsentRequest,
  type ConsentAnswer,
  coversRequest,
  grantConsent,
  listScopesToAsk,
  reduceToAllowed,
} from '../../../shared/domain/oauth/consent.ts';
import type { Consent } from '../../../shared/ports/consents.ts';
import { someApplication, someClient, someConsent, T } from '../../support/server/records.ts';

const CALLBACK = 'https://agent.example.com/callback';
const consent: ConsentRequest = {
  key: 'key',
  scopes: [{ name: 'openid' }, { name: 'read' }, { name: 'burn', acr: 'mfa' }],
  offline: true,
  isAlways: false,
};
const request = {
  prompts: [],
  redirectUri: CALLBACK,
  resources: ['https://api.example.com/'],
  scope: 'openid read burn offline_access',
  offlineAccess: true,
  requireMfa: false,
} as unknown as AuthorizationRequest;
const ALL = ['openid', 'read', 'burn'];
const all = someConsent({ key: 'key', scopes: ALL });

test.each<[string, Partial<ConsentRequest>, readonly string[], Consent | undefined, boolean, string[]]>([
  ['all scopes are allowed', {}, ['login'], all, true, []],
  ['nothing was allowed yet', {}, [], undefined, false, ALL],
  ['one scope is missing', {}, [], { ...all, scopes: ['openid', 'burn'] }, false, ['read']],
  ['the client must ask at each login', { isAlways: true }, [], all, false, ALL],
  ['the request asks for consent', {}, ['consent'], all, false, ALL],
  ['the client may not stay connected', {}, [], { ...all, staysConnected: false }, false, []],
  ['no refresh token is requested', { offline: false }, [], { ...all, staysConnected: false }, true, []],
])(
  'the consent page is shown only for what is not allowed yet: %s',
  (_, change, prompts, known, covers, open) => {
    const asked = { prompts, consent: { ...consent, ...change } };
    expect(coversRequest(asked, known)).toBe(covers);
    expect(listScopesToAsk(asked, known).map(({ name }) => name)).toEqual(open);
  },
);

describe('scopes that a client gets after consent', () => {
  const some = someConsent({ scopes: ['openid', 'old'], staysConnected: true });
  const answer = (allowed: readonly string[], staysConnected: boolean): ConsentAnswer => ({
    ...{ shown: ['read', 'burn'], allowed, staysConnected },
  });

  test.each<[string, Consent | undefined, ConsentAnswer | undefined, boolean, string, boolean, boolean]>([
    ['neither consent nor answer', undefined, undefined, true, '', false, false],
    ['an earlier consent', some, undefined, true, 'openid offline_access', true, false],
    ['an earlier consent to a scope that needs MFA', all, undefined, true, request.scope, true, true],
    ['a consent to scopes only', { ...some, staysConnected: false }, undefined, true, 'openid', false, false],
    ['an answer', undefined, answer(['read'], false), true, 'read', false, false],
    [
      'an answer that adds scopes',
      some,
      answer(['burn'], true),
      true,
      'openid burn offline_access',
      true,
      true,
    ],
    ['an answer that withdraws a scope', all, answer(['read'], false), true, 'openid read', false, false],
    ['an answer without refresh token', some, answer(['read'], true), false, 'openid read', false, false],
  ])('%s', (_, known, given, offline, scope, offlineAccess, requireMfa) => {
    const reduced = reduceToAllowed({ ...request, consent: { ...consent, offline } }, known, given);
    expect(reduced).toMatchObject({ scope, offlineAccess, requireMfa });
  });

  test('a request that requires a second factor still requires it, and one without consent stays unchanged', () => {
    const strict = { ...request, requireMfa: true };
    expect(reduceToAllowed({ ...strict, consent }, undefined, undefined).requireMfa).toBe(true);
    expect(reduceToAllowed(strict, undefined, undefined)).toBe(strict);
  });
});

describe('request for consent', () => {
  const [client, application] = [someClient({ clientId: 'https://agent.example.com/c' }), someApplication()];
  const add = (redirectUri: string, offlineAccess = false, document?: { readonly refreshes: boolean }) => {
    const asked = { ...request, redirectUri, offlineAccess, claims: '{}', customMessage: 'Hello' };
    const scopes = [{ name: 'read', sentence: undefined, maxAge: 60 }] as never;
    const { consent: added, ...rest } = addConsentRequest(
      asked,
      { client, application, document },
      { resource: 'https://api.example.com/', scopes },
    );
    return { added, rest };
  };

  test('a request for consent lists the scopes and drops claims and the custom message', () => {
    const { added, rest } = add(CALLBACK);
    expect(added).toStrictEqual({
      key: expect.any(String),
      scopes: [{ name: 'read' }],
      offline: false,
      isAlways: false,
    });
    expect(rest).toEqual({ ...request, offlineAccess: false });
  });

  test.each([
    [false, undefined, false],
    [false, { refreshes: false }, false],
    [false, { refreshes: true }, true],
    [true, { refreshes: false }, true],
  ])(
    'with offline_access (%s) and the document %j, the user is asked to let the client stay connected (%s)',
    (offlineAccess, document, offline) => {
      expect(add(CALLBACK, offlineAccess, document).added?.offline).toBe(offline);
    },
  );

  test('a consent is valid for every port of a loopback redirect URI, and for one port of any other', () => {
    const keyFor = (uri: string) => add(uri).added?.key;
    expect(keyFor('http://127.0.0.1:1/cb')).toBe(keyFor('http://127.0.0.1:2/cb'));
    expect(keyFor('https://a.example:1/cb')).not.toBe(keyFor('https://a.example:2/cb'));
    expect(add('http://127.0.0.1:1/cb').added?.isAlways).toBe(true);
  });
});

describe('storing a consent', () => {
  const owner = { userId: 'user', tenantId: 'tenant', applicationId: 'app', clientId: 'client' };
  const answer = { shown: ['read'], allowed: ['read'], staysConnected: true };

  async function grant(stored: readonly Consent[], offline = true, isGranted = true) {
    const granted: [Consent, Consent | undefined, number][] = [];
    const consents = {
      listOf: async () => stored,
      grant: async (...given: [Consent, Consent | undefined, number]) => granted.push(given) > 0 && isGranted,
    };
    const asked = { ...request, consent: { ...consent, offline } };
    const result = await grantConsent({ consents } as never, {
      request: asked,
      answer,
      now: T,
      ...owner,
    }).catch(({ key }: { key: string }) => key);
    return { granted, result };
  }

  test('the first consent to a client is stored for 90 days', async () => {
    const { granted, result } = await grant([someConsent()]);
    const [[made] = []] = granted;
    expect(granted).toEqual([
      [
        {
          ...owner,
          key: 'key',
          mark: expect.any(String),
          revision: expect.any(String),
          redirectUri: CALLBACK,
          resource: 'https://api.example.com/',
          scopes: ['read'],
          staysConnected: true,
          grantedAt: T,
          expiresAt: T + CONSENT_SECONDS,
        },
        undefined,
        T,
      ],
    ]);
    expect(result).toEqual({ consentId: `key.${made?.mark}`, isNewClient: true });
  });

  test.each([true, false])(
    'an extended consent keeps its ID, its last use and whether the client stays connected (%s)',
    async (staysConnected) => {
      const known = someConsent({
        key: 'key',
        clientId: 'client',
        scopes: ['old'],
        usedAt: T - 9,
        staysConnected,
      });
      const { granted, result } = await grant([someConsent(), known], false);
      expect(granted[0]?.[0]).toMatchObject({
        mark: known.mark,
        scopes: ['old', 'read'],
        staysConnected,
        usedAt: T - 9,
      });
      expect(granted[0]?.[1]).toEqual(known);
      expect(result).toEqual({ consentId: `key.${known.mark}`, isNewClient: false });
    },
  );

  test('storing a consent fails with 503 after five concurrent changes', async () => {
    const { granted, result } = await grant([], true, false);
    expect([granted.length, result]).toEqual([5, 'service_unavailable']);
  });
});
