import { describe, expect, test } from '@jest/globals';
import { authorizationCodes } from '../../../shared/dynamo/flows/authorization-codes.ts';
import type { AuthorizationCode } from '../../../shared/ports/authorization.ts';
import { someAuthorizationCode } from '../../support/fixtures/flow-records.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { someUse, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const DAY = 86_400;

describeStore('authorization codes', (store) => {
  const codes = () => authorizationCodes(store().table('flows'));

  async function stored(change: Partial<AuthorizationCode> = {}): Promise<AuthorizationCode> {
    const code = someAuthorizationCode(change);
    await codes().put(code);
    return code;
  }
  const raw = (hash: string) =>
    store()
      .table('flows')
      .get({ pk: `code#${hash}`, sk: 'code' });

  test('a stored authorization code is read back unchanged', async () => {
    const plain = await stored();
    expect(await codes().find(plain.hash)).toEqual(plain);
    const full = await stored({
      origin: 'code-based',
      state: '',
      codeChallenge: 'challenge',
      nonce: 'nonce',
      offlineAccess: true,
      resources: ['https://one/', 'https://two/'],
      claims: '{"id_token":{}}',
      idTokenClaims: 'requested',
      organizationId: 'org',
      dpopJkt: 'jkt',
      approvalData: { amount: '12 €', 'to.iban': '', ['__proto__']: 'x' },
      sealedSignUp: 'sealed',
      methods: [someUse({ method: 'eml', at: T }), someUse({ method: 'sms', at: T + 1 })],
      deliveredToHash: 'to',
      userAgent: 'Browser/1',
      ipAddress: '192.0.2.7',
      requireMfa: true,
      startsSession: false,
    });
    expect(await codes().find(full.hash)).toEqual(full);
    expect(await codes().find('unknown')).toBeUndefined();
  });

  describe('consuming authorization codes', () => {
    test('a consumed authorization code can store the user and the session of its exchange', async () => {
      const code = await stored();
      const owner = { userId: 'other', sessionId: 'other.session' };
      expect(await codes().consume(code.hash, T + 1, owner)).toBe(true);
      expect(await codes().find(code.hash)).toEqual({ ...code, ...owner, consumedAt: T + 1 });
    });

    test('the caller that consumed an authorization code can restore it unchanged', async () => {
      const code = await stored({ userAgent: 'agent', ipAddress: '192.0.2.1', sealedArtifacts: 'sealed' });
      await codes().consume(code.hash, T + 1, undefined, 'holder');
      await codes().undoConsume(code, 'holder');
      expect(await codes().find(code.hash)).toEqual(code);
    });

    test('an authorization code that was presented twice cannot be restored', async () => {
      const code = await stored();
      await codes().consume(code.hash, T + 1, undefined, 'one');
      await codes().undoConsume(code, 'one');
      expect(await codes().finalizeConsumption(code.hash)).toBe(false);
      await codes().consume(code.hash, T + 1, undefined, 'two');
      expect(await codes().finalizeConsumption(code.hash)).toBe(true);
      await codes().undoConsume(code, 'two');
      expect((await codes().find(code.hash))?.consumedAt).toBe(T + 1);
    });

    test('a consumed authorization code contains no personal data', async () => {
      for (const requireMfa of [true, undefined]) {
        const code = await stored(requireMfa ? { requireMfa } : {});
        const traces = { sealedSignUp: 'sealed', userAgent: 'Browser/1', ipAddress: '192.0.2.7' };
        const traced = await stored({ ...code, ...traces, hash: `${code.hash}-traced` });
        const used = requireMfa
          ? await codes().spend(traced.hash, T + 1)
          : await codes().consume(traced.hash, T + 1);
        expect(used).toBe(true);
        expect(await codes().find(traced.hash)).toEqual({ ...code, hash: traced.hash, consumedAt: T + 1 });
      }
    });

    test('an authorization code that requires a second factor cannot be consumed before the factor is added', async () => {
      const waiting = await stored({ requireMfa: true });
      expect(await codes().consume(waiting.hash, T + 1)).toBe(false);
      expect(await codes().find(waiting.hash)).toEqual(waiting);
      const done = await stored({ requireMfa: false });
      expect(await codes().consume(done.hash, T + 1)).toBe(true);
    });
  });

  describe('second factor that is added to an authorization code', () => {
    const change = (sessionId: string) => ({
      methods: [someUse(), someUse({ method: 'sms', at: T + 5 })],
      sessionId,
      startsSession: false,
      expiresAt: T + 65,
      at: T + 5,
    });

    test('only one of 30 concurrent callers can add a second factor to an authorization code', async () => {
      const code = await stored({ requireMfa: true, expiresAt: T + 10 });
      const wins = await atOnce(30, (n) => codes().upgrade(code.hash, change(`session-${n}`)));
      expect(wins.filter(Boolean)).toHaveLength(1);
      const { requireMfa: _, ...rest } = code;
      const { at: _at, ...brought } = change(`session-${wins.indexOf(true)}`);
      expect(await codes().find(code.hash)).toEqual({ ...rest, ...brought });
    });

    test('after a second factor was added, an authorization code is valid until its new expiry', async () => {
      const code = await stored({ requireMfa: true, expiresAt: T + 10 });
      await codes().upgrade(code.hash, change('session'));
      expect(await codes().consume(code.hash, T + 65)).toBe(false);
      expect(await codes().consume(code.hash, T + 64)).toBe(true);
      expect(await codes().upgrade(code.hash, change('session'))).toBe(false);
    });

    test('a second factor cannot be added to an expired authorization code', async () => {
      const expired = await stored({ requireMfa: true, expiresAt: T + 5 });
      const plain = await stored();
      for (const { hash } of [expired, plain])
        expect(await codes().upgrade(hash, change('session'))).toBe(false);
      expect(await codes().find(expired.hash)).toEqual(expired);
      expect(await codes().find(plain.hash)).toEqual(plain);
    });

    test('only one of 30 concurrent callers can consume an authorization code that proves only a first factor', async () => {
      const code = await stored({ requireMfa: true });
      const wins = await atOnce(30, () => codes().spend(code.hash, T + 1));
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await codes().upgrade(code.hash, change('session'))).toBe(false);
      expect(await codes().consume(code.hash, T + 1)).toBe(false);
      expect(await codes().find(code.hash)).toEqual({ ...code, consumedAt: T + 1 });
    });

    test('an authorization code cannot be consumed as a first factor if it has expired or proves a complete login', async () => {
      const plain = await stored();
      const expired = await stored({ requireMfa: true });
      const upgraded = await stored({ requireMfa: true });
      await codes().upgrade(upgraded.hash, change('session'));
      expect(await codes().spend(plain.hash, T + 1)).toBe(false);
      expect(await codes().spend(expired.hash, T + 60)).toBe(false);
      expect(await codes().spend(upgraded.hash, T + 6)).toBe(false);
      expect(await codes().consume(plain.hash, T + 1)).toBe(true);
    });

    test('an authorization code can either get a second factor or be consumed as a first factor, but not both', async () => {
      const rounds = await atOnce(10, async () => {
        const { hash } = await stored({ requireMfa: true });
        const [upgraded, spent] = await Promise.all([
          codes().upgrade(hash, change('session')),
          codes().spend(hash, T + 5),
        ]);
        const consumed = await codes().consume(hash, T + 6);
        return { upgraded, spent, consumed };
      });
      for (const { upgraded, spent, consumed } of rounds) {
        expect(upgraded).toBe(!spent);
        expect(consumed).toBe(upgraded);
      }
    });
  });

  test('an authorization code is deleted one day after its last change', async () => {
    const code = await stored({ requireMfa: true });
    expect(await raw(code.hash)).toMatchObject({ purge_at: T + DAY });
    const { methods, sessionId, startsSession } = code;
    await codes().upgrade(code.hash, { methods, sessionId, startsSession, expiresAt: T + 90, at: T + 30 });
    expect(await raw(code.hash)).toMatchObject({ purge_at: T + 30 + DAY });
    await codes().consume(code.hash, T + 40);
    expect(await raw(code.hash)).toMatchObject({ purge_at: T + 40 + DAY });
  });
});
