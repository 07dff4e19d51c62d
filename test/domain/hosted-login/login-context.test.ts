import { expect, test } from '@jest/globals';
import { BROWSER_COOKIE, buildLoginCookieName, readBrowser } from '../../../shared/domain/basis/browser.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { newLogin } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { requestWithoutCode } from '../../../shared/domain/hosted-login/request-without-code.ts';
import { type LoginContext, loginContext } from '../../../shared/flows/hosted-login/login-context.ts';
import { findNewSession } from '../../../shared/flows/hosted-login/new-session.ts';
import {
  someApplication,
  someClient,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const SECRET = 'a'.repeat(43);
const tenant = someTenant();
const application = someApplication();
const place = { tenant, application, client: someClient(), now: T };
const request = requestWithoutCode('client', 'https://example.com/');
const session = someSession({ tenantId: tenant.tenantId, browserHash: hashSecret(SECRET), endsAt: T + 5000 });
const cookieSession = { sessionId: session.sessionId, browserHash: hashSecret(SECRET) };

/** Opens a login that has ended, or that another browser began, in a browser with a session. Returns the key of the error. */
async function readError(
  { hasEnded = true, isNew = false, hasBegun = true, at = T },
  link?: string,
): Promise<unknown> {
  const cookies = {
    ...(isNew ? {} : { [BROWSER_COOKIE]: SECRET }),
    [buildLoginCookieName(tenant.tenantId)]: `${session.sessionId}.${SECRET}`,
  };
  const { loginId, transaction } = newLogin({ ...place, browser: readBrowser({}) }, request);
  const ports = {
    applications: { find: async () => application },
    sessions: { find: async () => ({ ...session, methods: [someUse({ at })] }) },
    loginTransactions: {
      find: async () => (hasEnded ? undefined : { ...transaction, version: 1 }),
      findStart: async () => (hasBegun ? { ...application, ...tenant, startedAt: T } : undefined),
    },
  };
  const asked = { cookies, now: T, errorPage: {} };
  const given = { request: asked, settings: {}, audit: () => undefined };
  return loginContext(ports as never, loginId, given as never, link).catch((error) => error.key);
}

test.each([
  ['a browser that has completed it', {}, undefined, 'login_done'],
  ['a browser whose session is older than the login', { at: T - 1 }, undefined, 'login_not_found'],
  ['a browser that did not begin it', { hasBegun: false }, undefined, 'login_not_found'],
  ['a browser without cookies', { isNew: true }, undefined, 'login_not_found'],
  ['another browser, while it is open', { hasEnded: false }, undefined, 'login_elsewhere'],
  [
    'a browser without cookies, while it is open',
    { hasEnded: false, isNew: true },
    undefined,
    'cookies_missing',
  ],
  ['a browser without cookies, by its link', { hasEnded: false, isNew: true }, 'link', 'login_elsewhere'],
])('opening a login in %s fails', async (_title, login, link, key) => {
  expect(await readError(login, link)).toBe(key);
});

test('a login continues with the session of another tab until it has a user, unless it begins with passkeys', async () => {
  const user = someUser({ userId: session.userId, tenantId: tenant.tenantId });
  const ports = { sessions: { find: async () => session }, users: { find: async () => user } };
  const find = (change: object, progress: object = {}) =>
    findNewSession(
      ports as never,
      {
        ...place,
        cookieSession,
        login: { request: { ...request, ...change }, progress },
      } as unknown as LoginContext,
    );
  expect(await find({})).toEqual(session);
  expect(await find({ passkeyFirst: true })).toBeUndefined();
  expect(await find({}, { userId: user.userId })).toBeUndefined();
});
