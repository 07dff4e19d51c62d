import { expect, test } from '@jest/globals';
import { findBrowserLogout } from '../../../functions/sessions/browser-logout.ts';
import { buildLoginCookieName, buildLoginCookieValue } from '../../../shared/domain/basis/browser.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { someApplication, someClient, someSession, someTenant, T } from '../../support/server/records.ts';

const tenant = someTenant({ name: 'The Tenant' });
const { tenantId } = tenant;
const secret = 's'.repeat(43);
const cookies = { [buildLoginCookieName(tenantId)]: buildLoginCookieValue('user.session', secret) };

test.each<[string, number, string]>([
  ['the application of one client', 1, 'App 1'],
  [
    'the applications of 20 clients',
    20,
    Array.from({ length: 20 }, (_, index) => `App ${index + 1}`).join(', '),
  ],
  ['the tenant, because more than 20 clients would have to be read', 21, 'The Tenant'],
])('a logout page without a client names %s', async (_, count, name) => {
  const [clientId = '', ...otherClientIds] = Array.from({ length: count }, (_, index) => `App ${index + 1}`);
  const session = someSession({
    ...{ sessionId: 'user.session', userId: 'user', tenantId, browserHash: hashSecret(secret) },
    ...{ clientId, otherClientIds },
  });
  const ports = {
    tenants: { find: async () => tenant },
    sessions: { find: async () => session },
    clients: { find: async (id: string) => someClient({ clientId: id, applicationId: id }) },
    applications: { find: async (id: string) => someApplication({ applicationId: id, name: id }) },
  } as never;
  const request = { parameters: {}, client: undefined, redirectTo: undefined };
  const logout = await findBrowserLogout(ports, request, { cookies, headers: {}, now: T });
  expect(logout).toMatchObject({
    brand: { name },
    sessions: [session],
    tenants: [tenant],
    isConfirmed: false,
  });
});
