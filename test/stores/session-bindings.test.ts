import { expect, test } from '@jest/globals';
import { consoleSessions } from '../../shared/dynamo/console/console-sessions.ts';
import { sessions } from '../../shared/dynamo/flows/sessions.ts';
import type { DeviceBinding } from '../../shared/ports/signing.ts';
import { atOnce } from '../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../support/server/lossy-store.ts';
import { someSession, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

describeStore('sessions that are bound to a device key', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const all = () => sessions(table('flows'));

  async function started() {
    const binding: DeviceBinding = { secret: unique('secret'), proofs: 0, provenAt: T };
    const session = someSession({ browserHash: unique('browser'), binding });
    await all().start(session);
    return { sessionId: session.sessionId, binding, registration: { secret: binding.secret, at: T + 1 } };
  }
  async function bound() {
    const session = await started();
    const key = unique('key');
    await all().bind(session.sessionId, { ...session.registration, key });
    return { ...session, key };
  }
  const find = async (sessionId: string) => (await all().find(sessionId, T))?.binding;

  test('only one of 20 concurrent registrations of a device key and only one of 20 concurrent proofs changes a console session', async () => {
    const console = consoleSessions(table('flows'));
    const binding: DeviceBinding = { secret: unique('secret'), proofs: 0, provenAt: T };
    const session = { hash: unique('hash'), sealed: 'sealed', expiresAt: T + 9, binding };
    await console.put(session);
    const [{ hash }, key] = [session, unique('key')];
    const bind = () => console.bind(hash, { secret: binding.secret, key, at: T + 1 });
    const countProof = (at: number) => console.countProof(hash, { key, proofs: 0, at });
    expect((await atOnce(20, bind)).filter(Boolean)).toHaveLength(1);
    expect(await countProof(session.expiresAt)).toBe(false);
    expect((await atOnce(20, () => countProof(T + 2))).filter(Boolean)).toHaveLength(1);
    expect((await console.find(hash, T))?.binding).toEqual({ ...binding, key, proofs: 1, provenAt: T + 2 });
  });

  test('only one of 20 concurrent registrations binds a device key to a session', async () => {
    const { sessionId, binding, registration } = await started();
    const keys = Array.from({ length: 20 }, () => unique('key'));
    const results = await Promise.all(keys.map((key) => all().bind(sessionId, { ...registration, key })));
    expect(results.filter(Boolean)).toHaveLength(1);
    const key = keys[results.indexOf(true)];
    expect(await find(sessionId)).toEqual({ ...binding, key, provenAt: T + 1 });
  });

  test('only one of 20 concurrent proofs of a device key for the same challenge is counted', async () => {
    const { sessionId, key, binding } = await bound();
    const results = await atOnce(20, () => all().countProof(sessionId, { key, proofs: 0, at: T + 2 }));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await find(sessionId)).toEqual({ ...binding, key, proofs: 1, provenAt: T + 2 });
  });

  test('a device key can be bound only to an active session and only with the right binding secret', async () => {
    const key = unique('key');
    const ended = await started();
    await all().end(ended.sessionId, T);
    const old = someSession({ browserHash: unique('browser') });
    await all().start(old);
    for (const { sessionId, registration } of [ended, { ...ended, sessionId: old.sessionId }])
      expect(await all().bind(sessionId, { ...registration, key })).toBe(false);
    const { sessionId, registration } = await started();
    expect(await all().bind(sessionId, { ...registration, secret: 'of another session', key })).toBe(false);
  });

  test('a proof of a device key is not counted if its session has ended or is bound to another key', async () => {
    const [other, ended] = [await bound(), await bound()];
    const proof = { proofs: 0, at: T + 2 };
    expect(await all().countProof(other.sessionId, { ...proof, key: unique('key') })).toBe(false);
    await all().end(ended.sessionId, T);
    expect(await all().countProof(ended.sessionId, { ...proof, key: ended.key })).toBe(false);
  });

  test('after a lost DynamoDB response, registering a device key and counting a proof each succeed only once', async () => {
    const { sessionId, registration } = await started();
    const key = unique('key');
    proxy().lose('UpdateItem', 'break');
    expect(await all().bind(sessionId, { ...registration, key })).toBe(true);
    expect(await all().bind(sessionId, { ...registration, key })).toBe(false);
    proxy().lose('UpdateItem', 'break');
    expect(await all().countProof(sessionId, { key, proofs: 0, at: T + 2 })).toBe(true);
    expect(await all().countProof(sessionId, { key, proofs: 0, at: T + 2 })).toBe(false);
  });
});
