import { expect, test } from '@jest/globals';
import { KEYS_PROPAGATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { prepareKey, retireKeys, rotateKeys } from '../../../shared/domain/management/signing-keys.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';
import { someSigningKey } from '../../support/server/records.ts';

/** Creates a signing key store in memory. The tests of the real key store cover concurrent changes. */
function createKeyRecords(...keys: readonly SigningKey[]) {
  const kept = new Map(keys.map((key) => [key.kid, key]));
  const ports = {
    signingKeyRecords: {
      list: async () => [...kept.values()],
      put: async (key: SigningKey) => Boolean(kept.set(key.kid, key)),
      async move(
        kid: string,
        _from: SigningKey['state'],
        to: SigningKey['state'],
        { at }: { readonly at: number },
      ) {
        const key = kept.get(kid);
        return key !== undefined && Boolean(kept.set(kid, { ...key, state: to, stateSince: at }));
      },
      remove: async (kid: string) => kept.delete(kid),
    },
  };
  const states = () => [...kept.values()].map(({ alg, state }) => `${alg} ${state}`);
  return { ports, states };
}

const rsa = someSigningKey({ state: 'current' });
const ec = (state: SigningKey['state']) => someSigningKey({ alg: 'ES256', state });
const later = { at: rsa.stateSince + 86_400 };

test('the rotation of one signing key does not affect signing keys of other types', async () => {
  const { ports, states } = createKeyRecords(rsa, ec('current'));
  await prepareKey(ports, 'ES256', async () => ec('next'));
  await prepareKey(ports, 'RS256', async () => someSigningKey());
  await expect(prepareKey(ports, 'ES256', async () => ec('next'))).rejects.toThrow('a next key already');
  await rotateKeys(ports, { kind: 'ES256' }, later);
  expect(states()).toEqual(['RS256 current', 'ES256 previous', 'ES256 current', 'RS256 next']);
});

test('a new signing key signs only after caches have expired, unless the operator gives a reason', async () => {
  const next = someSigningKey({ state: 'next' });
  const rotateAt = async (seconds: number, reason?: string) => {
    const { ports, states } = createKeyRecords(rsa, next);
    const at = next.stateSince + seconds;
    await rotateKeys(ports, { kind: 'RS256' }, { at, ...(reason === undefined ? {} : { reason }) });
    return states();
  };
  await expect(rotateAt(KEYS_PROPAGATION_SECONDS - 1)).rejects.toThrow(
    `The key ${next.kid} must not sign before 2096-10-02T07:12:40.000Z.`,
  );
  const rotated = ['RS256 previous', 'RS256 current'];
  expect(await rotateAt(KEYS_PROPAGATION_SECONDS)).toEqual(rotated);
  expect(await rotateAt(0, 'the key has leaked')).toEqual(rotated);
});

test('rotating out the only signing key of a type requires the option endsLast', async () => {
  const { ports, states } = createKeyRecords(rsa, ec('current'));
  await expect(rotateKeys(ports, { kind: 'ES256' }, later)).rejects.toThrow('no next key');
  await rotateKeys(ports, { kind: 'ES256', endsLast: true }, later);
  expect(states()).toEqual(['RS256 current', 'ES256 previous']);
  await expect(rotateKeys(ports, { kind: 'ES256', endsLast: true }, later)).rejects.toThrow('no next key');
});

test('a second rotation completes a key rotation that crashed after its new key became current', async () => {
  const newer = someSigningKey({ alg: 'ES256', state: 'current', stateSince: rsa.stateSince + 1 });
  for (const [keys, expected] of [
    [
      [ec('current'), newer],
      ['ES256 previous', 'ES256 current'],
    ],
    [
      [newer, ec('current')],
      ['ES256 current', 'ES256 previous'],
    ],
  ] as const) {
    const { ports, states } = createKeyRecords(...keys);
    await rotateKeys(ports, { kind: 'ES256' }, later);
    expect(states()).toEqual(expected);
  }
});

test('signing keys are not rotated while there are two next keys of the same type', async () => {
  const { ports } = createKeyRecords(rsa, someSigningKey(), someSigningKey());
  await expect(rotateKeys(ports, { kind: 'RS256' }, later)).rejects.toThrow('There are two next keys');
});

test('even with a reason, a previous signing key is retired only after functions have refreshed their caches', async () => {
  const previous = ec('previous');
  const retireAt = (seconds: number) =>
    retireKeys(createKeyRecords(rsa, previous).ports, previous.kid, {
      at: previous.stateSince + seconds,
      reason: 'the key has leaked',
    });
  await expect(retireAt(59)).rejects.toThrow('must not leave');
  expect(await retireAt(60)).toEqual([previous]);
});

test('the current signing key cannot be retired', async () => {
  const [next, first, second] = [ec('next'), ec('previous'), ec('previous')];
  const step = { at: rsa.stateSince + 10 * 86_400 };
  const { ports, states } = createKeyRecords(rsa, next, first, second);
  await expect(retireKeys(ports, 'unknown', step)).rejects.toThrow('no signing key unknown');
  await expect(retireKeys(ports, rsa.kid, step)).rejects.toThrow('rotate first');
  // A previous key cannot be retired yet, because its tokens are still valid. A next key has not signed any tokens.
  const early = { at: rsa.stateSince };
  await expect(retireKeys(ports, first.kid, early)).rejects.toThrow('must not leave before');
  expect(await retireKeys(ports, next.kid, early)).toEqual([next]);
  expect(states()).toEqual(['RS256 current', 'ES256 previous', 'ES256 previous']);
  expect(await retireKeys(ports, undefined, step)).toHaveLength(2);
  expect(states()).toEqual(['RS256 current']);
  await expect(retireKeys(ports, undefined, step)).rejects.toThrow('no previous key');
});

test('a concurrent change of a signing key is reported', async () => {
  const { ports } = createKeyRecords(rsa, ec('current'));
  const { signingKeyRecords: records } = ports;
  const taken = { signingKeyRecords: { ...records, put: async () => false } };
  await expect(prepareKey(taken, 'ES256', async () => ec('next'))).rejects.toMatchObject({
    key: 'concurrent_change',
  });
  const next = await prepareKey(ports, 'RS256', async () => someSigningKey());
  const remove = async (kid: string) => (await records.remove(kid)) && false;
  await expect(
    retireKeys({ signingKeyRecords: { ...records, remove } }, next.kid, later),
  ).rejects.toMatchObject({ key: 'concurrent_change' });
});

test('retiring a signing key fails if the stored key was not deleted', async () => {
  const { ports } = createKeyRecords(rsa, ec('next'));
  const [, next] = await ports.signingKeyRecords.list();
  const records = { ...ports.signingKeyRecords, remove: async () => true };
  await expect(retireKeys({ signingKeyRecords: records }, next?.kid, later)).rejects.toMatchObject({
    key: 'concurrent_change',
  });
});
