import { expect, test } from '@jest/globals';
import { addVerifiedAddress } from '../../../shared/domain/users/add-address.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { provenTrust, someTenant, T } from '../../support/server/records.ts';

test.each([
  ['that belongs to another user', 'identifier_taken', 'access_denied'],
  ['for a user who is gone', 'user_not_found', 'access_denied'],
  // An unavailable store is no refusal: the user can try again.
  ['that the store cannot save now', 'service_unavailable', 'service_unavailable'],
] as const)('adding an address %s fails with %s, reported as %s', async (_, cause, told) => {
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
});
