import { expect, test } from '@jest/globals';
import { requireTestCode } from '../../../shared/domain/sending/test-code.ts';
import { someApplication, someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant({ tenantId: 'tenant' });
const kept = { applicationId: 'app', mac: 'mac', code: '123456' };
const testing = someApplication({ applicationId: 'app', testIdentities: true });
test.each([
  ['of a test user', {}, testing, true],
  ['of a test user, for an admin', {}, undefined, true],
  ['of another application', {}, { ...testing, applicationId: 'other' }, false],
  ['of an application without test users', {}, { ...testing, testIdentities: false }, false],
  ['of another user', { user: { isTest: false } }, testing, false],
  ['of another tenant', { user: { tenantId: 'other' } }, testing, false],
  ['that does not exist', { kept: undefined }, testing, false],
  ['of a deleted application, for an admin', { sender: undefined }, undefined, false],
  ['that was used', { isUsable: false }, testing, false],
])('a code %s is shown only if it is valid (%#)', async (_, change, application, isShown) => {
  const own = { user: {}, kept, sender: testing, isUsable: true, ...change };
  const ports = {
    users: { find: async () => someUser({ tenantId: 'tenant', isTest: true, ...own.user } as never) },
    testCodes: { find: async () => own.kept },
    applications: { find: async () => own.sender },
    otps: { isUsable: async (_key: unknown, mac: string) => mac === 'mac' && own.isUsable },
  } as never;
  const requiring = requireTestCode(ports, { tenant, ...(application && { application }) }, 'ann', T);
  if (isShown) expect(await requiring).toBe(kept);
  else await expect(requiring).rejects.toMatchObject({ key: 'test_code_not_found' });
});
