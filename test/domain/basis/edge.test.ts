import { describe, expect, test } from '@jest/globals';
import { isFromEdge } from '../../../shared/domain/basis/edge.ts';
import { hashSecret, newSecret } from '../../../shared/domain/basis/random.ts';

const [current, next] = [newSecret(), newSecret()];

describe('secret of the edge', () => {
  test('accepts the edge’s secret by its hash, and both secrets during a rotation', () => {
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
  ])('rejects a request whose edge secret is %s', (_title, presented) => {
    expect(isFromEdge(presented, [hashSecret(current), hashSecret(next)])).toBe(false);
  });

  test('rejects an edge secret whose hash was removed', () => {
    expect(isFromEdge(current, [hashSecret(next)])).toBe(false);
    expect(isFromEdge(current, [])).toBe(false);
  });
});
