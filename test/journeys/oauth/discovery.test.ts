import { beforeAll, describe, expect, test } from '@jest/globals';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { storedClaims } from '../../../shared/domain/claims/stored-claims.ts';
import { byProvider, PROVIDERS } from '../../../shared/records/providers.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { answerIn, decodeClaims, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber, newUser } from '../../support/fixtures/people.ts';
import { newKey, signed } from '../../support/fixtures/proofs.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { someUse } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askToken, exchange, storeClient, storeCode } from '../../support/tools/authorized.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

interface Metadata {
  readonly issuer: string;
  readonly [member: string]: unknown;
}

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
let metadata: Metadata;
beforeAll(async () => {
  metadata = (await server.get<Metadata>('/oidc/.well-known/openid-configuration')).body;
});

const list = (member: string) => metadata[member] as readonly string[];

test('N040 the issuer in the discovery document is the same for every requested host and contains no query', async () => {
  const { issuer, base_url } = server.environment;
  expect(metadata.issuer).toBe(issuer);
  expect(issuer).toBe(`${base_url}/oidc`);
  expect(new URL(issuer).search + new URL(issuer).hash).toBe('');
  for (const path of [
    `${server.url}/oidc/.well-known/openid-configuration`,
    `${server.url}/cis/oidc/.well-known/openid-configuration`,
    `${server.url}/.well-known/oauth-authorization-server/cis/oidc`,
  ])
    expect(
      (await server.get<Metadata>(path, { headers: { 'x-forwarded-host': 'evil.example' } })).body,
    ).toEqual(metadata);
});

