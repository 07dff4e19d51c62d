import { expect, test } from '@jest/globals';
import { passkeyRecord } from '../../../shared/domain/passkeys/passkey-record.ts';
import { storePasskeyIfFree } from '../../../shared/domain/passkeys/passkey-storage.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import { someApplication } from '../../support/server/records.ts';

const is = (value: boolean) => async () => value;

test.each([
  [
    'a passkey with a free credential ID is stored',
    { fix: is(true), reserve: is(true), put: is(true) },
    true,
  ],
  [
    'a passkey with a credential ID of another user is not stored',
    { fix: is(true), reserve: is(false), put: is(true) },
    false,
  ],
  [
    'a passkey that the user already has is not stored',
    { fix: is(true), reserve: is(true), put: is(false) },
    false,
  ],
  ['a passkey for another RP ID is not stored', { fix: is(false), reserve: is(true), put: is(true) }, false],
])(
  'a new passkey is stored only if its RP ID is right and its credential ID is free: %s',
  async (_, { fix, reserve, put }, isStored) => {
    const ports = { rpIds: { fix }, passkeyRecords: { reserve, put } } as never;
    expect(await storePasskeyIfFree(ports, someApplication(), somePasskey())).toBe(isStored);
  },
);

test('a passkey is stored without another write of the RP ID if its application has this RP ID permanently', async () => {
  const ports = { rpIds: { fix: is(false) }, passkeyRecords: { reserve: is(true), put: is(true) } } as never;
  const [passkey, application] = [somePasskey(), someApplication({ fixedRpId: 'example.com' })];
  expect(await storePasskeyIfFree(ports, application, passkey)).toBe(true);
});

test.each([new ServiceError('service_unavailable'), new Error('a mistake of ours')])(
  'an error during the storage of a passkey is thrown to the caller: %s',
  async (error) => {
    const reserve = () => Promise.reject(error);
    const ports = { rpIds: { fix: is(true) }, passkeyRecords: { reserve } } as never;
    await expect(storePasskeyIfFree(ports, someApplication(), somePasskey())).rejects.toBe(error);
  },
);

test('the API shows a passkey of which the backup eligibility is unknown as not eligible', () => {
  const { backupEligible: _, ...unknown } = somePasskey();
  expect(passkeyRecord(unknown).backup_eligible).toBe(false);
  expect(passkeyRecord({ ...unknown, backupEligible: true }).backup_eligible).toBe(true);
});
