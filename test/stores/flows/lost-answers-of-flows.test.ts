import { describe, expect, test } from '@jest/globals';
import { authorizationCodes } from '../../../shared/dynamo/flows/authorization-codes.ts';
import { loginTransactions } from '../../../shared/dynamo/flows/login-transactions.ts';
import { pushedRequests } from '../../../shared/dynamo/flows/pushed-requests.ts';
import { replayGuard } from '../../../shared/dynamo/flows/replay-guard.ts';
import { sessions } from '../../../shared/dynamo/flows/sessions.ts';
import {
  someAuthorizationCode,
  someLoginTransaction,
  somePushedRequest,
} from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { someFamily, someSession, someUse, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('lost DynamoDB responses in redirect flows', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const loseNext = (action: string) => proxy().lose(action, 'break');
  const codes = () => authorizationCodes(table('flows'));
  const logins = () => loginTransactions(table('flows'));
  const requests = () => pushedRequests(table('flows'));
  const all = () => sessions(table('flows'));

  const createRotation = (presentedHash: string) => ({
    at: T + 1,
    nextHash: unique('next'),
    previous: {
      ...{ hash: presentedHash, rotatedAt: T + 1, expiresAt: T + 3600 },
      ...{ sealedSuccessor: 'sealed', jti: 'jti' },
    },
    familyExpiresAt: T + 3600,
    sessionExpiresAt: T + 1000,
  });
  async function started() {
    const family = someFamily({ currentHash: unique('presented') });
    const session = someSession({ families: [family] });
    await all().start(session);
    return { session, family, sessionId: session.sessionId, familyId: family.familyId };
  }
  const joining = { at: T + 1, expiresAt: T + 100, dropFamilies: [] } as const;
  const sms = [someUse({ method: 'sms', at: T + 1 })];

  describe('writes that succeed although the DynamoDB response is lost', () => {
    test('adding a second factor to a code succeeds if the DynamoDB response is lost', async () => {
      const some = () => someAuthorizationCode({ requireMfa: true });
      const [upgraded, spent] = [some(), some()];
      for (const code of [upgraded, spent]) await codes().put(code);
      const { methods, sessionId, startsSession } = upgraded;
      const change = { methods, sessionId, startsSession, expiresAt: T + 60, at: T };
      loseNext('UpdateItem');
      expect(await codes().upgrade(upgraded.hash, change)).toBe(true);
      expect(await codes().upgrade(upgraded.hash, change)).toBe(false);
      loseNext('UpdateItem');
      expect(await codes().spend(spent.hash, T)).toBe(true);
      expect(await codes().spend(spent.hash, T)).toBe(false);
    });

    test('starting a login succeeds if the DynamoDB response is lost', async () => {
      const transaction = someLoginTransaction();
      loseNext('PutItem');
      expect(await logins().put(transaction)).toBe(true);
      expect(await logins().put(transaction)).toBe(false);
      const skipped = unique('hash');
      loseNext('PutItem');
      expect(await logins().skip(skipped, T + 60, T)).toBe(true);
      expect(await logins().skip(skipped, T + 60, T)).toBe(false);
    });

    test('storing a login step succeeds if the DynamoDB response is lost', async () => {
      const transaction = someLoginTransaction();
      await logins().put(transaction);
      loseNext('UpdateItem');
      expect(await logins().advance(transaction, '{"n":2}', T)).toBe(true);
      expect(await logins().find(transaction.hash, T)).toMatchObject({ version: 1 });
    });

    test('using a pushed authorization request succeeds if the DynamoDB response is lost', async () => {
      const request = somePushedRequest();
      await requests().put(request);
      loseNext('UpdateItem');
      expect(await requests().spend(request, 'own', T)).toEqual(request);
      expect(await requests().spend(request, 'other', T)).toBeUndefined();
    });

    test('using a single-use ID succeeds if the DynamoDB response is lost', async () => {
      const guard = replayGuard(table('flows'));
      const id = unique('jti');
      for (const at of [T, T + 60]) {
        loseNext('PutItem');
        expect(await guard.spend('client', id, at + 60, at)).toBe(true);
        expect(await guard.spend('client', id, at + 60, at)).toBe(false);
      }
    });

    test('replacing the browser secret of a session succeeds if the DynamoDB response is lost', async () => {
      const session = someSession({ browserHash: 'former' });
      await all().start(session);
      const browser = { formerHash: 'former', nextHash: 'next', methods: sms };
      loseNext('UpdateItem');
      expect(await all().join(session.sessionId, { ...joining, methods: sms, browser })).toBe(true);
      expect(await all().find(session.sessionId, T)).toMatchObject({ browserHash: 'next' });
      loseNext('UpdateItem');
      await all().releaseBrowser(session.sessionId, 'next');
      expect(await all().find(session.sessionId, T)).not.toHaveProperty('browserHash');
    });

    test('starting or joining a session succeeds if the DynamoDB response is lost', async () => {
      const session = someSession({ families: [] });
      loseNext('PutItem');
      expect(await all().start(session)).toBe(true);
      loseNext('UpdateItem');
      expect(await all().join(session.sessionId, { ...joining, methods: sms })).toBe(true);
      loseNext('UpdateItem');
      const family = someFamily();
      expect(await all().join(session.sessionId, { ...joining, methods: [], family })).toBe(true);
      const found = await all().find(session.sessionId, T + 1);
      expect(found).toMatchObject({ methods: [...session.methods, ...sms], families: [family] });
    });

    test('a retry after a lost response does not mistake another caller’s session for its own', async () => {
      const family = someFamily({ currentHash: 'winner' });
      for (const held of [{ families: [family] }, { families: [], browserHash: 'winner' }]) {
        const session = someSession(held);
        loseNext('PutItem');
        expect(await all().start(session)).toBe(true);
        const other = { families: held.families.map(() => ({ ...family, currentHash: 'other' })) };
        loseNext('PutItem');
        expect(await all().start({ ...session, ...other, browserHash: 'other' })).toBe(false);
      }
    });

    test('rotating a refresh token succeeds if the DynamoDB response is lost', async () => {
      const { sessionId, familyId, family } = await started();
      const change = createRotation(family.currentHash);
      loseNext('UpdateItem');
      expect(await all().rotate(sessionId, familyId, change)).toBe(true);
      expect(await all().rotate(sessionId, familyId, createRotation(family.currentHash))).toBe(false);
      expect((await all().find(sessionId, T + 1))?.families).toMatchObject([
        { currentHash: change.nextHash },
      ]);
    });

    test('replacing an unused refresh token succeeds if the DynamoDB response is lost', async () => {
      const { sessionId, familyId, family } = await started();
      const ends = { familyExpiresAt: T + 3600, sessionExpiresAt: T + 1000 };
      loseNext('UpdateItem');
      const kept = { at: T + 1, presentedHash: family.currentHash, ...ends };
      expect(await all().renew(sessionId, familyId, kept)).toBe(true);
      const first = createRotation(family.currentHash);
      await all().rotate(sessionId, familyId, first);
      loseNext('UpdateItem');
      const second = { ...createRotation(family.currentHash), unusedHash: first.nextHash };
      expect(await all().rotate(sessionId, familyId, second)).toBe(true);
      expect((await all().find(sessionId, T + 1))?.families).toMatchObject([
        { currentHash: second.nextHash },
      ]);
    });

    test('only one of 20 concurrent refresh token rotations succeeds if DynamoDB responses are lost', async () => {
      const { sessionId, familyId, family } = await started();
      proxy().lose('UpdateItem', 'break', 5);
      const wins = await atOnce(20, () =>
        all().rotate(sessionId, familyId, createRotation(family.currentHash)),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
    });

    test('ending a refresh token family succeeds if the DynamoDB response is lost', async () => {
      const { sessionId, familyId } = await started();
      loseNext('UpdateItem');
      expect(await all().endFamily(sessionId, familyId, T + 1)).toBe(true);
      expect(await all().endFamily(sessionId, familyId, T + 1)).toBe(false);
    });
  });

  test('blocking the start of a session succeeds if the DynamoDB response is lost', async () => {
    const [session, family] = [someSession(), someFamily()];
    loseNext('PutItem');
    await all().forbid(session.sessionId, T);
    expect(await all().start(session)).toBe(false);

    const { sessionId } = await started();
    loseNext('UpdateItem');
    expect(await all().endFamily(sessionId, family.familyId, T + 1)).toBe(false);
    expect(await all().join(sessionId, { ...joining, methods: [], family })).toBe(false);
  });

  describe('retries of DynamoDB writes that arrive late', () => {
    test('a delayed retry does not restore a consumed authorization code', async () => {
      const code = someAuthorizationCode();
      await codes().put(code);
      await codes().consume(code.hash, T);
      await proxy().deliverAgain('PutItem');
      expect(await codes().find(code.hash)).toMatchObject({ consumedAt: T });
    });

    test('a delayed retry does not restore a used pushed authorization request', async () => {
      const request = somePushedRequest();
      await requests().put(request);
      await requests().spend(request, 'own', T);
      await proxy().deliverAgain('PutItem');
      expect(await requests().spend(request, 'other', T)).toBeUndefined();

      const transaction = someLoginTransaction();
      await logins().put(transaction);
      await logins().advance(transaction, '{"n":2}', T);
      await proxy().deliverAgain('PutItem');
      expect(await logins().find(transaction.hash, T)).toMatchObject({ version: 1 });
    });

    test('a delayed retry does not restore a rotated refresh token', async () => {
      const { sessionId, familyId, family } = await started();
      const directly = sessions(store().table('flows'));
      const one = createRotation(family.currentHash);
      await all().rotate(sessionId, familyId, one);
      const two = createRotation(one.nextHash);
      await directly.rotate(sessionId, familyId, two);
      await proxy().deliverAgain('UpdateItem');
      expect((await directly.find(sessionId, T + 1))?.families).toMatchObject([
        { currentHash: two.nextHash },
      ]);

      const joined = someFamily();
      await all().join(sessionId, { ...joining, methods: sms, family: joined });
      await directly.endFamily(sessionId, joined.familyId, T + 1);
      await proxy().deliverAgain('UpdateItem');
      const found = await directly.find(sessionId, T + 1);
      expect(found?.families.map((living) => living.familyId)).toEqual([familyId]);
      expect(found?.methods).toHaveLength(2);
    });

    test('a delayed retry does not add a login method to a session twice', async () => {
      const { session, sessionId } = await started();
      await all().join(sessionId, { ...joining, methods: sms });
      await proxy().deliverAgain('UpdateItem');
      expect((await all().find(sessionId, T + 1))?.methods).toEqual([...session.methods, ...sms]);
    });
  });
});
