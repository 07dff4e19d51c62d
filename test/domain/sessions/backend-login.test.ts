import { expect, test } from '@jest/globals';
import { FIRST_GENERATION, UNPROVEN_GENERATION } from '../../../shared/domain/trust/generations.ts';
import { requireLoginSubject } from '../../../shared/flows/login/backend-login.ts';
import {
  someApplication,
  someClient,
  someSession,
  someTenant,
  someUser,
  T,
} from '../../support/server/records.ts';

test.each([
  ['a login is added to a session that began after the first verification', FIRST_GENERATION, true],
  ['a login is not added to a session that began before the first verification', UNPROVEN_GENERATION, false],
])(
  'a backend login cannot join a session that began before the first verification of an address: %s',
  async (_, generation, isJoined) => {
    const tenant = someTenant();
    const application = someApplication({ tenantId: tenant.tenantId });
    const user = someUser({ tenantId: tenant.tenantId });
    const { userId, tenantId } = user;
    const session = someSession({
      ...{ userId, tenantId, generation },
      applicationId: application.applicationId,
    });
    const ports = {
      users: { find: async () => user },
      sessions: { find: async () => session },
      memberships: {},
      organizations: {},
    } as never;
    const call = {
      caller: { tenant, application, client: someClient() } as never,
      json: { session_id: session.sessionId },
      request: { now: T },
    };
    const person = requireLoginSubject(ports, call, userId);
    if (isJoined) expect(await person).toMatchObject({ joined: { sessionId: session.sessionId } });
    else await expect(person).rejects.toMatchObject({ key: 'session_not_found' });
  },
);

test('a client with DPoP-bound tokens cannot log users in through the backend', async () => {
  const client = someClient({ dpopBound: true });
  const call = { caller: { client, tenant: someTenant() } as never, json: {}, request: { now: T } };
  await expect(requireLoginSubject({} as never, call, 'user')).rejects.toThrow('DPoP');
});
