import { afterEach, expect, jest, test } from '@jest/globals';
import { CONSOLE_COOKIE, findSession } from '../../functions/console/session.ts';
import { newSecret } from '../../shared/domain/basis/random.ts';
import { seal, unseal } from '../../shared/domain/basis/sealing.ts';
import type { Settings } from '../../shared/operation.ts';
import { T } from '../support/server/records.ts';

const settings = { issuer: 'https://id.example.com/cis/oidc' } as Settings;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Tokens of a session whose access token expires at `T`. */
const expired = { accessToken: 'old', accessEndsAt: T, refreshToken: 'refresh' };

/** Reads a console session with the given tokens. A refresh at the token endpoint gets the given response. */
async function find(tokens: object, answer: Response, hasEnded = false) {
  const secret = newSecret();
  let isRemoved = false;
  let kept: unknown;
  const ports = {
    consoleSessions: {
      find: async () => ({ sealed: seal(secret, 'console-session', JSON.stringify(tokens)) }),
      keep: async ({ sealed }: { readonly sealed: string }) => {
        kept = JSON.parse(unseal(secret, 'console-session', sealed) ?? 'null');
        return !hasEnded;
      },
      remove: async () => {
        isRemoved = true;
      },
    },
  } as never;
  const calls = jest.spyOn(globalThis, 'fetch').mockClear().mockResolvedValue(answer);
  const session = await findSession(ports, settings, { [CONSOLE_COOKIE]: secret }, T).catch(() => 'failed');
  const found = typeof session === 'object' ? session.accessToken : session;
  return { found, isRemoved, kept, refreshes: calls.mock.calls.length };
}

const renewed = () => Response.json({ access_token: 'new', expires_in: 300, refresh_token: 'next' });
const refused = (status: number) => Response.json({ error: 'some_error' }, { status });

test.each([429, 500, 503])(
  'a console session continues if the token endpoint responds with %s',
  async (status) => {
    expect(await find(expired, refused(status))).toEqual({ found: 'failed', isRemoved: false, refreshes: 1 });
  },
);

test('a console session ends if the token endpoint rejects its refresh token', async () => {
  expect(await find(expired, refused(400))).toEqual({ found: undefined, isRemoved: true, refreshes: 1 });
});

test('a console session stores the tokens of a refresh, unless the session has ended meanwhile', async () => {
  const kept = { accessToken: 'new', accessEndsAt: T + 300, refreshToken: 'next' };
  const outcome = { isRemoved: false, kept, refreshes: 1 };
  expect(await find(expired, renewed())).toEqual({ ...outcome, found: 'new' });
  expect(await find(expired, renewed(), true)).toEqual({ ...outcome, found: undefined });
});

test('a console cookie that is malformed or cannot decrypt the tokens opens no session', async () => {
  const open = (secret: string, ports: object) =>
    findSession({ consoleSessions: ports } as never, settings, { [CONSOLE_COOKIE]: secret }, T);
  expect(await open('malformed', {})).toBeUndefined();
  const sealed = seal(newSecret(), 'console-session', JSON.stringify(expired));
  expect(await open(newSecret(), { find: async () => ({ sealed }) })).toBeUndefined();
});

test.each([
  [60, 'new'],
  [61, 'old'],
])(
  'for an access token that expires in %d seconds, a console session returns the %s token',
  async (seconds, found) => {
    expect(await find({ ...expired, accessEndsAt: T + seconds }, renewed())).toMatchObject({ found });
  },
);
