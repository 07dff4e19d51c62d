import { expect, test } from '@jest/globals';
import { findPasskeys } from '../../../shared/flows/hosted-login/find-passkeys.ts';

test.each([
  ['no one asks for them', {}, 0],
  ['the request asks for a second factor', { requireMfa: true }, 1],
])('passkeys are read as often as they may be needed: where %s', async (_, request, times) => {
  let reads = 0;
  const passkeys = {
    listOf: async () => {
      reads += 1;
      return [];
    },
  };
  // A login that only answers what a client asks is offered nothing.
  const login = { request, progress: { userId: 'ada', proven: [], held: true } };
  await findPasskeys({ passkeys } as never, { login } as never, Promise.resolve({}) as never);
  expect(reads).toBe(times);
});
