import { expect, test } from '@jest/globals';
import { storePasskeyIfFree } from '../../../shared/domain/passkeys/passkey-storage.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { someApplication } from '../../support/server/records.ts';

const is = (value: boolean) => async () => value;

test.each([
  ['is stored', { fix: is(true), reserve: is(true), put: is(true) }, true],
  ['of another user is not', { fix: is(true), reserve: is(false), put: is(true) }, false],
  ['that is there already is not', { fix: is(true), reserve: is(true), put: is(false) }, false],
  ['of another RP ID is not', { fix: is(false), reserve: is(true), put: is(true) }, false],
])('during a login a passkey %s, and the login goes on', async (_, { fix, reserve, put }, isStored) => {
  const ports = { rpIds: { fix }, passkeyRecords: { reserve, put } } as never;
  expect(await storePasskeyIfFree(ports, someApplication(), somePasskey())).toBe(isStored);
});

test.each([new ServiceError('service_unavailable'), new Error('a mistake of ours')])(
  'a passkey that cannot be stored for now is no passkey that is refused: %s',
  async (error) => {
    const reserve = () => Promise.reject(error);
    const ports = { rpIds: { fix: is(true) }, passkeyRecords: { reserve } } as never;
    await expect(storePasskeyIfFree(ports, someApplication(), somePasskey())).rejects.toBe(error);
  },
);
