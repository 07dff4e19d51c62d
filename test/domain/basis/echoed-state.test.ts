import { describe, expect, test } from '@jest/globals';
import { STATE_MAX_BYTES, URI_MAX } from '../../../shared/domain/basis/limits.ts';
import { addParameters, requireShortState } from '../../../shared/domain/basis/redirect-uri.ts';

const refusal = (field: string) =>
  expect.objectContaining({
    key: 'system_invalid_input',
    detail: expect.objectContaining({ message: expect.stringMatching(new RegExp(`^${field}: .*bytes`)) }),
  });

describe('state parameter of an authorization request', () => {
  test.each([
    ['letters', 'a', 1],
    ['spaces', ' ', 1],
    ['escaped characters', '/', 3],
    ['two bytes', 'é', 6],
    ['four bytes', '😀', 12],
  ])('the length of the state parameter is measured in percent-encoded bytes: %s', (_, character, bytes) => {
    const most = character.repeat(Math.floor(STATE_MAX_BYTES / bytes));
    expect(() => requireShortState(most)).not.toThrow();
    expect(() => requireShortState(most + character)).toThrow(refusal('state'));
  });

  test('a redirect URL with a state parameter of the maximum length has fewer than 6500 bytes', () => {
    const uri = 'https://a.example/'.padEnd(URI_MAX, 'x');
    const state = '😀'.repeat(STATE_MAX_BYTES / 12);
    const answer = { code: 'c'.repeat(43), state, iss: 'i'.repeat(200), error_description: 'd'.repeat(500) };
    expect(Buffer.byteLength(addParameters(uri, answer))).toBeLessThan(6500);
  });

  test('the state parameter of an authorization request may be missing or empty', () => {
    expect(() => [requireShortState(undefined), requireShortState('')]).not.toThrow();
  });
});
