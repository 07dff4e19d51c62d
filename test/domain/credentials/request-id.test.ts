import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { makeRequestId, matchesRequestId } from '../../../shared/domain/credentials/request-id.ts';

describe('request IDs that protect a login with a code or link', () => {
  test.each([[undefined], [false]])('if use_request_id is %j, no request ID is created', (asked) => {
    expect(makeRequestId(asked)).toBeUndefined();
  });

  test('a new request ID has 256 random bits', () => {
    const made = makeRequestId(true);
    expect(made?.value).toMatch(/^[\w-]{43}$/);
    expect(made?.hash).toBe(hashSecret(made?.value ?? ''));
    expect(makeRequestId(true)?.value).not.toBe(made?.value);
  });

  test('N117 a login is accepted with the request ID whose hash was stored', () => {
    const made = makeRequestId(true);
    expect(matchesRequestId(made?.hash, made?.value)).toBe(true);
  });

  test('N117 a login with a wrong or missing request ID is rejected', () => {
    const made = makeRequestId(true);
    for (const presented of [makeRequestId(true)?.value, '', made?.hash, `${made?.value} `, undefined])
      expect(matchesRequestId(made?.hash, presented)).toBe(false);
  });

  test('a request ID is ignored in a login that was started without one', () => {
    expect(matchesRequestId(undefined, undefined)).toBe(true);
    expect(matchesRequestId(undefined, 'anything')).toBe(true);
  });
});
