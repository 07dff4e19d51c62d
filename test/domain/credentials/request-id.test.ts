import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { makeRequestId, matchesRequestId } from '../../../shared/domain/credentials/request-id.ts';

describe('request ID', () => {
  test.each([[undefined], [false]])('makes no request ID if use_request_id is %j', (asked) => {
    expect(makeRequestId(asked)).toBeUndefined();
  });

  test('a request ID is a secret of 256 bits, returned with the hash to store', () => {
    const made = makeRequestId(true);
    expect(made?.value).toMatch(/^[\w-]{43}$/);
    expect(made?.hash).toBe(hashSecret(made?.value ?? ''));
    expect(makeRequestId(true)?.value).not.toBe(made?.value);
  });

  test('N117 a request ID matches its hash', () => {
    const made = makeRequestId(true);
    expect(matchesRequestId(made?.hash, made?.value)).toBe(true);
  });

  test('N117 another request ID, an empty one, the stored hash itself and an absent one do not match', () => {
    const made = makeRequestId(true);
    for (const presented of [makeRequestId(true)?.value, '', made?.hash, `${made?.value} `, undefined])
      expect(matchesRequestId(made?.hash, presented)).toBe(false);
  });

  test('a request ID that is not required is ignored', () => {
    expect(matchesRequestId(undefined, undefined)).toBe(true);
    expect(matchesRequestId(undefined, 'anything')).toBe(true);
  });
});
