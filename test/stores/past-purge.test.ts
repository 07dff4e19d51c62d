import { expect, test } from '@jest/globals';
import { PASSCODE_FAILURES_KEPT_SECONDS } from '../../shared/domain/basis/limits.ts';
import { guesses } from '../../shared/dynamo/flows/guesses.ts';
import { passkeyRecords, passkeys } from '../../shared/dynamo/people/passkeys.ts';
import { seenDevices } from '../../shared/dynamo/people/timeline.ts';
import { somePasskey } from '../support/fixtures/signing-records.ts';
import { atOnce } from '../support/server/at-once.ts';
import { codesIn } from '../support/server/code-state.ts';
import { someCode, someCodeKey, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

// An item whose `purge_at` has passed must count as absent in conditional writes, although TTL has not deleted it yet.

const MONTH = PASSCODE_FAILURES_KEPT_SECONDS;

describeStore('items whose purge_at time has passed', (store) => {
  const people = () => store().table('people');
  const { codes, whyNot } = codesIn(() => store().table('flows'));

  test('wrong codes do not count after their purge_at time, even if DynamoDB has not deleted their item', async () => {
    const counter = { userHash: unique('person'), callerType: 'strangers' };
    const counts = guesses(store().table('flows'));
    for (let n = 1; n <= 5; n += 1) await counts.count(counter, 5, T);
    expect(await counts.count(counter, 5, T + MONTH - 1)).toBeUndefined();
    const counted = await atOnce(20, () => counts.count(counter, 5, T + MONTH));
    expect(counted.filter((failures) => failures !== undefined).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  test('failed attempts do not count for the next one-time code after their purge_at time', async () => {
    const key = someCodeKey();
    await codes().put(key, someCode({ expiresAt: T + 300 }));
    for (let n = 1; n <= 2; n += 1) expect(await whyNot(key, { at: T + 1 })).toBe('counted');
    const later = T + 1 + MONTH;
    const sent = { sentAt: later, expiresAt: later + 300 };
    await atOnce(5, () => codes().put(key, someCode(sent)));
    const tries = await atOnce(20, () => whyNot(key, { at: later }));
    expect(tries.filter((why) => why === 'counted')).toHaveLength(3);
  });

  test('a one-time code is rejected after its purge_at time, even if DynamoDB has not deleted the code', async () => {
    const key = someCodeKey();
    await codes().put(key, someCode({ expiresAt: T + 300 }));
    const at = T + 300 + MONTH;
    expect(await whyNot(key, { at, expired: true })).toBe('absent');
    expect(await whyNot(key, { at: at - 1, expired: true })).toBe('counted');
  });

  test('after the purge_at time of a known device, only one of many concurrent logins treats the device as new', async () => {
    const user = unique('user');
    const note = (device: string, eventId: string, at: number) =>
      seenDevices(people()).note(user, { device, eventId, at, purgeAt: at + 100 });
    await note('one', 'first', T);
    await note('other', 'second', T + 50);
    expect(await note('one', 'third', T + 99)).toBe('known');
    const noted = await atOnce(10, (n) => note('one', `again${n}`, T + 100));
    expect(noted.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'known'), 'new']);
    expect(await note('one', 'last', T + 500)).toBe('first');
  });

  test("after a removed passkey's purge_at time, another user can reserve its credential ID", async () => {
    const [records, passkey] = [passkeyRecords(people()), somePasskey()];
    const { credentialId, userId } = passkey;
    await records.reserve(credentialId, userId, T);
    await records.put(passkey);
    await records.remove(userId, credentialId, T + 60);
    expect(await records.reserve(credentialId, 'other', T + 59)).toBe(false);
    const wins = await atOnce(10, (n) => records.reserve(credentialId, `user${n}`, T + 60));
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await records.put({ ...passkey, createdAt: T + 59 })).toBe(false);
    expect(await records.put({ ...passkey, createdAt: T + 60 })).toBe(true);
    expect(await passkeys(people()).find(userId, credentialId)).toBeDefined();
  });
});
