import { expect, test } from '@jest/globals';
import { addVerifiedAddress } from '../../../shared/domain/users/add-address.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { provenTrust, someTenant, T } from '../../support/server/records.ts';

test.each([
  ['of another user', 'identifier_taken', 'access_denied'],
  ['to a deleted user', 'user_not_found', 'access_denied'],
  // If the store is unavailable, the user gets this error and can try again.
  ['while the store is unavailable', 'service_unavailable', 'service_unavailable'],
] as const)(
  'adding a verified address %s fails internally with %s, and the user gets the error %s',
  async (_, cause, told) => {
    const fail = () => Promise.reject(new ServiceError(cause));
    const ports = { userRecords: { find: fail } } as never;
    const login = {
      generation: 1,
      trust: provenTrust,
      undoCondition: 'link',
      ownSessionId: undefined,
    } as const;
    const fields = { email: 'ada@example.com' };
    const adding = addVerifiedAddress(
      ports,
      { tenant: someTenant(), userId: 'ada' },
      { ...login, fields, isFactor: false, at: T },
      () => {},
    );
    await expect(adding).rejects.toMatchObject({ key: told });
  },
);
