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
import { useLossyStore } from '../../support/server/lossy-store.ts';
import { someFamily, someSession, someUse, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('in the redirect flows an answer that is lost after the write', (store) => {
  const { proxy, table } = useLossyStore(store);
  const loseNext = (action: string) => proxy().lose(action, 'break');
  const codes = () => authorizationCodes(table('flows'));
  const logins = () => loginTransactions(table('flows'));
  const requests = () => pushedRequests(table('flows'));
  const all = () => sessions(table('flows'));

  const rotationOf = (presentedHash: string) => ({
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

  describe('does not turn a winner into a loser', () => {
    test('who upgrades or spends a code', async () => {
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

    test('who begins a login, or skips it', async () => {
      const transaction = someLoginTransaction();
      loseNext('PutItem');
      expect(await logins().put(transaction)).toBe(true);
      expect(await logins().put(transaction)).toBe(false);
      const skipped = unique('hash');
      loseNext('PutItem');
      expect(await logins().skip(skipped, T + 60, T)).toBe(true);
      expect(await logins().skip(skipped, T + 60, T)).toBe(false);
    });

    test('who goes on with a login', async () => {
      const transaction = someLoginTransaction();
      await logins().put(transaction);
      loseNext('UpdateItem');
      expect(await logins().advance(transaction, '{"n":2}', T)).toBe(true);
      expect(await logins().find(transaction.hash, T)).toMatchObject({ version: 1 });
    });

    test('who spends a pushed request', async () => {
      const request = somePushedRequest();
      await requests().put(request);
      loseNext('UpdateItem');
      expect(await requests().spend(request, 'own', T)).toEqual(request);
      expect(await requests().spend(request, 'other', T)).toBeUndefined();
    });

    test('a secret that counts once, also after the expiry of the use before', async () => {
      const guard = replayGuard(table('flows'));
      const id = unique('jti');
      for (const at of [T, T + 60]) {
        loseNext('PutItem');
        expect(await guard.spend('client', id, at + 60, at)).toBe(true);
        expect(await guard.spend('client', id, at + 60, at)).toBe(false);
      }
    });

    test('the browser that replaces its secret, or gives its session up', async () => {
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

    test('who starts a session, or joins it with a method or a family alone', async () => {
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

    test('who starts a session with a family or a browser, and no other call of the same code', async () => {
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

    test('who rotates a refresh token', async () => {
      const { sessionId, familyId, family } = await started();
      const change = rotationOf(family.currentHash);
      loseNext('UpdateItem');
      expect(await all().rotate(sessionId, familyId, change)).toBe(true);
      expect(await all().rotate(sessionId, familyId, rotationOf(family.currentHash))).toBe(false);
      expect((await all().find(sessionId, T + 1))?.families).toMatchObject([
        { currentHash: change.nextHash },
      ]);
    });

    test('who keeps a refresh token, or replaces an unused successor', async () => {
      const { sessionId, familyId, family } = await started();
      const ends = { familyExpiresAt: T + 3600, sessionExpiresAt: T + 1000 };
      loseNext('UpdateItem');
      const kept = { at: T + 1, presentedHash: family.currentHash, ...ends };
      expect(await all().renew(sessionId, familyId, kept)).toBe(true);
      const first = rotationOf(family.currentHash);
      await all().rotate(sessionId, familyId, first);
      loseNext('UpdateItem');
      const second = { ...rotationOf(family.currentHash), unusedHash: first.nextHash };
      expect(await all().rotate(sessionId, familyId, second)).toBe(true);
      expect((await all().find(sessionId, T + 1))?.families).toMatchObject([
        { currentHash: second.nextHash },
      ]);
    });

    test('of a refresh token, among many', async () => {
      const { sessionId, familyId, family } = await started();
      proxy().lose('UpdateItem', 'break', 5);
      const wins = await atOnce(20, () => all().rotate(sessionId, familyId, rotationOf(family.currentHash)));
      expect(wins.filter(Boolean)).toHaveLength(1);
    });

    test('who ends a family', async () => {
      const { sessionId, familyId } = await started();
      loseNext('UpdateItem');
      expect(await all().endFamily(sessionId, familyId, T + 1)).toBe(true);
      expect(await all().endFamily(sessionId, familyId, T + 1)).toBe(false);
    });
  });

  test('still forbids what has not begun', async () => {
    const [session, family] = [someSession(), someFamily()];
    loseNext('PutItem');
    await all().forbid(session.sessionId, T);
    expect(await all().start(session)).toBe(false);

    const { sessionId } = await started();
    loseNext('UpdateItem');
    expect(await all().endFamily(sessionId, family.familyId, T + 1)).toBe(false);
    expect(await all().join(sessionId, { ...joining, methods: [], family })).toBe(false);
  });

  describe('does not bring anything back when the repetition arrives late:', () => {
    test('a code that was consumed', async () => {
      const code = someAuthorizationCode();
      await codes().put(code);
      await codes().consume(code.hash, T);
      await proxy().deliverAgain('PutItem');
      expect(await codes().find(code.hash)).toMatchObject({ consumedAt: T });
    });

    test('a pushed request that a browser has, a login that went on', async () => {
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

    test('a token that was rotated on, a family that has ended', async () => {
      const { sessionId, familyId, family } = await started();
      const directly = sessions(store().table('flows'));
      const one = rotationOf(family.currentHash);
      await all().rotate(sessionId, familyId, one);
      const two = rotationOf(one.nextHash);
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

    test('a method that has joined', async () => {
      const { session, sessionId } = await started();
      await all().join(sessionId, { ...joining, methods: sms });
      await proxy().deliverAgain('UpdateItem');
      expect((await all().find(sessionId, T + 1))?.methods).toEqual([...session.methods, ...sms]);
    });
  });
});
