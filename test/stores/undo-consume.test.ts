import { describe, expect, test } from '@jest/globals';
import { approvals } from '../../shared/dynamo/flows/approvals.ts';
import { authorizationCodes } from '../../shared/dynamo/flows/authorization-codes.ts';
import { loginTransactions } from '../../shared/dynamo/flows/login-transactions.ts';
import { magicLinks } from '../../shared/dynamo/flows/magic-links.ts';
import { oneTimeCodes } from '../../shared/dynamo/flows/one-time-codes.ts';
import { upstreamLogins } from '../../shared/dynamo/flows/upstream-logins.ts';
import { webauthnChallenges } from '../../shared/dynamo/flows/webauthn-challenges.ts';
import { sessionExchanges } from '../../shared/dynamo/people/session-exchanges.ts';
import { userRecords } from '../../shared/dynamo/people/users.ts';
import type { Table } from '../../shared/dynamo/table.ts';
import {
  someAuthorizationCode,
  someLoginTransaction,
  someUpstreamLogin,
} from '../support/fixtures/flow-records.ts';
import { someApproval, someChallenge } from '../support/fixtures/signing-records.ts';
import { atOnce } from '../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../support/server/lossy-store.ts';
import { someCode, someCodeKey, someLink, someUser, T } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

/** Stored single-use secret. `holder` identifies the request that consumes or restores the secret. */
interface Held {
  consume(holder: string): Promise<boolean>;
  undoConsume(holder: string): Promise<void>;
}

/** Function that stores a secret. Returns a function that accesses the secret through the given table client. */
type Kind = (table: Table) => Promise<(through: Table) => Held>;

const kinds: Readonly<Record<string, Kind>> = {
  async 'a passcode'(table) {
    const [key, code] = [someCodeKey(), someCode()];
    await oneTimeCodes(table).put(key, code);
    await oneTimeCodes(table).countAttempt(key, { at: T });
    return (through) => ({
      consume: (holder) => oneTimeCodes(through).consume(key, code.mac, { at: T + 1, holder }),
      undoConsume: (holder) => oneTimeCodes(through).undoConsume(key, code.mac, holder, T + 1),
    });
  },
  async 'a link'(table) {
    const link = someLink();
    await magicLinks(table).put(link);
    return (through) => ({
      consume: (holder) => magicLinks(through).consume(link.hash, T + 1, holder),
      undoConsume: (holder) => magicLinks(through).undoConsume(link, holder),
    });
  },
  async 'an authorization code'(table) {
    const code = someAuthorizationCode();
    await authorizationCodes(table).put(code);
    return (through) => ({
      consume: (holder) => authorizationCodes(through).consume(code.hash, T + 1, undefined, holder),
      undoConsume: (holder) => authorizationCodes(through).undoConsume(code, holder),
    });
  },
  async 'a challenge of passkeys'(table) {
    const challenge = someChallenge();
    await webauthnChallenges(table).put(challenge);
    return (through) => ({
      consume: (holder) => webauthnChallenges(through).consume(challenge.hash, T + 1, holder),
      undoConsume: (holder) => webauthnChallenges(through).undoConsume(challenge.hash, holder),
    });
  },
  async 'an approval'(table) {
    const approval = someApproval();
    await approvals(table).put(approval);
    return (through) => ({
      consume: (holder) => approvals(through).consume(approval.hash, T + 1, holder),
      undoConsume: (holder) => approvals(through).undoConsume(approval.hash, holder),
    });
  },
  async 'the answer of a provider'(table) {
    const login = someUpstreamLogin();
    await upstreamLogins(table).put(login);
    return (through) => ({
      consume: (holder) => upstreamLogins(through).consume(login.hash, T + 1, holder),
      undoConsume: (holder) => upstreamLogins(through).undoConsume(login.hash, holder),
    });
  },
  async 'a login on the pages'(table) {
    const login = someLoginTransaction();
    await loginTransactions(table).put(login);
    return (through) => ({
      consume: (holder) => loginTransactions(through).finish(login.hash, T + 1, holder),
      undoConsume: (holder) => loginTransactions(through).reopen(login, holder),
    });
  },
  async 'a session of a former system'(table) {
    const user = someUser();
    await userRecords(table).put(user);
    return (through) => ({
      consume: (holder) => sessionExchanges(through).record(user, T + 1, holder),
      undoConsume: (holder) => sessionExchanges(through).remove(user.userId, holder),
    });
  },
};

describeStore('consumed and restored secrets', (store) => {
  const { proxy, table } = useLossyStore(store, PATIENT_MS);
  const flows = () => store().table('flows');

  describe.each(Object.entries(kinds))('stored single-use secret: %s', (_, make) => {
    test('only one of 30 concurrent requests can consume a single-use secret', async () => {
      const others = (await make(flows()))(flows());
      expect((await atOnce(30, (n) => others.consume(`holder ${n}`))).filter(Boolean)).toHaveLength(1);
      const through = await make(flows());
      proxy().lose('UpdateItem', 'break', 5);
      const wins = await atOnce(20, (n) => through(table('flows')).consume(`holder ${n}`));
      expect(wins.filter(Boolean)).toHaveLength(1);
      const alone = await make(flows());
      proxy().lose('UpdateItem', 'break');
      expect(await alone(table('flows')).consume('holder')).toBe(true);
      expect(await alone(flows()).consume('another')).toBe(false);
    });

    test('a delayed request cannot consume a single-use secret that its caller has restored', async () => {
      const { consume, undoConsume } = (await make(flows()))(flows());
      await undoConsume('late');
      expect(await consume('late')).toBe(false);
      expect((await atOnce(30, (n) => consume(`holder ${n}`))).filter(Boolean)).toHaveLength(1);
    });

    test('a delayed retry does not consume a single-use secret that was restored before the retry', async () => {
      const through = await make(flows());
      const { consume, undoConsume } = through(flows());
      expect(await through(table('flows')).consume('twice')).toBe(true);
      await undoConsume('twice');
      await proxy().deliverAgain('UpdateItem');
      expect(await consume('next')).toBe(true);
      await proxy().deliverAgain('UpdateItem');
      expect(await consume('another')).toBe(false);
    });

    test('a caller that has restored a single-use secret cannot consume the secret again', async () => {
      const { consume, undoConsume } = (await make(flows()))(flows());
      await undoConsume('one');
      expect(await consume('holder')).toBe(true);
      await undoConsume('two');
      expect(await consume('another')).toBe(false);
      await undoConsume('holder');
      for (const late of ['one', 'two', 'holder']) expect(await consume(late)).toBe(false);
      expect(await consume('another')).toBe(true);
    });

    test('after a single-use secret is restored and consumed concurrently, another caller can consume it', async () => {
      const { consume, undoConsume } = (await make(flows()))(flows());
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([consume(`holder ${round}`), undoConsume(`holder ${round}`)]);
        expect(await consume(`holder ${round}`)).toBe(false);
      }
      expect(await consume('next')).toBe(true);
      expect(await consume('another')).toBe(false);
    });

    test('restoring an unknown single-use secret writes nothing', async () => {
      const { consume, undoConsume } = (await make(store().table('people')))(flows());
      await undoConsume('holder');
      expect(await consume('another')).toBe(false);
    });
  });
});
