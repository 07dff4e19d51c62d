import { describe, expect, test } from '@jest/globals';
import { signingKeyRecords } from '../../shared/dynamo/directory/signing-keys.ts';
import { tenantRecords } from '../../shared/dynamo/directory/tenants.ts';
import { webhookDeliveries } from '../../shared/dynamo/events/webhook-deliveries.ts';
import { guesses } from '../../shared/dynamo/flows/guesses.ts';
import { magicLinks } from '../../shared/dynamo/flows/magic-links.ts';
import { oneTimeCodes } from '../../shared/dynamo/flows/one-time-codes.ts';
import { sessions } from '../../shared/dynamo/flows/sessions.ts';
import { windows } from '../../shared/dynamo/flows/windows.ts';
import { identifierReservations } from '../../shared/dynamo/people/identifiers.ts';
import { membershipRecords } from '../../shared/dynamo/people/memberships.ts';
import { atOnce } from '../support/server/at-once.ts';
import { codeState } from '../support/server/code-state.ts';
import { useLossyStore } from '../support/server/lossy-store.ts';
import {
  someCode,
  someCodeKey,
  someFamily,
  someLink,
  someMembership,
  someSession,
  someSigningKey,
  someTenant,
  someUse,
  T,
  unique,
} from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

describeStore('DynamoDB responses that are lost after the write', (store) => {
  const { proxy, table } = useLossyStore(store);
  const loseNext = (action: string) => proxy().lose(action, 'break');

  describe('records that are written although the DynamoDB response is lost', () => {
    test('ending or joining a session succeeds if the DynamoDB response is lost', async () => {
      const session = someSession();
      await sessions(store().table('flows')).start(session);
      const change = {
        at: T + 1,
        expiresAt: T + 100,
        methods: [someUse({ method: 'sms', at: T + 1 })],
        family: someFamily(),
        dropFamilies: [],
      } as const;
      loseNext('UpdateItem');
      expect(await sessions(table('flows')).join(session.sessionId, change)).toBe(true);
      expect((await sessions(table('flows')).find(session.sessionId, T + 1))?.methods).toHaveLength(2);
      loseNext('UpdateItem');
      expect(await sessions(table('flows')).end(session.sessionId, T + 1)).toBe(true);
      expect(await sessions(table('flows')).end(session.sessionId, T + 1)).toBe(false);
    });

    test('reserving an identifier succeeds if the DynamoDB response is lost', async () => {
      const reservations = identifierReservations(table('people'));
      const [tenantId, identifier] = [unique('tenant'), { type: 'email', value: 'a@example.com' }];
      loseNext('PutItem');
      expect(await reservations.reserve(tenantId, identifier, 'one', T)).toBe('new');
      loseNext('PutItem');
      const seen = { userId: 'one', reservedAt: T };
      expect(
        await reservations.takeOver(tenantId, identifier, seen, { userId: 'two', reservedAt: T + 60 }),
      ).toBe(true);
    });

    test('writing or removing a record succeeds if the DynamoDB response is lost', async () => {
      const records = tenantRecords(table('directory'));
      const tenant = someTenant();
      loseNext('PutItem');
      expect(await records.put(tenant)).toBe(true);
      loseNext('PutItem');
      const next = { ...tenant, name: 'renamed' };
      expect(await records.replace(tenant, next)).toBe(true);
      expect(await records.find(tenant.tenantId)).toEqual(next);
      loseNext('DeleteItem');
      expect(await records.remove(tenant.tenantId)).toBe(true);
      expect(await records.remove(tenant.tenantId)).toBe(false);
      loseNext('PutItem');
      expect(await membershipRecords(table('people')).put(someMembership())).toBe(true);
    });

    test('rotating signing keys succeeds if the DynamoDB response is lost', async () => {
      const keys = signingKeyRecords(table('directory'));
      const key = someSigningKey();
      loseNext('PutItem');
      expect(await keys.put(key)).toBe(true);
      loseNext('UpdateItem');
      expect(await keys.move(key.kid, 'next', 'current', { at: T })).toBe(true);
      expect(await keys.move(key.kid, 'next', 'current', { at: T })).toBe(false);
      await keys.remove(key.kid, 'current');
    });
  });

  test('a conditional delete whose condition is not met fails even if the first response is lost', async () => {
    const key = { pk: unique('pk'), sk: 'sk' };
    await table('directory').put({ ...key, state: 'current' });
    const before = proxy().calls.get('DeleteItem') ?? 0;
    loseNext('DeleteItem');
    const guard = { condition: '#state = :state', values: { state: 'next' } };
    expect(await table('directory').remove(key, guard)).toBe(false);
    expect(proxy().calls.get('DeleteItem')).toBe(before + 2);
    expect(await table('directory').get(key)).toMatchObject({ state: 'current' });
  });

  test('a retry of a DynamoDB write detects without a read that the first attempt succeeded', async () => {
    const link = someLink();
    await magicLinks(table('flows')).put(link);
    const before = proxy().calls.get('GetItem');
    loseNext('UpdateItem');
    expect(await magicLinks(table('flows')).consume(link.hash, T + 1)).toBe(true);
    expect(proxy().calls.get('GetItem')).toBe(before);
  });

  describe('retries of DynamoDB writes that arrive late', () => {
    test('a delayed retry does not make a used one-time code valid again', async () => {
      const codes = oneTimeCodes(table('flows'));
      const [key, code] = [someCodeKey(), someCode()];
      await codes.put(key, code);
      // All other calls bypass the proxy, so that the proxy delivers the write of `put` again.
      const directly = oneTimeCodes(store().table('flows'));
      await directly.countAttempt(key, { at: T });
      await directly.consume(key, code.mac, { at: T + 1 });
      await proxy().deliverAgain('UpdateItem');
      expect((await codeState(store().table('flows'), key))?.code).toMatchObject({ consumedAt: T + 1 });

      const link = someLink();
      await magicLinks(table('flows')).put(link);
      await magicLinks(table('flows')).consume(link.hash, T + 1);
      await proxy().deliverAgain('PutItem');
      expect(await magicLinks(table('flows')).find(link.hash)).toMatchObject({ consumedAt: T + 1 });

      const session = someSession();
      await sessions(table('flows')).start(session);
      await sessions(table('flows')).end(session.sessionId, T + 1);
      await proxy().deliverAgain('PutItem');
      expect(await sessions(table('flows')).find(session.sessionId, T + 1)).toBeUndefined();
    });

    test('a delayed retry that consumes a code does not consume the next code', async () => {
      const codes = oneTimeCodes(table('flows'));
      const [key, code, next] = [someCodeKey(), someCode(), someCode()];
      await codes.put(key, code);
      await codes.countAttempt(key, { at: T });
      await codes.consume(key, code.mac, { at: T + 1 });
      await oneTimeCodes(store().table('flows')).put(key, next);
      await proxy().deliverAgain('UpdateItem');
      expect(await codeState(store().table('flows'), key)).toEqual({ tries: 0, code: next });
    });

    test('storing a one-time code twice because of a retry has the same result as storing it once', async () => {
      const codes = oneTimeCodes(table('flows'));
      const key = someCodeKey();
      loseNext('UpdateItem');
      // The retry finds the code that its first attempt stored. This code must not be returned as an earlier valid code.
      expect(await codes.put(key, someCode({ maxTries: 1 }))).toEqual([]);
      await codes.countAttempt(key, { at: T });
      const next = someCode();
      const before = proxy().calls.get('UpdateItem') ?? 0;
      proxy().lose('UpdateItem', 'break', 2);
      await codes.put(key, next);
      expect(proxy().calls.get('UpdateItem')).toBe(before + 3);
      expect(await codeState(store().table('flows'), key)).toMatchObject({
        code: next,
        lockedUntil: T + next.lockSeconds,
      });
    });
  });

  describe('lost DynamoDB responses while attempts are counted', () => {
    const guard = { at: T + 1 };

    test('an attempt to enter a one-time code is counted once even if the DynamoDB response is lost', async () => {
      const codes = oneTimeCodes(table('flows'));
      const key = someCodeKey();
      await codes.put(key, someCode());
      loseNext('UpdateItem');
      expect(await codes.countAttempt(key, guard)).toMatchObject({ attemptsLeft: 2 });
      expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 });

      const counter = { userHash: unique('person'), callerType: 'strangers' };
      loseNext('UpdateItem');
      expect(await guesses(table('flows')).count(counter, 100, T)).toBe(1);
      expect(await guesses(table('flows')).count(counter, 100, T)).toBe(2);

      const daily = [{ seconds: 86_400, max: 2 }];
      const name = unique('window');
      loseNext('UpdateItem');
      expect(await windows(table('flows')).count(name, daily, T)).toEqual({
        admitted: true,
        exhausted: false,
        fill: 0.5,
      });
      loseNext('UpdateItem');
      expect(await windows(table('flows')).count(name, daily, T)).toEqual({
        admitted: true,
        exhausted: true,
        fill: 1,
      });
      loseNext('UpdateItem');
      await windows(table('flows')).uncount(name, daily, T);
      expect(await windows(table('flows')).count(name, daily, T)).toMatchObject({ fill: 1 });
    });

    test('a delivery attempt of a webhook is stored once even if the DynamoDB response is lost', async () => {
      const deliveries = webhookDeliveries(table('flows'));
      const [webhookId, deliveryId] = [unique('webhook'), unique('delivery')];
      const event = { id: 'event', type: 'user.created', time: '2026-11-28T09:30:00.000Z' } as const;
      loseNext('UpdateItem');
      await deliveries.note({ webhookId, deliveryId, event }, { at: T, attempt: 1, status: 500 });
      expect((await deliveries.find(webhookId, deliveryId))?.attempts).toHaveLength(1);
    });

    test('events in a rate limit window are confirmed only once even if the connection breaks', async () => {
      const name = unique('window');
      const window = windows(table('flows'));
      const send = () => window.count(name, [{ seconds: 86_400, max: 100 }], T, { max: 6, probes: 0 });
      for (let n = 0; n < 6; n += 1) await send();
      loseNext('UpdateItem');
      await window.confirm(name, 86_400, 3, T);
      const outcomes = [await send(), await send(), await send(), await send()];
      expect(outcomes.map(({ admitted }) => admitted)).toEqual([true, true, true, false]);
    });

    test('a delayed retry does not count an attempt to enter a one-time code twice', async () => {
      const codes = oneTimeCodes(table('flows'));
      const [key, code] = [someCodeKey(), someCode()];
      await codes.put(key, code);
      await codes.countAttempt(key, guard);
      await proxy().deliverAgain('UpdateItem');
      expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 });
      await codes.countAttempt(key, guard);
      await codes.refundAttempt(key, code.mac, {});
      await proxy().deliverAgain('UpdateItem');
      expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 });
    });

    describe('retried writes after other callers have changed the same item', () => {
      const OTHERS = 5;
      const others = (run: () => Promise<unknown>) => atOnce(OTHERS, run);

      test('after five attempts by other callers, a retry still does not count its attempt twice', async () => {
        const codes = oneTimeCodes(table('flows'));
        const directly = oneTimeCodes(store().table('flows'));
        const [key, code] = [someCodeKey(), someCode({ maxTries: 20 })];
        await codes.put(key, code);
        await codes.countAttempt(key, guard);
        await others(() => directly.countAttempt(key, guard));
        await proxy().deliverAgain('UpdateItem');
        expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 + OTHERS });
        await codes.refundAttempt(key, code.mac, {});
        await others(() => directly.countAttempt(key, guard));
        await proxy().deliverAgain('UpdateItem');
        expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: OTHERS + OTHERS });
      });

      test('after five wrong codes by other callers, a retry still does not count its wrong code twice', async () => {
        const counter = { userHash: unique('person'), callerType: 'strangers' };
        const directly = store().table('flows');
        await guesses(table('flows')).count(counter, 100, T);
        await others(() => guesses(directly).count(counter, 100, T));
        await proxy().deliverAgain('UpdateItem');
        expect(await guesses(directly).count(counter, 100, T)).toBe(2 + OTHERS);

        const [name, daily] = [unique('window'), [{ seconds: 86_400, max: 100 }]];
        await windows(table('flows')).count(name, daily, T);
        await others(() => windows(directly).count(name, daily, T));
        await proxy().deliverAgain('UpdateItem');
        const outcome = await windows(directly).count(name, daily, T);
        expect(outcome).toMatchObject({ fill: (2 + OTHERS) / 100 });
      });

      test('a delayed retry does not replace a one-time code that was stored later', async () => {
        const codes = oneTimeCodes(table('flows'));
        const [key, next] = [someCodeKey(), someCode()];
        await codes.put(key, someCode());
        await oneTimeCodes(store().table('flows')).put(key, next);
        await proxy().deliverAgain('UpdateItem');
        expect((await codeState(store().table('flows'), key))?.code).toEqual(next);
      });
    });

    test('an attempt to enter a one-time code is refunded only once even if the connection breaks', async () => {
      const codes = oneTimeCodes(table('flows'));
      const [key, code] = [someCodeKey(), someCode()];
      await codes.put(key, code);
      await codes.countAttempt(key, guard);
      await codes.countAttempt(key, guard);
      loseNext('UpdateItem');
      await codes.refundAttempt(key, code.mac, {});
      expect(await codeState(store().table('flows'), key)).toMatchObject({ tries: 1 });
    });

    test('a correct one-time code is accepted even if the connection to DynamoDB breaks', async () => {
      const counter = { userHash: unique('person'), callerType: 'strangers' };
      for (let n = 0; n < 3; n += 1) await guesses(table('flows')).count(counter, 3, T);
      loseNext('DeleteItem');
      expect(await guesses(table('flows')).clearBelow(counter, 3)).toBe(false);
      loseNext('DeleteItem');
      expect(await guesses(table('flows')).clearBelow(counter, 4)).toBe(true);
      expect(await guesses(table('flows')).count(counter, 3, T)).toBe(1);
    });

    test('a wrong one-time code is not counted again after a DynamoDB timeout', async () => {
      const counter = { userHash: unique('person'), callerType: 'strangers' };
      const before = proxy().calls.get('UpdateItem') ?? 0;
      proxy().lose('UpdateItem', 'silence', 2);
      await expect(guesses(table('flows')).count(counter, 100, T)).rejects.toMatchObject({
        key: 'service_unavailable',
        detail: { retryAfterSeconds: 1 },
      });
      await expect(
        windows(table('flows')).count(unique('window'), [{ seconds: 60, max: 1 }], T),
      ).rejects.toMatchObject({ key: 'service_unavailable' });
      expect(proxy().calls.get('UpdateItem')).toBe(before + 2);
      expect(await guesses(table('flows')).count(counter, 100, T)).toBe(2);
    });

    test('lost DynamoDB responses never allow more attempts to enter a code than the limit', async () => {
      const codes = oneTimeCodes(table('flows'));
      const key = someCodeKey();
      await codes.put(key, someCode());
      proxy().lose('UpdateItem', 'break', 12);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () => codes.countAttempt(key, guard)),
      );
      const counted = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.counted);
      const { tries = 0 } = (await codeState(store().table('flows'), key)) ?? {};
      expect(tries).toBeLessThanOrEqual(3);
      // An attempt whose responses are all lost is counted, but its caller gets 503.
      expect(counted.length).toBeLessThanOrEqual(tries);
    });
  });

  test('a read fails with service_unavailable if DynamoDB never responds', async () => {
    proxy().lose('GetItem', 'break', 3);
    await expect(magicLinks(table('flows')).find('hash')).rejects.toMatchObject({
      key: 'service_unavailable',
    });
    proxy().lose('GetItem', 'break', 2);
    expect(await magicLinks(table('flows')).find('hash')).toBeUndefined();
  });
});
