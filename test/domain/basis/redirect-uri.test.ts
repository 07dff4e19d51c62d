import { describe, expect, test } from '@jest/globals';
import { requireRedirectUri, withParameters } from '../../../shared/domain/basis/redirect-uri.ts';
import { someApplication } from '../../support/server/records.ts';
import { redirectUris, tricks } from '../../support/tools/redirect-tricks.ts';

const application = someApplication({ redirectUris });

const notAllowed = expect.objectContaining({ key: 'redirect_uri_not_allowed' });

describe('N001 redirect URI', () => {
  test.each(redirectUris)('%s is listed', (uri) => {
    expect(requireRedirectUri(application, uri)).toBe(uri);
  });

  test('an application without any allows none', () => {
    expect(() => requireRedirectUri(someApplication({ redirectUris: [] }), 'https://a.example/')).toThrow(
      notAllowed,
    );
  });

  test.each([
    ['http://127.0.0.1/callback'],
    ['http://127.0.0.1:49152/callback'],
    ['http://[::1]:49152/callback'],
  ])('%s: the port of a loopback address may vary (RFC 8252 §7.3)', (uri) => {
    expect(requireRedirectUri(application, uri)).toBe(uri);
  });
});

describe('N001 N003 is compared character by character', () => {
  test('the corpus is large', () => {
    expect(tricks.length).toBeGreaterThan(60);
  });

  test.each(tricks)('%s is refused', (_name, uri) => {
    expect(() => requireRedirectUri(application, uri)).toThrow(notAllowed);
  });

  test('N001 a loopback URI with a port does not allow one without a path', () => {
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
  ])('N001 of a loopback URI only the port may vary: not %s', (uri) => {
    const native = someApplication({ redirectUris: ['http://127.0.0.1/cb'] });
    expect(() => requireRedirectUri(native, uri)).toThrow(notAllowed);
  });
});

describe('parameters of a redirect', () => {
  test.each([
    ['https://a.example/x', 'https://a.example/x?code=c'],
    ['https://a.example/x?y=1', 'https://a.example/x?y=1&code=c'],
    ['https://a.example/x?', 'https://a.example/x?code=c'],
    ['https://a.example/x?y=1&', 'https://a.example/x?y=1&code=c'],
    ['com.example.shop:/x', 'com.example.shop:/x?code=c'],
  ])('%s becomes %s', (uri, expected) => {
    expect(withParameters(uri, { code: 'c' })).toBe(expected);
  });

  test('what is undefined is left out', () => {
    expect(withParameters('https://a.example/', { code: 'c', state: undefined })).toBe(
      'https://a.example/?code=c',
    );
    expect(withParameters('https://a.example/', { state: undefined })).toBe('https://a.example/');
  });

  test.each([
    ['&error=access_denied'],
    ['#fragment'],
    ['\r\nLocation: https://evil.example'],
    ['https://evil.example/?a=b'],
    ['👩‍👩‍👧 ä+%26'],
  ])('the value %j stays one value', (state) => {
    const url = new URL(withParameters('https://a.example/x?y=1', { code: 'c', state }));
    expect([...url.searchParams]).toEqual([
      ['y', '1'],
      ['code', 'c'],
      ['state', state],
    ]);
    expect(url.host).toBe('a.example');
  });
});
