import { expect, test } from '@jest/globals';
import { noticeAddress } from '../../../shared/domain/sending/notice.ts';

const sender = { name: 'Shop' };
const value = 'ann@example.com';
const proven = { value, verified: true };

test('N123: notices go to proven addresses that take mail', () => {
  expect(noticeAddress(sender, 'locked', proven)).toBe(value);
  expect(noticeAddress(sender, 'locked', { value, verified: false })).toBeUndefined();
  for (const reason of ['bounce', 'complaint'] as const)
    expect(
      noticeAddress(sender, 'locked', { ...proven, undeliverable: { reason, since: 1 } }),
    ).toBeUndefined();
  expect(noticeAddress(sender, 'locked', undefined)).toBeUndefined();
});

test.each([
  ['new_device', 'newDevice'],
  ['email_changed', 'contactChanged'],
  ['phone_changed', 'contactChanged'],
  ['locked', 'locked'],
] as const)('N123: %s has the switch %s', (kind, name) => {
  expect(noticeAddress({ ...sender, notices: { [name]: false } }, kind, proven)).toBeUndefined();
  const others = { newDevice: false, contactChanged: false, locked: false, [name]: true };
  expect(noticeAddress({ ...sender, notices: others }, kind, proven)).toBe(value);
});
