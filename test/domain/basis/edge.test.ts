import { describe, expect, test } from '@jest/globals';
import { isFromEdge } from '../../../shared/domain/basis/edge.ts';
import { hashSecret, newSecret } from '../../../shared/domain/basis/random.ts';

const [current, next] = [newSecret(), newSecret()];

describe('the secret of the edge', () => {
  test('is accepted by its hash, and so are two while it changes', () => {
    expect(isFromEdge(current, [hashSecret(current)])).toBe(true);
    for (const secret of [current, next])
      expect(isFromEdge(secret, [hashSecret(current), hashSecret(next)])).toBe(true);
  });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['another secret', newSecret()],
    ['the hash itself', hashSecret(current)],
    ['the secret twice', `${current},${current}`],
  ])('%s is refused', (_title, presented) => {
    expect(isFromEdge(presented, [hashSecret(current), hashSecret(next)])).toBe(false);
  });

  test('is refused once its hash is gone', () => {
    expect(isFromEdge(current, [hashSecret(next)])).toBe(false);
    expect(isFromEdge(current, [])).toBe(false);
  });
});
