import { expect, test } from '@jest/globals';
import { requireFreshLogin } from '../../../functions/users/fresh-login.ts';
import { BINDING_MAX_AGE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import type { AdminCaller, ClientCaller } from '../../../shared/operation.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  someAddress,
  someApplication,
  someClient,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const tenant = someTenant();
const application = someApplication({ applicationId: 'shop' });
const client: ClientCaller = { kind: 'client', client: someClient(), tenant, application, permissions: [] };
const admin: AdminCaller = { kind: 'admin', client: someClient(), tenant };
const phoneNumber = someAddress('+12015550123');
const bySms = someUse({ method: 'sms', credential: 'phoneNumber' });
const withBoth = { phoneNumber };

test.each<[string, Partial<User>, Partial<Session> | undefined, readonly string[] | undefined]>([
  ['a login with the only factor', {}, {}, ['mail']],
  ['a login with both factors', withBoth, { methods: [someUse(), bySms] }, ['mail', 'phone']],
  ['a login with one of two factors', withBoth, {}, undefined],
  ['an unknown session', {}, undefined, undefined],
  ['a session of another application', {}, { applicationId: 'side' }, undefined],
  ['a login that still lacks its second factor', {}, { awaitsSecondFactor: true }, undefined],
  ['a session of a disabled user', { status: 'Disabled' }, {}, undefined],
  ['a proof that the client vouches for', {}, { methods: [someUse({ worth: 'vouched' })] }, undefined],
  ['a proof of another application', {}, { methods: [someUse({ scope: 'side' })] }, undefined],
  ['a proof of ten minutes ago', {}, { methods: [someUse({ at: T - BINDING_MAX_AGE_SECONDS })] }, undefined],
  [
    'a proof of less than ten minutes ago',
    {},
    { methods: [someUse({ at: T - BINDING_MAX_AGE_SECONDS + 1 })] },
    ['mail'],
  ],
  [
    'no factor of the account',
    { email: someAddress('ann@example.com', { standing: 'claimed' }) },
    { methods: [] },
    undefined,
  ],
])(
  'a backend changes an address as the user only with the session of a fresh login: %s',
  async (_, change, session, types) => {
    const user = someUser({ tenantId: tenant.tenantId, email: someAddress('ann@example.com'), ...change });
    const { tenantId, userId } = user;
    const found = session && someSession({ userId, tenantId, applicationId: 'shop', ...session });
    const ports = {
      sessions: { find: async () => found },
      users: { find: async () => user },
      passkeys: { listOf: async () => [] },
    };
    const read = (caller: ClientCaller | AdminCaller, sessionId: string) =>
      requireFreshLogin(ports as never, caller, { sessionId, userId }, T);
    const refused = { key: 'insufficient_permission' };
    if (types) expect([...(await read(client, `${userId}.session`))]).toEqual(types);
    else await expect(read(client, `${userId}.session`)).rejects.toMatchObject(refused);
    await expect(read(admin, `${userId}.session`)).rejects.toMatchObject(refused);
    await expect(read(client, 'another.session')).rejects.toMatchObject(refused);
  },
);
