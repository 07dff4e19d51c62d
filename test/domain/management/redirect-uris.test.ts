import { describe, expect, test } from '@jest/globals';
import { readCalledUri, readRedirectUris } from '../../../shared/domain/basis/redirect-uri.ts';

describe('N004 redirect URIs that an application may register', () => {
  test.each([
    'https://shop.example.com/complete',
    'https://shop.example.com:8443/complete?from=login',
    'https://xn--mnchen-3ya.example/',
    'http://localhost:8080/complete',
    'http://127.0.0.1/cb',
    'http://[::1]:3000/cb',
    'com.example.shop:/complete',
    'myapp://complete',
    'https://shop.example.com/'.padEnd(1024, 'x'),
  ])('the redirect URI %s is accepted and stored unchanged', (uri) => {
    expect(readRedirectUris([uri])).toEqual([uri]);
  });

  test.each([
    ['http://shop.example.com/complete', 'must use https, except for localhost'],
    ['http://localhost.evil.example/', 'must use https, except for localhost'],
    ['http://127.0.0.1.evil.example/', 'must use https, except for localhost'],
    ['https://shop.example.com/complete#part', 'must not have a fragment'],
    ['myapp://complete#', 'must not have a fragment'],
    ['/complete', 'must be an absolute URI'],
    ['shop.example.com/complete', 'must be an absolute URI'],
    ['', 'must be an absolute URI'],
    ['https:shop.example.com', 'must name a host'],
    ['https:///complete', 'must be an absolute URI|must name a host'],
    ['https://user:pass@shop.example.com/', 'must not contain a user name or password'],
    ['https://shop.example.com@evil.example/', 'must not contain a user name or password'],
    ['https://shop.example.com\\@evil.example/', 'must be an absolute URI'],
    ['https://shop.example.com/a b', 'must be an absolute URI'],
    ['https://shop.example.com/\n', 'must be an absolute URI'],
    ['https://münchen.example/', 'must be an absolute URI'],
    [' https://shop.example.com/', 'must be an absolute URI'],
    ['javascript:alert(1)', 'must not use the scheme javascript'],
    ['JavaScript:alert(1)', 'must not use the scheme javascript'],
    ['java\tscript:alert(1)', 'must be an absolute URI'],
    ['data:text/html,x', 'must not use the scheme data'],
    ['vbscript:x', 'must not use the scheme vbscript'],
    ['file:///etc/passwd', 'must not use the scheme file'],
    ['blob:https://shop.example.com/1', 'must not use the scheme blob'],
    ['intent://scan/#Intent;end', 'must not have a fragment'],
    ['localhost:8080/complete', 'must begin with https://, or http:// for localhost'],
    ['https://*.example.com/complete', 'must name one host, without wildcards'],
    ['https://:pass@shop.example.com/', 'must not contain a user name or password'],
    ['https://shop.example.com/'.padEnd(1025, 'x'), 'must have at most 1024 characters'],
  ])('the redirect URI %j is rejected', (uri, complaint) => {
    expect(() => readRedirectUris(['https://fine.example/', uri])).toThrow(
      new RegExp(`^redirect_uris\\.1: (?:${complaint})$`),
    );
  });

  test('a redirect URI that a request contains twice is stored only once', () => {
    expect(readRedirectUris(['myapp://a', 'myapp://a', 'myapp://b'])).toEqual(['myapp://a', 'myapp://b']);
  });
});

describe('URLs that the service is allowed to call', () => {
  const [deployed, local] = [{ loopback: false }, { loopback: true }];
  const ofThisMachine = ['http://localhost:8080/hook', 'http://127.0.0.1/hook', 'https://[::1]/hook'];

  test.each(['https://hooks.example.com/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])(
    'a deployed service may call the public URL %s',
    (uri) => expect(readCalledUri(uri, 'url', deployed)).toBe(uri),
  );

  test.each([...ofThisMachine, 'https://localhost/', 'https://x.localhost./', 'https://2130706433/'])(
    'a deployed service may not call the private URL %s',
    (uri) => expect(() => readCalledUri(uri, 'url', deployed)).toThrow('url: must be a public https address'),
  );

  test.each(ofThisMachine)('the local server may call the URL %s on its own machine', (uri) =>
    expect(readCalledUri(uri, 'url', local)).toBe(uri),
  );

  test('the local server may not call another machine in a private network', () => {
    expect(() => readCalledUri('https://10.0.0.1/', 'url', local)).toThrow('must be a public https address');
  });
});
