import { expect, test } from '@jest/globals';
import { markUndeliverable } from '../../../shared/domain/identifiers/undeliverable.ts';
import { someAddress, someUser, T } from '../../support/server/records.ts';

const user = someUser({ tenantId: 'tenant', userId: 'ann', email: someAddress('Ann@example.com') });
const mark = { reason: 'bounce', since: T } as const;

test.each([
  ['the address of a user', 'ann@EXAMPLE.com', user, true, 'ann'],
  ['an address of no user', 'ann@example.com', undefined, true, undefined],
  ['a former address of a user', 'former@example.com', user, true, undefined],
  ['an address that changes at the same time', 'ann@example.com', user, false, undefined],
  ['an invalid address', 'ann', user, true, undefined],
])(
  'markUndeliverable marks the email address of its user: %s',
  async (_title, address, found, isMarked, expected) => {
    const marked: unknown[] = [];
    const ports = {
      identifiers: { find: async () => found?.userId },
      users: {
        find: async () => found,
        markUndeliverable: async (...given: unknown[]) => {
          marked.push(given);
          return isMarked;
        },
      },
    } as never;
    expect(await markUndeliverable(ports, { tenantId: 'tenant' }, address, mark)).toBe(expected);
    const isCalled = found !== undefined && address.toLowerCase() === 'ann@example.com';
    expect(marked).toEqual(isCalled ? [[user, 'Ann@example.com', mark]] : []);
  },
);
