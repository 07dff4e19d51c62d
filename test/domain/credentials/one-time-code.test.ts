import { describe, expect, test } from '@jest/globals';
import { toWireDate } from '../../../shared/domain/basis/time.ts';
import {
  admitCheckedCode,
  type CheckedCode,
  checkPasscode,
  computePasscodeMac,
  requireTrustedNumber,
} from '../../../shared/domain/credentials/one-time-code.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { AttemptOutcome, StoredCode } from '../../../shared/ports/flows.ts';
import type { Address } from '../../../shared/ports/people.ts';
import { someAddress, someCode, someTenant, someUser, T } from '../../support/server/records.ts';

const TODAY = toWireDate(T).slice(0, 10);
const place = { applicationId: 'app', identifierHash: 'hash' };
const createCode = (change: Partial<StoredCode> = {}) =>
  someCode({ mac: `${TODAY}.482913`, userId: 'user', userHash: 'person', clientId: 'client', ...change });

/** Ports whose MAC of a code is the code itself. `counted` lists the attempts that the store counts. */
function createPorts(outcomes: readonly AttemptOutcome[], isCounted = true) {
  const calls: unknown[][] = [];
  const left = [...outcomes];
  const ports = {
    otps: {
      async countAttempt(...given: unknown[]) {
        calls.push(['countAttempt', ...given]);
        return left.shift();
      },
      refundAttempt: async (...given: unknown[]) => void calls.push(['refundAttempt', ...given]),
    },
    guesses: {
      async count(...given: unknown[]) {
        calls.push(['count', ...given]);
        return isCounted ? 1 : undefined;
      },
      clearBelow: async () => true,
    },
    users: { noteWrongGuess: async () => undefined },
    codeMac: { mac: async (_keyName: string, message: string) => message.split('\n').at(-1) },
  } as never;
  return { ports, calls };
}

/** Tries a code. Returns the checked code or the error, and the names of the calls of the store. */
async function check(
  outcomes: readonly AttemptOutcome[],
  {
    passcode = '482913',
    slots = ['slot'],
    isCounted = true,
    acrossClients = false,
    clientId = 'client',
  } = {},
) {
  const { ports, calls } = createPorts(outcomes, isCounted);
  const guess = { ...place, slots, clientId, acrossClients, purpose: 'one-time' as const, passcode, at: T };
  const result = await checkPasscode(ports, { ...guess, network: 'net', tag: 'tag' }).catch(
    (error: unknown) => error,
  );
  return { result, calls, names: calls.map(([name]) => name) };
}

const code = createCode();
const counted = (attemptsLeft = 2, earlier: readonly StoredCode[] = [], own = code): AttemptOutcome => ({
  ...{ counted: true, attemptsLeft, code: own, earlier },
});
const rejected = (why: 'absent' | 'spent' | 'expired' | 'locked' | 'repeated', own?: StoredCode) =>
  ({ counted: false, why, earlier: [], ...(own && { code: own }) }) as AttemptOutcome;
const invalid = { key: 'auth_invalid_credentials' };
const audit = { userId: 'user', channel: 'email' };
const key = { ...place, slot: 'slot' };

