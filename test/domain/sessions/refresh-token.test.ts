import { describe, expect, test } from '@jest/globals';
import { REFRESH_GRACE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import {
  findFamily,
  keepsRefreshToken,
  type RotationFacts,
  rotateRefreshToken,
} from '../../../shared/domain/sessions/refresh-token.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import type { RefreshFamily, Sessions } from '../../../shared/ports/flows.ts';
import { someClient, someFamily, someSession, T } from '../../support/server/records.ts';

const secret = 's'.repeat(43);
const token = { sessionId: 'user.session', userId: 'user', familyId: 'family', secret };
const confidential = someClient();
const isPublic = someClient({ authMethod: 'none' });
const bound = { dpopJkt: 'key' };

const createFamily = (change: Partial<RefreshFamily> = {}) =>
  someFamily({ familyId: 'family', currentHash: hashSecret(secret), expiresAt: T + 100, ...change });
const sessionOf = (family: RefreshFamily) =>
  someSession({ sessionId: token.sessionId, userId: 'user', families: [family] });

const createFacts = (client: Client, change: Partial<RotationFacts> = {}): RotationFacts => ({
  at: T,
  lifetimeSeconds: 500,
  dpopJkt: undefined,
  scope: 'openid',
  client,
  reuseSeconds: 60,
  ...change,
});

/** Refreshes with the token. Returns the outcome, the family afterwards and the calls of the store. */
async function refreshWith(family: RefreshFamily, facts: RotationFacts, isWritten = true) {
  const calls: unknown[][] = [];
  let after = family;
  const ports = {
    sessions: {
      async rotate(...[sessionId, familyId, change]: Parameters<Sessions['rotate']>) {
        const { nextHash, previous, familyExpiresAt } = change;
        calls.push(['rotate', sessionId, familyId]);
        after = { ...family, currentHash: nextHash, previous, expiresAt: familyExpiresAt };
        return isWritten;
      },
      async find() {
        calls.push(['find']);
        return sessionOf(after);
      },
      endFamily: async (...given: unknown[]) => void calls.push(['endFamily', ...given]),
    },
  } as never;
  const found = { session: sessionOf(family), family };
  const outcome = await rotateRefreshToken(ports, found, token, facts).catch((error: unknown) => error);
  return { outcome, after, calls };
}

test('a refresh token is valid until the second before it expires', async () => {
  const session = sessionOf(createFamily());
  const find = (at: number, familyId = 'family') =>
    findFamily({ sessions: { find: async () => session } }, { ...token, familyId }, at);
  expect(await find(T + 99)).toEqual({ session, family: session.families[0] });
  expect([await find(T + 100), await find(T, 'other')]).toEqual([undefined, undefined]);
});

const withoutRotation = { refreshTokenRotation: false } as const;
const byKey = { authMethod: 'private_key_jwt' } as const;

test.each<[string, Partial<Client>, Partial<RefreshFamily>, boolean]>([
  ['replaced unless the client disables rotation', byKey, bound, false],
  ['kept by a client that authenticates with a key', { ...byKey, ...withoutRotation }, {}, true],
  ['kept by a client with a secret and a DPoP key', withoutRotation, bound, true],
  ['replaced for a client with only a secret', withoutRotation, {}, false],
  ['replaced for a public client', { authMethod: 'none', ...withoutRotation }, bound, false],
])('a used refresh token is %s', (_, client, family, isKept) => {
  expect(keepsRefreshToken(someClient(client), createFamily(family))).toBe(isKept);
});

describe('reuse of a refresh token whose successor is unused', () => {
  /** Response that repeats the first one. */
  const repeated = { isSameToken: true, isSameJti: true, at: T };
  const replacedAt = (at: number) => ({ isSameToken: false, isSameJti: false, at });
  const laterAt = (at: number) => ({ isSameToken: true, isSameJti: false, at, isRepeated: true });

  test.each<[string, Client, number, Partial<RefreshFamily>, object | 'revoked']>([
    ['within ten seconds', confidential, REFRESH_GRACE_SECONDS, {}, repeated],
    ['after ten seconds', confidential, REFRESH_GRACE_SECONDS + 1, {}, replacedAt(T + 11)],
    ['before it expires', confidential, 99, {}, replacedAt(T + 99)],
    ['when it expires', confidential, 100, {}, 'revoked'],
    ['within ten seconds, without client authentication', isPublic, REFRESH_GRACE_SECONDS, {}, repeated],
    ['within the grace period, without client authentication', isPublic, 11, {}, laterAt(T + 11)],
    ['at the end of the grace period, without client authentication', isPublic, 60, {}, laterAt(T + 60)],
    ['after the grace period, without client authentication', isPublic, 61, {}, 'revoked'],
    ['after ten seconds, with a DPoP key', isPublic, 11, bound, replacedAt(T + 11)],
  ])('a refresh token is used again %s', async (_title, client, seconds, change, expected) => {
    const facts = createFacts(client, change);
    const first = await refreshWith(createFamily(change), { ...facts, scope: 'email' });
    expect(first.calls).toEqual([['rotate', token.sessionId, 'family']]);
    expect(first.after).toMatchObject({ expiresAt: T + 500, previous: { scope: 'email' } });
    const again = await refreshWith(first.after, { ...facts, at: T + seconds, scope: 'email' });
    if (expected === 'revoked') {
      expect(again.outcome).toMatchObject({
        key: 'invalid_grant',
        detail: { audit: { userId: 'user', sessionId: token.sessionId, events: ['token.reused'] } },
      });
      expect(again.calls.at(-1)).toEqual(['endFamily', token.sessionId, 'family', T + seconds]);
      return;
    }
    const [one, other] = [first.outcome, again.outcome] as Awaited<ReturnType<typeof rotateRefreshToken>>[];
    expect(other?.scope).toBe('email');
    expect({
      isSameToken: other?.refreshToken === one?.refreshToken,
      isSameJti: other?.jti === one?.jti,
      at: other?.at,
      isRepeated: other?.isRepeated,
    }).toEqual(expected);
  });

  test.each([
    ['a DPoP key that was not in the first request', {}, undefined, 'key'],
    ['another DPoP key', {}, 'key', 'other'],
    ['no DPoP key', bound, 'key', undefined],
  ])('a refresh token that is used again with %s is revoked', async (_, change, firstKey, nextKey) => {
    const first = await refreshWith(createFamily(change), createFacts(confidential, { dpopJkt: firstKey }));
    const again = await refreshWith(first.after, createFacts(confidential, { dpopJkt: nextKey }));
    expect(again.outcome).toMatchObject({ key: 'invalid_grant' });
    const same = await refreshWith(first.after, createFacts(confidential, { dpopJkt: firstKey }));
    expect(same.outcome).toMatchObject({ at: T });
  });

  test('a refresh that a concurrent refresh has overtaken gets the same response', async () => {
    const { outcome, calls } = await refreshWith(createFamily(), createFacts(confidential), false);
    expect(outcome).toMatchObject({ at: T, scope: 'openid' });
    expect(calls).toEqual([['rotate', token.sessionId, 'family'], ['find']]);
  });
});
