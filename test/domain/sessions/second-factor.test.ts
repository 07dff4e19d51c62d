import { expect, test } from '@jest/globals';
import { AUTHORIZATION_CODE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { addFactor, type FactorFacts } from '../../../shared/domain/sessions/second-factor.ts';
import { someAuthorizationCode } from '../../support/fixtures/flow-records.ts';
import {
  someAddress,
  someApplication,
  someSession,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const application = someApplication({ loginPreferences: { email: {}, sms: {} } });
const user = someUser({ email: someAddress('a@example.com'), phoneNumber: someAddress('+12015550100') });
const code = someAuthorizationCode({ userId: user.userId, userAgent: 'agent', requireMfa: true });
const text = someUse({ method: 'sms', at: T });
const browserSession = someSession({ userId: user.userId, browserHash: 'browser', awaitsSecondFactor: true });

/** Adds an SMS code to a login. Returns the outcome and the calls of the store. */
async function add(change: Partial<FactorFacts>, writes: { readonly [method: string]: boolean } = {}) {
  const calls: unknown[][] = [];
  const write =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      calls.push([name, ...given]);
      return writes[name] ?? true;
    };
  const ports = {
    codes: { spend: write('spend'), upgrade: write('upgrade') },
    sessions: { join: write('join'), start: write('start'), releaseBrowser: write('releaseBrowser') },
  } as never;
  const facts = { code, application, user, methods: [text], needsAnyFactor: false, generation: 1, at: T };
  const noteProof = async () => void calls.push(['noteProof']);
  const none = { browserSession: undefined, cookieSession: undefined };
  const outcome = await addFactor(ports, { ...facts, ...none, noteProof, ...change }).catch(
    ({ key }: { key: string }) => key,
  );
  return { outcome, calls, names: calls.map(([name]) => name) };
}

test('the second factor of a login in a browser makes the code exchangeable in the session of the browser', async () => {
  const { outcome, calls, names } = await add({ browserSession });
  const { sessionId } = browserSession;
  expect(outcome).toMatchObject({ outcome: 'complete', sessionId, renewed: { secret: expect.any(String) } });
  expect(names).toEqual(['upgrade', 'join', 'noteProof']);
  const methods = [...browserSession.methods, text];
  const expiresAt = T + AUTHORIZATION_CODE_SECONDS;
  expect(calls[0]).toEqual([
    'upgrade',
    code.hash,
    { methods, sessionId, startsSession: false, expiresAt, at: T },
  ]);
});

test('the first factor of a login in a browser starts a session that waits for the second factor', async () => {
  const cookieSession = { sessionId: 'former', browserHash: 'hash' };
  for (const session of [undefined, someSession()]) {
    const { outcome, calls, names } = await add({ browserSession: session, cookieSession });
    expect(outcome).toMatchObject({ outcome: 'first', open: ['email-otp'] });
    expect(names).toEqual(['spend', 'start', 'releaseBrowser', 'noteProof']);
    expect(calls[1]?.[1]).toMatchObject({
      userId: user.userId,
      methods: [text],
      awaitsSecondFactor: true,
      generation: 1,
      userAgent: 'agent',
    });
  }
});

const sameFactor = someSession({ ...browserSession, methods: [someUse({ method: 'sms', at: T - 60 })] });
const insufficient = someUse({ method: 'sms', at: T, worth: 'quarantined' });

test.each<[string, Partial<FactorFacts>, Readonly<Record<string, boolean>>, unknown, readonly string[]]>([
  ['the code was already used', {}, { spend: false }, undefined, ['spend']],
  ['a concurrent request used the code', { browserSession }, { upgrade: false }, undefined, ['upgrade']],
  ['the user has no second factor', { user: someUser() }, {}, 'access_denied', []],
  [
    'the session ended',
    { browserSession },
    { join: false },
    { outcome: 'complete', sessionId: browserSession.sessionId },
    ['upgrade', 'join', 'noteProof'],
  ],
  [
    'the same factor is used again',
    { browserSession: sameFactor },
    {},
    expect.objectContaining({ outcome: 'first', sessionId: sameFactor.sessionId }),
    ['spend', 'join', 'noteProof'],
  ],
  [
    'the same factor is used again in a session that ended',
    { browserSession: sameFactor },
    { join: false },
    expect.objectContaining({ outcome: 'first' }),
    ['spend', 'join', 'noteProof', 'start'],
  ],
  [
    'any other factor of the user completes an insufficient proof',
    { needsAnyFactor: true, methods: [insufficient], browserSession },
    {},
    expect.objectContaining({ outcome: 'complete' }),
    ['upgrade', 'join', 'noteProof'],
  ],
])('a factor is added to a login: %s', async (_title, change, writes, expected, names) => {
  const added = await add(change, writes);
  expect(added.outcome).toEqual(expected);
  expect(added.names).toEqual(names);
});
