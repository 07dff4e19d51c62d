import { expect, test } from '@jest/globals';
import { beginTryCount, invalidatesCode, type TryCount } from '../../../shared/domain/basis/code-lock.ts';

const AT = 1000;
const tried = (tries: number, change: Partial<TryCount> = {}): TryCount => ({
  ...{ tries, maxTries: 3, lockedUntil: AT + 60, code: 'old' },
  ...change,
});
const code = (mac: string, maxTries = 3) => ({ mac, maxTries });

test.each([
  ['continues after a wrong attempt', tried(1), code('old'), undefined],
  ['continues with a new code, because a new code grants no more attempts', tried(2), code('new'), undefined],
  ['does not continue while the guesser is locked out', tried(3), code('new'), undefined],
  [
    'does not continue for the code that caused the lockout',
    tried(3, { lockedUntil: AT }),
    code('old'),
    undefined,
  ],
  [
    'restarts after the lockout, for another code',
    tried(3, { lockedUntil: AT }),
    code('new'),
    { code: 'old', next: 1 },
  ],
  ['leaves one attempt where the new code allows fewer', tried(2), code('new', 2), { code: 'old', next: 2 }],
])('the count of a guesser’s failed attempts %s', (_, seen, given, beginning) => {
  expect(beginTryCount(seen, given, AT)).toEqual(beginning);
});

test.each([
  ['is closed while its guesser is locked out', tried(3), 'new', true],
  ['that caused the lockout stays closed for good', tried(3, { lockedUntil: AT }), 'old', true],
  ['sent after the lockout is not closed', tried(3, { lockedUntil: AT }), 'new', false],
  ['with attempts left is not closed', tried(2), 'old', false],
])('for a guesser, a code %s', (_, seen, mac, closes) => {
  expect(invalidatesCode(seen, mac, AT)).toBe(closes);
});
