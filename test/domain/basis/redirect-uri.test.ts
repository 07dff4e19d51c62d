import { describe, expect, test } from '@jest/globals';
import { addParameters, requireRedirectUri } from '../../../shared/domain/basis/redirect-uri.ts';
import { someApplication } from '../../support/server/records.ts';
import { redirectUris, tricks } from '../../support/tools/redirect-tricks.ts';

const application = someApplication({ redirectUris });

const notAllowed = expect.objectContaining({ key: 'redirect_uri_not_allowed' });

describe('N001 allowed redirect URIs of an application', () => {
  test.each(redirectUris)('the registered redirect URI %s is accepted', (uri) => {
    expect(requireRedirectUri(application, uri)).toBe(uri);
  });

  test('an application without redirect URIs rejects every redirect URI', () => {
    expect(() => requireRedirectUri(someApplication({ redirectUris: [] }), 'https://a.example/')).toThrow(
      notAllowed,
    );
  });

  test.each([
    ['http://127.0.0.1/callback'],
    ['http://127.0.0.1:49152/callback'],
    ['http://[::1]:49152/callback'],
  ])('the loopback redirect URI %s is accepted, because its port may be any port (RFC 8252 §7.3)', (uri) => {
    expect(requireRedirectUri(application, uri)).toBe(uri);
  });
});

describe('N001 N003 exact comparison of redirect URIs', () => {
  test('the test data contain more than 60 manipulated redirect URIs', () => {
    expect(tricks.length).toBeGreaterThan(60);
  });

  test.each(tricks)('a manipulated redirect URI is rejected: %s', (_name, uri) => {
    expect(() => requireRedirectUri(application, uri)).toThrow(notAllowed);
  });

  test('N001 a registered loopback redirect URI without a path does not match a redirect URI with a path', () => {
    const bare = someApplication({ redirectUris: ['http://127.0.0.1:8080'] });
    expect(requireRedirectUri(bare, 'http://127.0.0.1:9090')).toBe('http://127.0.0.1:9090');
    expect(() => requireRedirectUri(bare, 'http://127.0.0.1:9090/')).toThrow(notAllowed);
  });

  test.each([
    ['http://127.0.0.1:51004/cb?x'],
    ['http://127.0.0.2:51004/cb'],
    ['http://127.0.0.1.evil.example/cb'],
    ['http://127.0.0.1:51004@evil.example/cb'],
    ['http://127.0.0.1:/cb'],
    ['http://127.0.0.1:x/cb'],
    ['http://127.0.0.1:510041/cb'],
    ['https://127.0.0.1:51004/cb'],
  ])(
    'N001 the loopback redirect URI %s is rejected, because only the port may differ from the registered URI',
    (uri) => {
      const native = someApplication({ redirectUris: ['http://127.0.0.1/cb'] });
      expect(() => requireRedirectUri(native, uri)).toThrow(notAllowed);
    },
  );
});

describe('parameters that the service adds to a redirect URI', () => {
  test.each([
    ['https://a.example/x', 'https://a.example/x?code=c'],
    ['https://a.example/x?y=1', 'https://a.example/x?y=1&code=c'],
    ['https://a.example/x?', 'https://a.example/x?code=c'],
    ['https://a.example/x?y=1&', 'https://a.example/x?y=1&code=c'],
    ['com.example.shop:/x', 'com.example.shop:/x?code=c'],
  ])('adding a parameter to the redirect URI %s results in %s', (uri, expected) => {
    expect(addParameters(uri, { code: 'c' })).toBe(expected);
  });

  test('a parameter with the value undefined is not added to a redirect URI', () => {
    expect(addParameters('https://a.example/', { code: 'c', state: undefined })).toBe(
      'https://a.example/?code=c',
    );
    expect(addParameters('https://a.example/', { state: undefined })).toBe('https://a.example/');
  });

  test.each([
    ['&error=access_denied'],
    ['#fragment'],
    ['\r\nLocation: https://evil.example'],
    ['https://evil.example/?a=b'],
    ['👩‍👩‍👧 ä+%26'],
  ])('the state %j is added to a redirect URI as one encoded parameter', (state) => {
    const url = new URL(addParameters('https://a.example/x?y=1', { code: 'c', state }));
    expect([...url.searchParams]).toEqual([
      ['y', '1'],
      ['code', 'c'],
      ['state', state],
    ]);
    expect(url.host).toBe('a.example');
  });
});
