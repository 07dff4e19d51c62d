import { expect, test } from '@jest/globals';
import { untilKnown } from '../../../functions/deployment/custom-resource.ts';

const early = new Error('the role is not known yet');
const other = new Error('access denied');

test.each([
  ['is retried until AWS recognises the resource', [early], 'done', 2],
  ['fails immediately on another error', [other], other, 1],
  ['fails on another error after a retry', [early, other], other, 2],
])('an AWS call that depends on a new resource %s', async (_, failures, outcome, calls) => {
  const left = [...failures];
  let called = 0;
  const work = async () => {
    called += 1;
    const failure = left.shift();
    if (failure) throw failure;
    return 'done';
  };
  const running = untilKnown(work, (error) => error === early).catch((error: unknown) => error);
  expect([await running, called]).toEqual([outcome, calls]);
});
