import { expect, test } from '@jest/globals';
import { findLatestAuthTime, hasAuthenticatedSince } from '../../../shared/domain/trust/login-time.ts';
import { someUse, T } from '../../support/server/records.ts';

const mail = someUse({ at: T });
const social = someUse({ method: 'social', at: T + 9 });

test('the authentication time of a login is that of its latest method, or the time that the provider reports', () => {
  expect(findLatestAuthTime([mail, { ...mail, at: T - 1 }])).toBe(T);
  expect(findLatestAuthTime([mail, social])).toBe(T + 9);
  expect(findLatestAuthTime([mail, { ...social, authTime: T + 5 }])).toBe(T + 5);
  expect(() => findLatestAuthTime([])).toThrow('a login needs an authentication');
});

test.each([
  ['a code', mail, [true, false]],
  ['a provider that does not report the authentication time', social, [false, false]],
  ['a provider that reports the authentication time', { ...social, authTime: T }, [true, false]],
])(
  'the user has authenticated since a time if it is not later than the login by %s',
  (_title, use, expected) => {
    expect([hasAuthenticatedSince([use], T), hasAuthenticatedSince([use], T + 1)]).toEqual(expected);
  },
);
