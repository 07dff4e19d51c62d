import { expect, test } from '@jest/globals';
import { findFullName } from '../../../shared/domain/identifiers/person-name.ts';

test.each([
  [{ firstName: 'Ann', lastName: 'Lee' }, 'Ann Lee'],
  [{ firstName: 'Ann' }, 'Ann'],
  [{ firstName: '', lastName: 'Lee' }, 'Lee'],
  [{ firstName: '' }, undefined],
  [{}, undefined],
])('the full name of %j is %j', (user, expected) => {
  expect(findFullName(user)).toBe(expected);
});
