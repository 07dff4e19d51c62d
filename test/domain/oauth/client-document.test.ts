import { describe, expect, test } from '@jest/globals';
import {
  findDocumentClient,
  leadsToDevice,
  listsRedirectUri,
  readCacheSeconds,
  readDocument,
  readDocumentId,
} from '../../../shared/domain/oauth/client-document.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { someApplication, someTenant, T } from '../../support/server/records.ts';

const CLIENT = 'https://agent.example.com/oauth/client.json';

describe('allowed URLs of client ID metadata documents', () => {
  test.each([CLIENT, 'https://agent.example.com/', 'https://xn--bcher-kva.example/a%20b'])(
    'the client ID metadata URL %s is accepted',
    (id) => expect(readDocumentId(id, { loopback: false }).href).toBe(id),
  );

  test.each([
    'http://agent.example.com/client.json',
    'https://agent.example.com',
    'https://agent.example.com:8443/client.json',
    'https://agent.example.com:443/client.json',
    'https://agent.example.com/client.json?x=1',
    'https://agent.example.com/client.json?',
    'https://agent.example.com/client.json#x',
    'https://agent.example.com/client.json#',
    'https://user@agent.example.com/client.json',
    'https://@agent.example.com/client.json',
    'https://agent.example.com/../client.json',
    'https://agent.example.com/./client.json',
    'https://Agent.example.com/client.json',
    'https://bücher.example/client.json',
    'https://93.184.216.34/client.json',
    'https://[2606:4700::1111]/client.json',
    'https:agent.example.com/client.json',
    'https://agent.example.com\\client.json',
    'http://localhost:8080/client.json',
  ])('the client ID metadata URL %s is rejected', (id) =>
    expect(() => readDocumentId(id, { loopback: false })).toThrow(ServiceError),
  );

  test('only the local server accepts a client ID metadata URL on a loopback host', () => {
    const local = 'http://localhost:8080/client.json';
    expect(readDocumentId(local, { loopback: true }).href).toBe(local);
    expect(() => readDocumentId('http://10.0.0.1/client.json', { loopback: true })).toThrow(ServiceError);
  });
});

test('a client is derived from its metadata document only for applications that allow its host', () => {
  const tenant = someTenant();
  const { tenantId } = tenant;
  const application = someApplication({ tenantId, clientDocumentHosts: ['agent.example.com'] });
  const { applicationId } = application;
  const times = { createdAt: T, updatedAt: T };
  const client = {
    ...{ clientId: CLIENT, tenantId, applicationId, kind: 'application', name: 'agent.example.com' },
    ...{ authMethod: 'none', secrets: [], ...times },
  };
  expect(findDocumentClient(CLIENT, application, tenant)).toStrictEqual({ client, application, tenant });
  const anyHost = { ...application, clientDocumentHosts: ['*'] };
  expect(findDocumentClient(CLIENT, anyHost, tenant)).toMatchObject({ client });
  const otherHost = { ...application, clientDocumentHosts: ['example.com'] };
  expect(findDocumentClient(CLIENT, otherHost, tenant)).toBeUndefined();
  expect(findDocumentClient(CLIENT, undefined, tenant)).toBeUndefined();
  for (const other of [someTenant(), undefined])
    expect(findDocumentClient(CLIENT, application, other)).toBeUndefined();
});

describe('contents of client ID metadata documents', () => {
  const good = { client_id: CLIENT, redirect_uris: ['https://agent.example.com/callback'] };
  const read = (change: object) => readDocument(CLIENT, JSON.stringify({ ...good, ...change }));

  test('the redirect URIs of a client are read from its metadata document', () => {
    expect(read({})).toEqual({ redirectUris: good.redirect_uris, refreshes: false });
    const grant_types = ['authorization_code', 'refresh_token'];
    expect(read({ grant_types, token_endpoint_auth_method: 'none' })).toMatchObject({ refreshes: true });
    const redirect_uris = Array.from({ length: 20 }, (_, n) => `https://a.example/${n}`);
    expect(read({ redirect_uris }).redirectUris).toEqual(redirect_uris);
  });

  test.each<[string, object]>([
    ['another client ID', { client_id: `${CLIENT}x` }],
    ['no client ID', { client_id: undefined }],
    ['a client secret', { client_secret: 'x' }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['private_key_jwt', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['no redirect URI', { redirect_uris: [] }],
    ['redirect URIs that are not a list', { redirect_uris: 'https://agent.example.com/callback' }],
    ['a number as redirect URI', { redirect_uris: [1] }],
    ['a redirect URI with the scheme javascript', { redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect URI over plain http', { redirect_uris: ['http://agent.example.com/callback'] }],
    [
      'too many redirect URIs',
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) },
    ],
    ['an unsupported response type', { response_types: ['token'] }],
    ['an unsupported grant type', { grant_types: ['client_credentials'] }],
  ])('a client ID metadata document with %s is rejected', (_, change) =>
    expect(() => read(change)).toThrow(ServiceError),
  );

  test.each(['', '[]', 'null', '"x"', '{', '<html>'])(
    'the malformed client ID metadata document %j is rejected',
    (body) => expect(() => readDocument(CLIENT, body)).toThrow('not a JSON object'),
  );
});

describe('redirect URIs in a client ID metadata document', () => {
  const document = {
    redirectUris: [
      'https://agent.example.com/callback',
      'http://127.0.0.1/cb',
      'http://localhost:1/cb',
      'app:/cb',
    ],
    refreshes: false,
  };

  test.each([...document.redirectUris, 'http://127.0.0.1:49152/cb', 'http://localhost:2/cb'])(
    'the redirect URI %s is accepted, because the client ID metadata document lists it',
    (uri) => expect(listsRedirectUri(document, uri)).toBe(true),
  );

  test.each([
    'https://agent.example.com/callback/',
    'https://agent.example.com:8443/callback',
    'http://127.0.0.1:1/other',
    'http://[::1]/cb',
    'https://localhost/cb',
    'app:/cb2',
  ])('the redirect URI %s is rejected, because the client ID metadata document does not list it', (uri) =>
    expect(listsRedirectUri(document, uri)).toBe(false),
  );

  test.each<[string, boolean]>([
    ['https://agent.example.com/callback', false],
    ['http://127.0.0.1:1/cb', true],
    ['http://[::1]/cb', true],
    ['http://localhost/cb', true],
    ['com.example.app:/cb', true],
  ])(
    'the redirect URI %s is a loopback or custom-scheme URI of an app on the user’s device (expected: %s)',
    (uri, isDevice) => expect(leadsToDevice(uri)).toBe(isDevice),
  );
});

test.each<[string | undefined, number]>([
  [undefined, 300],
  ['max-age=10', 300],
  ['public, max-age=3600', 3600],
  ['max-age="600"', 600],
  ['max-age=999999999', 86_400],
  ['no-store, max-age=3600', 300],
  ['s-maxage=3600', 300],
])('a client ID metadata document with Cache-Control %j is cached for %d seconds', (header, seconds) => {
  expect(readCacheSeconds(header)).toBe(seconds);
});
