import { describe, expect, test } from '@jest/globals';
import { requireRedirectUri, withParameters } from '../../shared/domain/redirect-uri.ts';
import { someApplication } from '../support/records.ts';

const redirectUris = [
  'https://shop.example.com/callback',
  'https://shop.example.com/search?next=login',
  'http://127.0.0.1:8080/callback',
  'http://[::1]/callback',
  'http://localhost:8080/callback',
  'com.example.shop:/callback',
];
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

/** What open redirectors have been fooled with: each looks like a listed URI to somebody on the way. */
const tricks: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['another host', 'https://evil.example/callback'],
  ['a slash more', 'https://shop.example.com/callback/'],
  ['a slash less', 'https://shop.example.com'],
  ['a query more', 'https://shop.example.com/callback?x=1'],
  ['an empty query', 'https://shop.example.com/callback?'],
  ['another query', 'https://shop.example.com/search?next=https://evil.example'],
  ['a parameter more', 'https://shop.example.com/search?next=login&next=evil'],
  ['a fragment', 'https://shop.example.com/callback#x'],
  ['another case of the host', 'https://SHOP.example.com/callback'],
  ['another case of the path', 'https://shop.example.com/Callback'],
  ['another case of the scheme', 'HTTPS://shop.example.com/callback'],
  ['another scheme', 'http://shop.example.com/callback'],
  ['no scheme', '//shop.example.com/callback'],
  ['a path alone', '/callback'],
  ['the default port', 'https://shop.example.com:443/callback'],
  ['another port', 'https://shop.example.com:8443/callback'],
  ['an escaped dot', 'https://shop%2eexample.com/callback'],
  ['an escaped letter', 'https://shop.example.com/%63allback'],
  ['an escaped slash', 'https://shop.example.com%2fcallback'],
  ['double escaping', 'https://shop.example.com/%2563allback'],
  ['a user name', 'https://shop.example.com@evil.example/callback'],
  ['a user name and password', 'https://shop.example.com:x@evil.example/callback'],
  ['a user name before the host', 'https://evil@shop.example.com/callback'],
  ['a sub-domain', 'https://a.shop.example.com/callback'],
  ['a longer host', 'https://shop.example.com.evil.example/callback'],
  ['the host as prefix', 'https://shop.example.community/callback'],
  ['a trailing dot of the host', 'https://shop.example.com./callback'],
  ['a parent path', 'https://shop.example.com/callback/../evil'],
  ['a path that comes back', 'https://shop.example.com/evil/../callback'],
  ['a longer path', 'https://shop.example.com/callback.evil'],
  ['a path parameter', 'https://shop.example.com/callback;x=1'],
  ['backslashes', 'https:\\\\shop.example.com\\callback'],
  ['a backslash before the user name', 'https://evil.example\\@shop.example.com/callback'],
  ['three slashes', 'https:///shop.example.com/callback'],
  ['a space before', ' https://shop.example.com/callback'],
  ['a space behind', 'https://shop.example.com/callback '],
  ['a line break behind', 'https://shop.example.com/callback\r\nSet-Cookie: a=b'],
  ['a tab within', 'https://shop.exam\tple.com/callback'],
  ['NUL behind', 'https://shop.example.com/callback\u0000'],
  ['a full-width dot', 'https://shop．example.com/callback'],
  ['an ideographic full stop', 'https://shop。example.com/callback'],
  ['a Cyrillic letter', 'https://shоp.example.com/callback'],
  ['a zero-width space', 'https://shop.\u200bexample.com/callback'],
  ['a bidirectional override', 'https://shop.example.com/\u202ecallback'],
  ['decomposed letters', 'https://shop.example.com/callbac\u0327k'],
  ['a script', 'javascript:alert(1)//https://shop.example.com/callback'],
  ['data', 'data:text/html,https://shop.example.com/callback'],
  ['a wildcard', 'https://*.example.com/callback'],
  ['two URIs', 'https://shop.example.com/callback https://evil.example'],
  ['two URIs with a comma', 'https://shop.example.com/callback,https://evil.example'],
  ['another path on loopback', 'http://127.0.0.1:8080/evil'],
  ['a longer path on loopback', 'http://127.0.0.1:8080/callback/evil'],
  ['a query on loopback', 'http://127.0.0.1:8080/callback?x=1'],
  ['a user name on loopback', 'http://127.0.0.1:8080@evil.example/callback'],
  ['a port that is a user name', 'http://127.0.0.1:80@evil.example:80/callback'],
  ['a longer loopback host', 'http://127.0.0.1.evil.example/callback'],
  ['another loopback address', 'http://127.0.0.2:8080/callback'],
  ['loopback as a number', 'http://2130706433/callback'],
  ['loopback, shortened', 'http://127.1/callback'],
  ['https on loopback', 'https://127.0.0.1:8080/callback'],
  ['the other family of loopback', 'http://[::ffff:127.0.0.1]/callback'],
  ['another port of localhost, which is a name', 'http://localhost:49152/callback'],
  ['a port of six digits', 'http://127.0.0.1:808080/callback'],
  ['an empty port', 'http://127.0.0.1:/callback'],
  ['another scheme of an app', 'com.example.shop2:/callback'],
  ['an app scheme with a host', 'com.example.shop://callback'],
];

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
