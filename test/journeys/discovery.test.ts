import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askToken } from '../support/authorized.ts';
import { startWorld, type World } from '../support/world.ts';

interface Metadata {
  readonly issuer: string;
  readonly [member: string]: unknown;
}

let world: World;
let metadata: Metadata;
beforeAll(async () => {
  world = await startWorld();
  metadata = (await world.get<Metadata>('/oidc/.well-known/openid-configuration')).body;
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

const list = (member: string) => metadata[member] as readonly string[];

test('N040 the issuer is one address without query, wherever and by whatever host it is asked for', async () => {
  const { issuer, base_url } = world.environment;
  expect(metadata.issuer).toBe(issuer);
  expect(issuer).toBe(`${base_url}/oidc`);
  expect(new URL(issuer).search + new URL(issuer).hash).toBe('');
  for (const path of [
    `${world.url}/oidc/.well-known/openid-configuration`,
    `${world.url}/cis/oidc/.well-known/openid-configuration`,
    `${world.url}/.well-known/oauth-authorization-server/cis/oidc`,
  ])
    expect(
      (await world.get<Metadata>(path, { headers: { 'x-forwarded-host': 'evil.example' } })).body,
    ).toEqual(metadata);
});

describe('N041 what is listed works', () => {
  const methods: Readonly<Record<string, string>> = {
    authorization_endpoint: 'GET',
    userinfo_endpoint: 'GET',
    end_session_endpoint: 'GET',
    jwks_uri: 'GET',
  };

  test('every endpoint is there, below the issuer', async () => {
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
      const { status } = await world.request(address, { method: methods[name] ?? 'POST' });
      expect([name, status]).not.toEqual([name, 404]);
      expect([name, status]).not.toEqual([name, 405]);
      expect(status).toBeLessThan(500);
    }
  });

  test('every grant type is known, and no other (N012)', async () => {
    const known = ['authorization_code', 'refresh_token', 'client_credentials'];
    const others = ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'];
    expect(list('grant_types_supported').toSorted()).toEqual(known.toSorted());
    const errorOf = async (grant_type: string) => (await askToken(world, { grant_type })).body.error;
    for (const type of known) expect(await errorOf(type)).not.toBe('unsupported_grant_type');
    for (const type of others) expect(await errorOf(type)).toBe('unsupported_grant_type');
  });

  test('every way to authenticate is one that clients can be set to', () => {
    const proven = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
    for (const endpoint of ['token', 'revocation'])
      expect(list(`${endpoint}_endpoint_auth_methods_supported`)).toEqual([...proven, 'none']);
    expect(list('introspection_endpoint_auth_methods_supported')).toEqual(proven);
  });
});

test('N008 N039 N059 N094 says what standards ask for by name', () => {
  expect(metadata).toMatchObject({
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    require_pushed_authorization_requests: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
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

test('everybody may read it, and keep it for a while', async () => {
  const { headers } = await world.get('/oidc/.well-known/openid-configuration');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});
