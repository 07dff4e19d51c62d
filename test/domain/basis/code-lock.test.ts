import { expect, test } from '@jest/globals';
import { beginningOf, closesCode, type Tried } from '../../../shared/domain/basis/code-lock.ts';

const AT = 1000;
const tried = (tries: number, change: Partial<Tried> = {}): Tried => ({
  ...{ tries, most: 3, until: AT + 60, code: 'old' },
  ...change,
});
const code = (mac: string, maxTries = 3) => ({ mac, maxTries });

test.each([
  ['counts on after a wrong try', tried(1), code('old'), undefined],
  ['counts on with a new code: sending one buys no tries', tried(2), code('new'), undefined],
  ['counts nothing while it is locked', tried(3), code('new'), undefined],
  ['counts nothing for the code that locked', tried(3, { until: AT }), code('old'), undefined],
  [
    'begins anew after the lock, for another code',
    tried(3, { until: AT }),
    code('new'),
    { code: 'old', next: 1 },
  ],
  ['has one try left where the new code allows fewer', tried(2), code('new', 2), { code: 'old', next: 2 }],
])('a guesser %s', (_, seen, given, beginning) => {
  expect(beginningOf(seen, given, AT)).toEqual(beginning);
});

test.each([
  ['while its guesser is locked', tried(3), 'new', true],
  ['that locked, for good', tried(3, { until: AT }), 'old', true],
  ['that came after the lock, not', tried(3, { until: AT }), 'new', false],
  ['with tries left, not', tried(2), 'old', false],
])('a guesser closes a code %s', (_, seen, mac, closes) => {
  expect(closesCode(seen, mac, AT)).toBe(closes);
});
