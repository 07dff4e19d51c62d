import { describe, expect, test } from '@jest/globals';
import {
  areSecretsEqual,
  deriveId,
  hashSecret,
  newDigits,
  newId,
  newSecret,
  parseUserId,
} from '../../../shared/domain/basis/random.ts';

const SAMPLES = 1_000_000;

/** Computes the chi-square statistic: the sum of (observed - expected)² / expected. */
function chiSquare(counts: readonly number[], expected: number): number {
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

function count(total: number, values: Iterable<number>): readonly number[] {
  const counts = new Array<number>(total).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/**
 * Limit of the chi-square value for 9 degrees of freedom. A fair generator exceeds the limit less than once in 10^15 runs. If
 * digits were computed as a random byte modulo 10, six digits would occur in 26 instead of 25.6 of 256 bytes, and the value
 * would exceed 200. If one digit never occurred, the value would exceed 10^5.
 */
const BOUND_9 = 95;
const BOUND_99 = 260;

describe('distribution of digits in random codes', () => {
  const digits = [...newDigits(SAMPLES)].map(Number);

  test('N112 each digit of a random code occurs equally often', () => {
    expect(digits).toHaveLength(SAMPLES);
    expect(chiSquare(count(10, digits), SAMPLES / 10)).toBeLessThan(BOUND_9);
  });

  test('N112 each pair of consecutive digits occurs equally often in random codes', () => {
    const pairs = digits.flatMap((digit, index) =>
      index % 2 === 0 ? [digit * 10 + (digits[index + 1] ?? 0)] : [],
    );
    expect(chiSquare(count(100, pairs), SAMPLES / 2 / 100)).toBeLessThan(BOUND_99);
  });

  test('N112 a random code begins with zero as often as with any other digit', () => {
    const codes = Array.from({ length: 20_000 }, () => newDigits(6));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    const firsts = count(
      10,
      codes.map((code) => Number(code[0])),
    );
    expect(chiSquare(firsts, codes.length / 10)).toBeLessThan(BOUND_9);
  });

  test.each([[4], [6], [8]])('N112 newDigits(%i) returns %i digits', (length) => {
    expect(newDigits(length)).toMatch(new RegExp(`^\\d{${length}}$`));
  });
});

describe('length and comparison of random IDs and secrets', () => {
  test('a random ID has 128 bits and consists of 25 lower-case letters and digits', () => {
    const ids = new Set(Array.from({ length: 1000 }, newId));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{25}$/);
  });

  test('the same secret and text always yield the same ID', () => {
    expect(deriveId('secret', 'text')).toBe('2sqkydq2hc7en3powkrwdw4ne');
  });

  test('a session ID contains the user ID before its last dot', () => {
    expect(parseUserId('user.name.random')).toBe('user.name');
    expect(parseUserId('random')).toBe('');
  });

  test('a random secret has 256 bits and is base64url-encoded', () => {
    const secrets = new Set(Array.from({ length: 1000 }, newSecret));
    expect(secrets.size).toBe(1000);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    }
  });

  test('a secret is hashed with SHA-256 and encoded as base64url', () => {
    expect(hashSecret('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  test('areSecretsEqual returns true only if both secrets are equal', () => {
    expect(areSecretsEqual('one', 'one')).toBe(true);
    expect(areSecretsEqual('', '')).toBe(true);
    expect(areSecretsEqual('one', 'two')).toBe(false);
    expect(areSecretsEqual('one', 'one ')).toBe(false);
    expect(areSecretsEqual('é', 'e')).toBe(false);
  });
});
