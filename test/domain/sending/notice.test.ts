import { expect, test } from '@jest/globals';
import { noticeDeliveries } from '../../../shared/domain/sending/notice.ts';
import type { FormerAddress, User } from '../../../shared/ports/people.ts';

const sender = { name: 'Shop' };
const value = 'ann@example.com';
const number = '+12015550123';
const proven = { value, verified: true };
const AT = 1_000;

const user = (fields: Partial<User>): User => ({
  ...{ userId: 'u', tenantId: 't', status: 'Active', createdAt: 0, updatedAt: 0 },
  ...{ customIdentifiers: [], groups: [], roles: [], identities: [] },
  ...fields,
});
const mail = { channel: 'email', to: value };
const text = { channel: 'sms', to: number };

test('N123: notices go to proven addresses that take mail', () => {
  const told = (email: User['email']) =>
    noticeDeliveries(sender, email ? user({ email }) : user({}), 'locked', AT);
  expect(told(proven)).toEqual([mail]);
  expect(told({ value, verified: false })).toEqual([]);
  for (const reason of ['bounce', 'complaint'] as const)
    expect(told({ ...proven, undeliverable: { reason, since: 1 } })).toEqual([]);
  expect(told(undefined)).toEqual([]);
});

test.each([
  ['new_device', 'newDevice'],
  ['passkey_added', 'credentialsChanged'],
  ['identity_added', 'credentialsChanged'],
  ['phone_added', 'contactChanged'],
  ['phone_changed', 'contactChanged'],
  ['locked', 'locked'],
] as const)('N123: %s has the switch %s', (kind, name) => {
  const told = (notices: object) =>
    noticeDeliveries({ ...sender, notices }, user({ email: proven }), kind, AT);
  expect(told({ [name]: false })).toEqual([]);
  const others = { newDevice: false, contactChanged: false, credentialsChanged: false, locked: false };
  expect(told({ ...others, [name]: true })).toEqual([mail]);
});

test('a text goes to a proven number where no mail goes out, but not of what strangers can cause', () => {
  const phoneNumber = { value: number, verified: true };
  const told = (kind: 'passkey_added' | 'locked' | 'new_device' | 'phone_added', fields: Partial<User>) =>
    noticeDeliveries(sender, user(fields), kind, AT);
  expect(told('passkey_added', { phoneNumber })).toEqual([text]);
  expect(told('passkey_added', { phoneNumber, email: { value, verified: false } })).toEqual([text]);
  expect(told('passkey_added', { phoneNumber, email: proven })).toEqual([mail]);
  expect(told('phone_added', { phoneNumber })).toEqual([]);
  for (const kind of ['locked', 'new_device'] as const) expect(told(kind, { phoneNumber })).toEqual([]);
  const risk = { signal: 'sim_swap', observedAt: 1, reportedAt: 1 } as const;
  expect(told('passkey_added', { phoneNumber: { ...phoneNumber, risk } })).toEqual([]);
});

test('a former address is told of its own kind of change, while it is remembered', () => {
  const former = (attribute: FormerAddress['attribute'], to: string): FormerAddress => ({
    ...{ changeId: to, attribute, value: to, changedAt: 1, until: AT + 1, isFinal: false },
  });
  const [email, phone] = [former('email', value), former('phoneNumber', number)];
  const person = user({ formerAddresses: [email, phone] });
  const off = { ...sender, notices: { contactChanged: false } };
  expect(noticeDeliveries(off, person, 'email_changed', AT)).toEqual([{ ...mail, former: email }]);
  expect(noticeDeliveries(off, person, 'phone_changed', AT)).toEqual([{ ...text, former: phone }]);
  expect(noticeDeliveries(off, person, 'email_restored', AT)).toEqual([]);
  expect(noticeDeliveries(off, person, 'email_changed', AT + 1)).toEqual([]);
  expect(noticeDeliveries(sender, person, 'passkey_added', AT)).toEqual([]);
});
