import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { applicationRecords, applications } from '../../../shared/dynamo/directory/applications.ts';
import { rpIds } from '../../../shared/dynamo/directory/relying-parties.ts';
import { credentialKey, userPartition } from '../../../shared/dynamo/keys.ts';
import { deviceKeys } from '../../../shared/dynamo/people/device-keys.ts';
import { passkeyRecords, passkeys } from '../../../shared/dynamo/people/passkeys.ts';
import { userRecords } from '../../../shared/dynamo/people/users.ts';
import { someDeviceKey, somePasskey } from '../../support/fixtures/signing-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { provenTrust, someApplication, someUser, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('stored passkeys', (store) => {
  const records = () => passkeyRecords(store().table('people'));
  const logins = () => passkeys(store().table('people'));

  async function stored(change: Parameters<typeof somePasskey>[0] = {}) {
    const passkey = somePasskey(change);
    await records().reserve(passkey.credentialId, passkey.userId, T);
    await records().put(passkey);
    return passkey;
  }

  test('only one of 20 concurrent users can reserve the same credential ID', async () => {
    const id = unique('credential');
    const wins = await atOnce(20, (n) => records().reserve(id, `user-${n}`, T));
    expect(wins.filter(Boolean)).toHaveLength(1);
    const owner = `user-${wins.indexOf(true)}`;
    expect(await logins().findOwner(id)).toBe(owner);
    expect(await records().reserve(id, owner, T + 1)).toBe(true);
    expect(await records().reserve(id, 'other', T + 1)).toBe(false);
  });

  test('a credential ID reserved by an unfinished sign-up becomes free again', async () => {
    const purgedAt = async (id: string) =>
      (
        await store()
          .table('people')
          .query(credentialKey(hashSecret(id)).pk)
      )[0]?.purge_at;
    const [left, kept] = [unique('credential'), unique('credential')];
    for (const id of [left, kept]) expect(await records().reserve(id, 'new', T, T + 60)).toBe(true);
    expect(await records().reserve(kept, 'other', T)).toBe(false);
    expect(await records().reserve(kept, 'new', T)).toBe(true);
    await records().restore('new', left);
    expect([await purgedAt(left), await purgedAt(kept)]).toEqual([T + 60, undefined]);
  });

  test('only the owner of a passkey can find it', async () => {
    const passkey = somePasskey({ name: 'Phone', lastUsedAt: T + 1 });
    const { userId, credentialId } = passkey;
    const puts = await atOnce(10, () => records().put(passkey));
    expect(puts.filter(Boolean)).toHaveLength(1);
    expect(await logins().find(userId, credentialId)).toEqual(passkey);
    expect(await logins().find(unique('user'), credentialId)).toBeUndefined();
    expect(await records().listOf(userId)).toEqual([passkey]);
  });

  describe('removing and restoring passkeys', () => {
    async function removed() {
      const passkey = await stored({ signCount: 4 });
      expect(await records().remove(passkey.userId, passkey.credentialId, T + 60)).toBe(true);
      return passkey;
    }
    const purgedAt = async (pk: string) => (await store().table('people').query(pk))[0]?.purge_at;

    test('only one of 10 concurrent callers can remove the same passkey', async () => {
      const { userId, credentialId } = await stored();
      const removals = await atOnce(10, () => records().remove(userId, credentialId, T + 60));
      expect(removals.filter(Boolean)).toHaveLength(1);
    });

    test('a removed passkey cannot be used, listed or renamed', async () => {
      const { userId, credentialId } = await removed();
      const use = {
        ...{ userId, credentialId, signCount: 5, backupEligible: true, backedUp: false },
        ...{ at: T, challenge: 'one' },
      };
      expect(await logins().recordUse(use)).toBe(false);
      expect(await logins().find(userId, credentialId)).toBeUndefined();
      expect(await records().rename(userId, credentialId, 'Key')).toBeUndefined();
      for (const list of [records().listOf(userId), logins().listOf(userId)]) expect(await list).toEqual([]);
    });

    test('a removed passkey can be used only to undo its own removal', async () => {
      const { userId, credentialId } = await removed();
      const [own, others] = [[credentialId], [unique('credential')]];
      expect(await logins().find(userId, credentialId, own)).toMatchObject({ credentialId });
      expect(await logins().listOf(userId, own)).toHaveLength(1);
      expect(await logins().find(userId, credentialId, others)).toBeUndefined();
      expect(await logins().listOf(userId, others)).toEqual([]);
      const use = {
        userId,
        credentialId,
        signCount: 9,
        backupEligible: true,
        backedUp: true,
        at: T + 1,
        challenge: unique('hash'),
      };
      expect(await logins().recordUse(use)).toBe(false);
      expect(await logins().recordUse({ ...use, mayBeRemoved: true })).toBe(true);
    });

    test('other users cannot reserve the credential ID of a removed passkey', async () => {
      const { userId, credentialId } = await removed();
      expect(await records().reserve(credentialId, unique('other'), T)).toBe(false);
      expect(await purgedAt(userPartition(userId))).toBe(T + 60);
      expect(await purgedAt(credentialKey(hashSecret(credentialId)).pk)).toBe(T + 60);
    });

    test('a restored passkey has the same data as before its removal', async () => {
      const passkey = await removed();
      const { userId, credentialId } = passkey;
      await logins().updateTrust(userId, credentialId, { ...provenTrust, scope: 'app' });
      for (const _ of [1, 2]) await records().restore(userId, credentialId);
      expect(await records().listOf(userId)).toEqual([passkey]);
      expect(await logins().findOwner(credentialId)).toBe(userId);
      expect(await purgedAt(userPartition(userId))).toBeUndefined();
      expect(await purgedAt(credentialKey(hashSecret(credentialId)).pk)).toBeUndefined();
      expect(await records().remove(userId, credentialId, T + 60)).toBe(true);
    });

    test('erasing a user erases the user’s removed passkeys', async () => {
      const { userId, credentialId } = await removed();
      const [own, other] = [await stored({ userId }), await stored()];
      await records().forgetAllOf(userId);
      await records().restore(userId, credentialId);
      expect(await store().table('people').query(userPartition(userId))).toEqual([]);
      for (const id of [credentialId, own.credentialId])
        expect(await records().reserve(id, unique('other'), T)).toBe(true);
      expect(await logins().findOwner(other.credentialId)).toBe(other.userId);
      expect(await records().listOf(other.userId)).toEqual([other]);
    });
  });

  test('a trust level cannot be stored for a passkey that does not exist', async () => {
    const passkey = await stored();
    const key = someDeviceKey({ userId: passkey.userId });
    await deviceKeys(store().table('people')).put(key);
    const trust = { standing: 'vouched', scope: 'app', generation: 7, since: T + 1 } as const;
    const { userId, credentialId } = passkey;
    for (const id of [credentialId, 'gone']) await logins().updateTrust(userId, id, trust);
    for (const id of [key.keyId, 'gone'])
      await deviceKeys(store().table('people')).updateTrust(userId, id, trust);
    expect(await records().listOf(userId)).toEqual([{ ...passkey, ...trust }]);
    expect(await deviceKeys(store().table('people')).listOf(userId)).toEqual([{ ...key, ...trust }]);
  });

  test('a user cannot remove a passkey of another user', async () => {
    const { userId, credentialId } = await stored();
    expect(await records().remove(unique('user'), credentialId, T)).toBe(false);
    expect(await logins().findOwner(credentialId)).toBe(userId);
  });

  test('a passkey that does not exist cannot be renamed', async () => {
    const passkey = await stored();
    const { userId, credentialId } = passkey;
    expect(await records().rename(userId, credentialId, 'Key')).toEqual({ ...passkey, name: 'Key' });
    expect(await records().rename(userId, unique('credential'), 'Key')).toBeUndefined();
    expect(await records().rename(unique('user'), credentialId, 'Key')).toBeUndefined();
  });

  describe('storing passkey signature counters', () => {
    const use = (passkey: ReturnType<typeof somePasskey>, signCount: number, challenge = unique('hash')) =>
      logins().recordUse({
        ...{ ...passkey, signCount, backupEligible: true, backedUp: true },
        ...{ at: T + 1, challenge },
      });

    test('only one of 20 concurrent passkey logins with the same signature counter is recorded', async () => {
      const passkey = await stored({ signCount: 4 });
      const challenges = Array.from({ length: 20 }, () => unique('hash'));
      const useAll = () => Promise.all(challenges.map((challenge) => use(passkey, 5, challenge)));
      const wins = await useAll();
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await useAll()).toEqual(wins);
      const winner = challenges[wins.indexOf(true)];
      for (const count of [4, 0]) expect(await use(passkey, count, winner)).toBe(false);
      const { userId, credentialId } = passkey;
      expect(await logins().find(userId, credentialId)).toMatchObject({
        signCount: 5,
        backedUp: true,
        lastUsedAt: T + 1,
      });
    });

    test('N106 a passkey login with a signature counter below the stored value is rejected', async () => {
      const passkey = await stored({ signCount: 4 });
      for (const count of [4, 3, 0]) expect(await use(passkey, count)).toBe(false);
      expect(await use(passkey, 9)).toBe(true);
    });

    test('N106 a user can log in repeatedly with a passkey that has no signature counter', async () => {
      const passkey = await stored();
      for (const _ of [1, 2]) expect(await use(passkey, 0)).toBe(true);
      expect(await use(passkey, 1)).toBe(true);
      expect(await use(passkey, 0)).toBe(false);
    });

    test('recording a login with a deleted passkey fails', async () => {
      expect(await use(somePasskey(), 0)).toBe(false);
    });
  });

  test('only the owner of a device key can find it', async () => {
    const keys = deviceKeys(store().table('people'));
    const key = someDeviceKey({ algorithm: 'rsa-pss' });
    const puts = await atOnce(10, () => keys.put(key));
    expect(puts.filter(Boolean)).toHaveLength(1);
    expect(await keys.find(key.userId, key.keyId)).toEqual(key);
    expect(await keys.find(unique('user'), key.keyId)).toBeUndefined();
    expect(await keys.listOf(key.userId)).toEqual([key]);
    const removals = await atOnce(10, () => keys.remove(key.userId, key.keyId));
    expect(removals.filter(Boolean)).toHaveLength(1);
  });

  test('erasing a user erases the user’s passkeys and device keys', async () => {
    const user = someUser();
    await userRecords(store().table('people')).put(user);
    await stored({ userId: user.userId });
    await deviceKeys(store().table('people')).put(someDeviceKey({ userId: user.userId }));
    expect(await records().listOf(user.userId)).toHaveLength(1);
    await userRecords(store().table('people')).remove(user.userId);
    expect(await store().table('people').query(userPartition(user.userId))).toEqual([]);
  });

  describe('storing the RP ID of an application', () => {
    const directory = () => store().table('directory');

    test('only one of 20 concurrent requests with different hosts can permanently set the RP ID of an application', async () => {
      const application = someApplication();
      await applicationRecords(directory()).put(application);
      const { applicationId } = application;
      const hosts = Array.from({ length: 20 }, (_, n) => `host-${n}.example`);
      const wins = await atOnce(20, (n) => rpIds(directory()).fix(applicationId, hosts[n] ?? ''));
      expect(wins.filter(Boolean)).toHaveLength(1);
      const fixed = hosts[wins.indexOf(true)] ?? '';
      expect(
        await applications(directory(), { areas: 'all', testIdentities: true }).find(applicationId),
      ).toMatchObject({ fixedRpId: fixed });
      expect(await rpIds(directory()).fix(applicationId, fixed)).toBe(true);
      const changed = { ...application, rpId: 'other.example' };
      expect(await applicationRecords(directory()).replace(application, changed)).toBe(false);
    });

    test('the RP ID of an application can be fixed only to the RP ID in its settings', async () => {
      const application = someApplication({ rpId: 'set.example' });
      await applicationRecords(directory()).put(application);
      expect(await rpIds(directory()).fix(application.applicationId, 'default.example')).toBe(false);
      expect(await rpIds(directory()).fix(application.applicationId, 'set.example')).toBe(true);
      expect(await rpIds(directory()).fix(unique('app'), 'set.example')).toBe(false);
    });
  });
});
