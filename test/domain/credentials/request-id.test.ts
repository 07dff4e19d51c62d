import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { makeRequestId, matchesRequestId } from '../../../shared/domain/credentials/request-id.ts';

describe('request ID', () => {
  test.each([[undefined], [false]])('asked %j: there is none', (asked) => {
    expect(makeRequestId(asked)).toBeUndefined();
  });

  test('is a secret of 256 bits of which only the hash is to be stored', () => {
    const made = makeRequestId(true);
    expect(made?.value).toMatch(/^[\w-]{43}$/);
    expect(made?.hash).toBe(hashSecret(made?.value ?? ''));
    expect(makeRequestId(true)?.value).not.toBe(made?.value);
  });

  test('N117 the one that was made matches', () => {
    const made = makeRequestId(true);
    expect(matchesRequestId(made?.hash, made?.value)).toBe(true);
  });

  test('N117 another, an empty one, the stored hash itself and none do not match', () => {
    const made = makeRequestId(true);
    for (const presented of [makeRequestId(true)?.value, '', made?.hash, `${made?.value} `, undefined])
      expect(matchesRequestId(made?.hash, presented)).toBe(false);
  });

  test('an unrequested one is ignored', () => {
    expect(matchesRequestId(undefined, undefined)).toBe(true);
    expect(matchesRequestId(undefined, 'anything')).toBe(true);
  });
});
