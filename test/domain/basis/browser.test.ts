import { expect, test } from '@jest/globals';
import {
  BROWSER_COOKIE,
  buildLoginCookieName,
  buildLoginCookieValue,
  computeCsrfToken,
  findBrowserSession,
  hasValidCsrfToken,
  listLoginTenants,
  readBrowser,
  readLoginCookie,
  withBoundCookie,
} from '../../../shared/domain/basis/browser.ts';
import { boundCookieName } from '../../../shared/domain/basis/device-binding.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { someSession, T } from '../../support/server/records.ts';

const secret = 's'.repeat(43);
const browserHash = hashSecret(secret);
const tenant = { tenantId: 'shop' };
const toCookies = (value: string) => ({ [buildLoginCookieName('shop')]: value });

test('a browser is recognised only by a cookie in the form of a secret', () => {
  expect(readBrowser({ [BROWSER_COOKIE]: secret })).toEqual({ secret, hash: browserHash, isNew: false });
  for (const cookies of [{}, { [BROWSER_COOKIE]: `${secret}s` }])
    expect(readBrowser(cookies)).toEqual({
      ...{ secret: expect.stringMatching(/^[\w-]{43}$/), hash: expect.stringMatching(/^[\w-]{43}$/) },
      isNew: true,
    });
});

test('a CSRF token is valid only for its login and in a known browser', () => {
  const browser = readBrowser({ [BROWSER_COOKIE]: secret });
  const token = computeCsrfToken(browser, 'login');
  expect(hasValidCsrfToken(browser, 'login', token)).toBe(true);
  expect(hasValidCsrfToken(browser, 'another', token)).toBe(false);
  expect(hasValidCsrfToken(browser, 'login', undefined)).toBe(false);
  expect(hasValidCsrfToken({ ...browser, isNew: true }, 'login', token)).toBe(false);
});

test('a logout ends sessions in the first 20 tenants of the login cookies', () => {
  const names = Array.from({ length: 21 }, (_, n) => `tenant-${n}`);
  const cookies = names.map((name) => [buildLoginCookieName(name), 'value'] as const);
  expect(listLoginTenants(Object.fromEntries([['other', 'x'], ...cookies]))).toEqual(names.slice(0, 20));
});

test('a login cookie contains the session ID and the secret', () => {
  const value = buildLoginCookieValue('user.session', secret);
  expect(readLoginCookie(tenant, toCookies(value))).toEqual({ sessionId: 'user.session', browserHash });
  expect(
    readLoginCookie(tenant, { ...toCookies(value), [boundCookieName('user.session')]: 'bound' }),
  ).toEqual({
    ...{ sessionId: 'user.session', browserHash, boundCookie: 'bound' },
  });
  for (const cookies of [{}, toCookies(secret), toCookies(`.${secret}`), toCookies(`${value}s`)])
    expect(readLoginCookie(tenant, cookies)).toBeUndefined();
});

test('the bound cookie of the current request is used only for the same session', () => {
  const earlier = { sessionId: 'one', browserHash, boundCookie: 'old' };
  const current = { ...earlier, boundCookie: 'new' };
  expect(withBoundCookie(earlier, current)).toEqual(current);
  for (const other of [undefined, { ...current, sessionId: 'two' }])
    expect(withBoundCookie(earlier, other)).toEqual({ sessionId: 'one', browserHash });
  expect(withBoundCookie(undefined, current)).toBeUndefined();
});

test('a session is found only by its own secret, in its tenant and on its device', async () => {
  const session = someSession({ tenantId: 'shop', browserHash });
  const cookies = toCookies(buildLoginCookieValue(session.sessionId, secret));
  const find = async (found: object | undefined, given: Record<string, string> = cookies) => {
    const ports = { sessions: { find: async () => found } } as never;
    return (await findBrowserSession(ports, tenant, given, T)) !== undefined;
  };
  expect(await find(session)).toBe(true);
  expect(await find(session, {})).toBe(false);
  expect(await find(undefined)).toBe(false);
  for (const change of [
    { tenantId: 'other' },
    { browserHash: hashSecret('another') },
    { browserHash: undefined },
    { binding: { secret: 'secret', key: 'key', proofs: 0, provenAt: T } },
  ])
    expect(await find({ ...session, ...change })).toBe(false);
});
