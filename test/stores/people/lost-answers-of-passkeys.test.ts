import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { credentialKey } from '../../../shared/dynamo/keys.ts';
import { deviceKeys } from '../../../shared/dynamo/people/device-keys.ts';
import { passkeyRecords, passkeys } from '../../../shared/dynamo/people/passkeys.ts';
import { someDeviceKey, somePasskey } from '../../support/fixtures/signing-records.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('lost responses to writes of passkeys', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const loseNext = (action: string) => proxy().lose(action, 'break');

  test('storing a passkey succeeds if the DynamoDB response is lost', async () => {
    const records = passkeyRecords(table('people'));
    const passkey = somePasskey();
    const { credentialId, userId } = passkey;
    loseNext('PutItem');
    expect(await records.reserve(credentialId, userId, T)).toBe(true);
    expect(await records.reserve(credentialId, unique('other'), T)).toBe(false);
    loseNext('PutItem');
    expect(await records.put(passkey)).toBe(true);
    expect(await records.put(passkey)).toBe(false);
  });

  test('removing a passkey succeeds if the DynamoDB response is lost', async () => {
    const records = passkeyRecords(table('people'));
    const { credentialId, userId } = somePasskey();
    await records.reserve(credentialId, userId, T);
    await records.put(somePasskey({ credentialId, userId }));
    loseNext('UpdateItem');
    expect(await records.remove(userId, credentialId, T + 60)).toBe(true);
    expect(await records.remove(userId, credentialId, T + 60)).toBe(false);
    const reservation = async () => table('people').get(credentialKey(hashSecret(credentialId)));
    expect(await reservation()).toMatchObject({ purge_at: T + 60 });
    loseNext('UpdateItem');
    await records.restore(userId, credentialId);
    expect(await reservation()).not.toHaveProperty('purge_at');
    expect(await records.listOf(userId)).toHaveLength(1);
  });

  test('recording a passkey login succeeds if the DynamoDB response is lost', async () => {
    const passkey = somePasskey({ signCount: 5 });
    await passkeyRecords(table('people')).put(passkey);
    const use = { userId: passkey.userId, credentialId: passkey.credentialId, signCount: 6, at: T };
    const one = { ...use, backupEligible: true, backedUp: true, challenge: 'one' };
    loseNext('UpdateItem');
    expect(await passkeys(table('people')).recordUse(one)).toBe(true);
    expect(await passkeys(table('people')).recordUse({ ...one, challenge: 'two' })).toBe(false);
  });

  test('storing a device key succeeds if the DynamoDB response is lost', async () => {
    const key = someDeviceKey();
    loseNext('PutItem');
    expect(await deviceKeys(table('people')).put(key)).toBe(true);
    expect(await deviceKeys(table('people')).put(key)).toBe(false);
  });
});