describe('N041 contents of the discovery document', () => {
  const methods: Readonly<Record<string, string>> = {
    authorization_endpoint: 'GET',
    userinfo_endpoint: 'GET',
    end_session_endpoint: 'GET',
    jwks_uri: 'GET',
  };

  test('every endpoint in the discovery document begins with the issuer URL', async () => {
    const endpoints = Object.keys(metadata).filter((name) => /_endpoint$|_uri$/.test(name));
    expect(endpoints.toSorted()).toEqual([
      'authorization_endpoint',
      'end_session_endpoint',
      'introspection_endpoint',
      'jwks_uri',
      'pushed_authorization_request_endpoint',
      'revocation_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ]);
    for (const name of endpoints) {
      const address = String(metadata[name]);
      expect(address.startsWith(`${metadata.issuer}/`)).toBe(true);
      const { status } = await server.request(address, { method: methods[name] ?? 'POST' });
      expect([name, status]).not.toEqual([name, 404]);
      expect([name, status]).not.toEqual([name, 405]);
      expect(status).toBeLessThan(500);
    }
  });

  test('N012 the discovery document lists exactly the supported grant types', async () => {
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const known = ['authorization_code', 'refresh_token', 'client_credentials', exchange];
    const others = ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'];
    expect(list('grant_types_supported').toSorted()).toEqual(known.toSorted());
    const requestError = async (grant_type: string) => (await askToken(server, { grant_type })).body.error;
    for (const type of known) expect(await requestError(type)).not.toBe('unsupported_grant_type');
    for (const type of others) expect(await requestError(type)).toBe('unsupported_grant_type');
  });

  test('the discovery document lists exactly the supported scopes', async () => {
    const scope = [...list('scopes_supported'), 'address', 'admin'].join(' ');
    const target = await login.logIn(login.browser(), (await newUser(server)).email, {
      scope,
      prompt: 'consent',
    });
    const { body } = await login.exchange(target);
    expect(body.scope?.split(' ').toSorted()).toEqual([...list('scopes_supported')].toSorted());
  });

  test('every claim in the discovery document can occur in an ID token', async () => {
    const fields = {
      email: newEmail(),
      phone_number: newPhoneNumber(),
      username: `ada.${crypto.randomUUID()}`,
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      picture: 'https://example.com/ada.png',
      language: 'en',
      groups: ['staff'],
    };
    const { user_id: userId } = await createUser(server, fields);
    const { organizationId } = await storeMember(server, { userId, roles: ['buyer'] });
    const asked = Object.fromEntries(list('claims_supported').map((name) => [name, null]));
    const now = Math.floor(Date.now() / 1000);
    const code = await storeCode(server, userId, {
      claims: storedClaims({ salt: '' }, readClaimsRequest({ id_token: asked })) ?? '',
      methods: (['eotp', 'sms'] as const).map((method) => someUse({ method, at: now })),
      organizationId,
      nonce: 'n',
      approvalData: { amount: '5' },
    });
    const { body } = await exchange(server, code);
    expect(Object.keys(decodeClaims(body.id_token))).toEqual(
      expect.arrayContaining([...list('claims_supported')]),
    );
  });

  test('every response type, response mode and page language in the discovery document is supported', async () => {
    const jar = login.browser();
    await login.logIn(jar, (await newUser(server)).email);
    for (const response_mode of list('response_modes_supported')) {
      const page = await jar.open(login.address({ response_mode }));
      const code = page.left?.searchParams.get('code') ?? /name="code" value="([^"]+)/.exec(page.html)?.[1];
      expect([response_mode, code]).toEqual([response_mode, expect.stringMatching(/^[\w-]{43}$/)]);
    }
    const wrong = leftTo(await jar.open(login.address({ response_mode: 'fragment' })));
    expect(wrong.searchParams.get('error')).toBe('invalid_request');
    for (const ui_locales of list('ui_locales_supported')) {
      const { html } = await jar.open(login.address({ ui_locales, prompt: 'login' }));
      expect(/<html lang="([^"]+)"/.exec(html)?.[1]).toBe(ui_locales);
    }
  });

  test('every prompt value in the discovery document is supported', async () => {
    const jar = login.browser();
    await login.logIn(jar, (await newUser(server)).email);
    const answers = new Map<string, (page: BrowserPage) => boolean>([
      ['none', ({ left }) => left?.searchParams.has('code') === true],
      ['consent', ({ left }) => left?.searchParams.has('code') === true],
      ['login', ({ html }) => html.includes('name="identifier"')],
      ['select_account', ({ html }) => html.includes('name="identifier"')],
      ['create', ({ html }) => html.includes('Sign up for Demo')],
    ]);
    expect([...answers.keys()].toSorted()).toEqual([...list('prompt_values_supported')].toSorted());
    for (const [prompt, isAnswer] of answers)
      expect([prompt, isAnswer(await jar.open(login.address({ prompt })))]).toEqual([prompt, true]);
  });

  test('SPEC F: every acr value in the discovery document is supported', async () => {
    const jar = login.browser();
    await login.logIn(jar, (await newUser(server)).email);
    const errorAt = async (acr_values: string) => {
      const { searchParams } = leftTo(await jar.open(login.address({ acr_values, prompt: 'none' })));
      return [searchParams.get('error'), searchParams.get('error_description')];
    };
    expect(await errorAt('mfa')).toEqual(['interaction_required', expect.any(String)]);
    expect(await errorAt('phone_number')).toEqual(['interaction_required', expect.any(String)]);
    expect(await errorAt('urn:cis:centralized')).toEqual([null, null]);
    const direct = PROVIDERS.map((name) => `urn:cis:${name}_direct`);
    const page = async (acr_values: string) => login.browser().open(login.address({ acr_values }));
    // The login page ignores unknown values and providers that the application does not offer.
    for (const value of ['urn:cis:unknown_direct', ...direct])
      expect((await page(value)).html).toContain('name="identifier"');
    // No server listens on this port, so a redirect to the provider fails with `temporarily_unavailable`.
    const preference = { clientId: 'client', issuer: 'http://127.0.0.1:9' };
    const loginPreferences = byProvider(() => preference);
    await withApplication(server, { loginPreferences }, async () => {
      for (const value of direct)
        expect(answerIn(leftTo(await page(value))).error).toBe('temporarily_unavailable');
    });
    expect(list('acr_values_supported').toSorted()).toEqual(
      ['mfa', 'phone_number', 'urn:cis:centralized', ...direct].toSorted(),
    );
  });

  test('the discovery document lists exactly the supported client authentication methods', async () => {
    const key = newKey();
    const [secret, signing, open] = [
      await storeClient(server),
      await storeClient(server, { authMethod: 'private_key_jwt', jwks: { keys: [key.jwk] }, secrets: [] }),
      await storeClient(server, { authMethod: 'none', secrets: [] }),
    ];
    const basic = Buffer.from(`${secret.clientId}:${secret.clientSecret}`).toString('base64');
    const now = Math.floor(Date.now() / 1000);
    const ways: Readonly<Record<string, () => readonly [Record<string, string>, Record<string, string>]>> = {
      client_secret_basic: () => [{}, { authorization: `Basic ${basic}` }],
      client_secret_post: () => [{ client_id: secret.clientId, client_secret: secret.clientSecret }, {}],
      private_key_jwt: () => {
        const { clientId: sub } = signing;
        const claims = { iss: sub, sub, aud: metadata.issuer, exp: now + 60, jti: crypto.randomUUID() };
        const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
        return [{ client_assertion_type, client_assertion: signed(key, {}, claims) }, {}];
      },
      none: () => [{ client_id: open.clientId }, {}],
    };
    for (const endpoint of ['token', 'revocation', 'introspection'])
      for (const [way, make] of Object.entries(ways)) {
        const [fields, headers] = make();
        const form = { ...fields, token: 'none', grant_type: 'refresh_token', refresh_token: 'none' };
        const { status } = await server.form(String(metadata[`${endpoint}_endpoint`]), form, { headers });
        const listed = list(`${endpoint}_endpoint_auth_methods_supported`).includes(way);
        expect([endpoint, way, status !== 401]).toEqual([endpoint, way, listed]);
      }
  });

  test('each authentication method in the discovery document can be configured for a client, and no other can', () => {
    const proven = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
    for (const endpoint of ['token', 'revocation'])
      expect(list(`${endpoint}_endpoint_auth_methods_supported`)).toEqual([...proven, 'none']);
    expect(list('introspection_endpoint_auth_methods_supported')).toEqual(proven);
  });
});

test('N008 N039 N059 N094 the discovery document contains all fields that standards require', () => {
  expect(metadata).toMatchObject({
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    require_pushed_authorization_requests: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  });
  expect(list('id_token_signing_alg_values_supported')).toContain('RS256');
  for (const member of [
    'dpop_signing_alg_values_supported',
    'token_endpoint_auth_signing_alg_values_supported',
  ]) {
    expect(list(member)).toContain('ES256');
    for (const weak of ['none', 'HS256', 'HS512']) expect(list(member)).not.toContain(weak);
  }
});

test('the discovery document can be fetched from every origin and cached', async () => {
  const { headers } = await server.get('/oidc/.well-known/openid-configuration');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});
