import { describe, expect, test } from '@jest/globals';
import { isFromEdge } from '../../../shared/domain/basis/edge.ts';
import { hashSecret, newSecret } from '../../../shared/domain/basis/random.ts';

const [current, next] = [newSecret(), newSecret()];

describe('rotation of the CloudFront secret', () => {
  test('the old and the new CloudFront secret are both accepted during a rotation', () => {
    expect(isFromEdge(current, [hashSecret(current)])).toBe(true);
    for (const secret of [current, next])
      expect(isFromEdge(secret, [hashSecret(current), hashSecret(next)])).toBe(true);
  });

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['wrong', newSecret()],
    ['the stored hash', hashSecret(current)],
    ['the correct secret repeated', `${current},${current}`],
  ])('a request whose CloudFront secret is %s is rejected', (_title, presented) => {
    expect(isFromEdge(presented, [hashSecret(current), hashSecret(next)])).toBe(false);
  });

  test('a CloudFront secret is rejected once its hash is no longer configured', () => {
    expect(isFromEdge(current, [hashSecret(next)])).toBe(false);
    expect(isFromEdge(current, [])).toBe(false);
  });
});
