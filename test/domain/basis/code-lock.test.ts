import { expect, test } from '@jest/globals';
import {
  type AttemptCount,
  invalidatesCode,
  newAttemptCount,
} from '../../../shared/domain/basis/code-lock.ts';

const AT = 1000;
const tried = (tries: number, change: Partial<AttemptCount> = {}): AttemptCount => ({
  ...{ tries, maxTries: 3, lockedUntil: AT + 60, code: 'old' },
  ...change,
});
const code = (mac: string, maxTries = 3) => ({ mac, maxTries });

test.each([
  ['continues after a wrong code', tried(1), code('old'), undefined],
  ['continues when a new code is sent', tried(2), code('new'), undefined],
  ['stays unchanged during the lockout', tried(3), code('new'), undefined],
  [
    'stays unchanged for the code that caused the lockout',
    tried(3, { lockedUntil: AT }),
    code('old'),
    undefined,
  ],
  [
    'restarts for another code after the lockout',
    tried(3, { lockedUntil: AT }),
    code('new'),
    { code: 'old', next: 1 },
  ],
  [
    'leaves one attempt if the new code allows fewer attempts',
    tried(2),
    code('new', 2),
    { code: 'old', next: 2 },
  ],
])(
  'failed attempts to enter one-time codes are counted across consecutive codes: the count %s',
  (_, seen, given, beginning) => {
    expect(newAttemptCount(seen, given, AT)).toEqual(beginning);
  },
);

test.each([
  ['every code is invalid during the lockout', tried(3), 'new', true],
  ['a code stays invalid after the lockout that it caused', tried(3, { lockedUntil: AT }), 'old', true],
  ['a code is valid if it was sent after the lockout', tried(3, { lockedUntil: AT }), 'new', false],
  ['a code is valid while attempts are left', tried(2), 'old', false],
])(
  'codes are invalid during a lockout, and the code that caused the lockout stays invalid: %s',
  (_, seen, mac, closes) => {
    expect(invalidatesCode(seen, mac, AT)).toBe(closes);
  },
);
