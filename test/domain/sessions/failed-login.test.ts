import { expect, test } from '@jest/globals';
import { endStartedSession } from '../../../shared/flows/login/complete-login.ts';
import { someSession, T } from '../../support/server/records.ts';

const session = someSession();
const { sessionId } = session;

test.each([
  ['ends the session that the login started', undefined, undefined, [['session', sessionId, T]]],
  [
    'revokes the refresh token family that the login added to a session',
    session,
    'token',
    [['family', sessionId, 'family', T]],
  ],
  ['does not change a session that the login joined without a refresh token', session, undefined, []],
])('a login that fails after its credential was verified %s', async (_title, joined, refreshToken, ended) => {
  const calls: unknown[] = [];
  const sessions = {
    end: async (...given: unknown[]) => void calls.push(['session', ...given]),
    endFamily: async (...given: unknown[]) => void calls.push(['family', ...given]),
  };
  const login = { joined, proof: { at: T } };
  await endStartedSession(
    { sessions } as never,
    login as never,
    { session, familyId: 'family', refreshToken } as never,
  );
  expect(calls).toEqual(ended);
});
