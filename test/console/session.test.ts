import { afterEach, expect, jest, test } from '@jest/globals';
import { CONSOLE_COOKIE, findSession } from '../../functions/console/session.ts';
import { newSecret } from '../../shared/domain/basis/random.ts';
import { seal } from '../../shared/domain/basis/sealing.ts';
import type { Settings } from '../../shared/operation.ts';
import { T } from '../support/server/records.ts';

const settings = { issuer: 'https://id.example.com/cis/oidc' } as Settings;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Reads a console session with an expired access token. The refresh at the token endpoint gets the given status. */
async function findExpired(status: number) {
  const secret = newSecret();
  const tokens = { accessToken: 'old', accessEndsAt: T, refreshToken: 'refresh' };
  let isRemoved = false;
  const ports = {
    consoleSessions: {
      find: async () => ({ sealed: seal(secret, 'console-session', JSON.stringify(tokens)) }),
      keep: async () => true,
      remove: async () => {
        isRemoved = true;
      },
    },
  } as never;
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ error: 'some_error' }, { status }));
  const found = await findSession(ports, settings, { [CONSOLE_COOKIE]: secret }, T).catch(() => 'failed');
  return { found, isRemoved };
}

test.each([429, 500, 503])(
  'a console session continues if the token endpoint responds with %s',
  async (status) => {
    expect(await findExpired(status)).toEqual({ found: 'failed', isRemoved: false });
  },
);

test('a console session ends if the token endpoint rejects its refresh token', async () => {
  expect(await findExpired(400)).toEqual({ found: undefined, isRemoved: true });
});