describe('attempts to enter a one-time code', () => {
  test('a correct code is returned together with the slot and the newest code', async () => {
    const { result, calls } = await check([counted()]);
    const caller = { network: 'net', tag: 'tag' };
    expect(result).toEqual({ key, newest: code.mac, code, caller, at: T });
    expect(calls).toEqual([['countAttempt', key, { at: T, ...caller }]]);
  });

  test.each<[string, StoredCode, string, boolean, boolean]>([
    ['an earlier code', createCode({ expiresAt: T + 1 }), 'client', false, true],
    ['an earlier code that expires now', createCode({ expiresAt: T }), 'client', false, false],
    ['a code from before midnight', createCode({ mac: '2000-01-01.482913' }), 'client', false, true],
    ['a code of another client', code, 'other', false, false],
    ['a code of another client that shares codes', code, 'other', true, true],
    ['a code for another purpose', createCode({ purpose: 'hosted' }), 'client', false, false],
  ])('%s is accepted (expected: %s)', async (_, earlier, clientId, acrossClients, isGood) => {
    const newest = createCode({ mac: `${TODAY}.000000` });
    const { result } = await check([counted(2, [earlier], newest)], { clientId, acrossClients });
    expect(result).toMatchObject(isGood ? { newest: newest.mac, code: earlier } : invalid);
  });

  test.each<[string, AttemptOutcome, StoredCode['kind'], boolean, object]>([
    ['a wrong code', counted(1), 'known', true, { ...invalid, detail: { audit, attemptsLeft: 1 } }],
    [
      'the last wrong code before a lock',
      counted(0),
      'known',
      true,
      { ...invalid, detail: { audit: { ...audit, events: ['login.locked'] }, attemptsLeft: 0 } },
    ],
    [
      'the last wrong code of a sign-up',
      counted(0),
      'signUp',
      true,
      { ...invalid, detail: { audit, attemptsLeft: 0 } },
    ],
    [
      'a wrong code after the limit of the user',
      counted(1),
      'known',
      false,
      { key: 'auth_locked', detail: { audit, isFinal: true } },
    ],
  ])('%s is counted for the user', async (_, outcome, kind, isCounted, error) => {
    const own = outcome.counted ? { ...outcome, code: createCode({ kind }) } : outcome;
    const { result, calls, names } = await check([own], { passcode: '111111', isCounted });
    expect(result).toBeInstanceOf(ServiceError);
    expect({ ...(result as ServiceError) }).toMatchObject(error);
    expect((result as ServiceError).detail).toStrictEqual((error as ServiceError).detail);
    expect(names).toEqual(['countAttempt', 'count']);
    expect(calls[1]).toEqual(['count', { userHash: 'person', callerType: 'strangers' }, 100, T]);
  });

  test('a code is looked for in the next slot only if no code was sent in the first one', async () => {
    const slots = ['first', 'second'];
    const found = await check([rejected('absent'), counted()], { slots });
    expect(found.result).toMatchObject({ key: { ...place, slot: 'second' } });
    const spent = await check([rejected('spent', code)], { slots });
    expect([spent.result, spent.names]).toEqual([expect.objectContaining(invalid), ['countAttempt']]);
    const none = await check([rejected('absent'), rejected('absent')], { slots });
    expect((none.result as ServiceError).detail).toStrictEqual({ audit: {} });
  });

  test.each<[string, readonly AttemptOutcome[], string, object, readonly string[]]>([
    [
      'locked codes',
      [{ ...rejected('locked', code), lockedUntil: T + 60 } as AttemptOutcome],
      '482913',
      { key: 'auth_locked', detail: { retryAfterSeconds: 60, audit } },
      ['countAttempt'],
    ],
    [
      'a correct code that expired',
      [rejected('expired', code)],
      '482913',
      { key: 'auth_otp_passcode_expired' },
      ['countAttempt'],
    ],
    [
      'a wrong code after expiry',
      [rejected('expired', code), counted(1)],
      '111111',
      { ...invalid, detail: { audit, attemptsLeft: 1 } },
      ['countAttempt', 'countAttempt', 'count'],
    ],
    [
      'a wrong code after expiry without attempts left',
      [rejected('expired', code), rejected('spent', code)],
      '111111',
      { ...invalid, detail: { audit } },
      ['countAttempt', 'countAttempt'],
    ],
    [
      'a correct code that was tried before',
      [rejected('repeated', code)],
      '482913',
      { newest: code.mac },
      ['countAttempt'],
    ],
    ['a wrong code that was tried before', [rejected('repeated', code)], '111111', invalid, ['countAttempt']],
    ['a correct code after its use', [rejected('spent', code)], '482913', invalid, ['countAttempt']],
  ])('an attempt that is not counted is explained: %s', async (_, outcomes, passcode, expected, names) => {
    const { result, calls, names: called } = await check(outcomes, { passcode });
    expect(result).toMatchObject(expected);
    expect(called).toEqual(names);
    if (names.length > 1) expect(calls[1]).toMatchObject(['countAttempt', key, { expired: true }]);
  });
});

test.each([
  ['at noon', '2096-10-02T12:00:00Z', []],
  ['one hour after midnight', '2096-10-02T01:00:00Z', []],
  ['less than one hour after midnight', '2096-10-02T00:59:59Z', ['2096-10-01']],
  ['more than one hour before midnight', '2096-10-02T22:59:59Z', []],
  ['one hour before midnight', '2096-10-02T23:00:00Z', ['2096-10-03']],
])(
  'the MAC of a code uses the key of the day and prefetches the key of a near day: %s',
  async (_, time, near) => {
    const calls: unknown[] = [];
    const mac = async (...given: unknown[]) => {
      calls.push(given);
      return 'mac';
    };
    const at = Date.parse(time) / 1000;
    expect(await computePasscodeMac({ codeMac: { mac } }, place, '482 913', at)).toBe('2096-10-02.mac');
    expect(calls).toEqual([['2096-10-02', 'passcode\napp#hash\n482913', near]]);
  },
);

describe('admission of a correct code', () => {
  const checked: CheckedCode = { key, newest: code.mac, code, caller: { network: 'net' }, at: T };
  const refund = ['refundAttempt', key, code.mac, { network: 'net' }];

  test.each<[string, unknown, boolean, object, readonly unknown[]]>([
    ['is refunded if a look-up fails', new Error('failed'), true, { message: 'failed' }, [refund]],
    [
      'is refunded if a look-up rejects it',
      new ServiceError('user_not_active'),
      true,
      { key: 'user_not_active' },
      [refund],
    ],
    [
      'counts as wrong if the error equals that for a wrong code',
      new ServiceError('auth_invalid_credentials'),
      true,
      invalid,
      [expect.arrayContaining(['count'])],
    ],
    [
      'counts as wrong up to the limit of the user',
      new ServiceError('auth_invalid_credentials'),
      false,
      { key: 'auth_locked', detail: { audit, isFinal: true } },
      [expect.arrayContaining(['count'])],
    ],
  ])('a correct code %s', async (_, error, isCounted, expected, made) => {
    const { ports, calls } = createPorts([], isCounted);
    const admitting = admitCheckedCode(ports, someTenant(), checked, Promise.reject(error));
    await expect(admitting).rejects.toMatchObject(expected);
    expect(calls).toEqual(made);
  });

  test('a correct code for a phone number at risk is rejected, even if the caller chose the number', () => {
    const [tenant, phone] = [someTenant(), '+12015550100'];
    const hash = identifierHash(tenant, { type: 'phone_number', value: phone });
    const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
    for (const change of [{ deliveredToHash: hash }, { alternativeHash: hash }]) {
      const admit = (address: Partial<Address>) =>
        requireTrustedNumber(tenant, someUser({ phoneNumber: someAddress(phone, address) }), {
          ...checked,
          code: createCode(change),
        });
      expect(() => admit({ risk })).toThrow(expect.objectContaining({ ...invalid, detail: { audit } }));
      expect(() => admit({})).not.toThrow();
    }
  });
});
