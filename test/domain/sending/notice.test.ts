import { expect, test } from '@jest/globals';
import { readEffectiveTime } from '../../../functions/events/notice-undo.ts';
import { countNotice, deliveriesToAll, noticeDeliveries } from '../../../shared/domain/sending/notice.ts';
import { formerAddresses } from '../../../shared/domain/trust/changes.ts';
import type { ChangedAddress, User } from '../../../shared/ports/people.ts';
import { someAddress, someUser } from '../../support/server/records.ts';

const sender = { name: 'Shop' };
const value = 'ann@example.com';
const number = '+12015550123';
const proven = someAddress(value);
const claimed = someAddress(value, { standing: 'claimed' });
const AT = 1_000;

const mail = { channel: 'email', to: value };
const text = { channel: 'sms', to: number };

test('N123: an email notice is sent only to a verified, deliverable address', () => {
  const told = (email: User['email']) => noticeDeliveries(sender, someUser(email && { email }), 'locked', AT);
  expect(told(proven)).toEqual([mail]);
  expect(told(claimed)).toEqual([]);
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
] as const)('N123: the notice %s is not sent if the application turns off the setting %s', (kind, name) => {
  const told = (notices: object) =>
    noticeDeliveries({ ...sender, notices }, someUser({ email: proven }), kind, AT);
  expect(told({ [name]: false })).toEqual([]);
  const others = { newDevice: false, contactChanged: false, credentialsChanged: false, locked: false };
  expect(told({ ...others, [name]: true })).toEqual([mail]);
});

test('a user without a verified email address is notified of a new passkey by SMS', () => {
  const phoneNumber = someAddress(number);
  const told = (kind: 'passkey_added' | 'locked' | 'new_device' | 'phone_added', fields: Partial<User>) =>
    noticeDeliveries(sender, someUser(fields), kind, AT);
  expect(told('passkey_added', { phoneNumber })).toEqual([text]);
  expect(told('passkey_added', { phoneNumber, email: claimed })).toEqual([text]);
  expect(told('passkey_added', { phoneNumber, email: proven })).toEqual([mail]);
  expect(told('phone_added', { phoneNumber })).toEqual([]);
  for (const kind of ['locked', 'new_device'] as const) expect(told(kind, { phoneNumber })).toEqual([]);
  const risk = { signal: 'sim_swap', observedAt: 1, reportedAt: 1 } as const;
  expect(told('passkey_added', { phoneNumber: { ...phoneNumber, risk } })).toEqual([]);
});

test('a notice that must reach the user goes to each verified address', () => {
  const user = someUser({ email: proven, phoneNumber: someAddress(number) });
  expect(deliveriesToAll(user, 'passkey_added', AT)).toEqual([mail, text]);
  expect(noticeDeliveries(sender, user, 'recovery_requested', AT)).toEqual([mail, text]);
  expect(noticeDeliveries(sender, user, 'recovery_cancelled', AT)).toEqual([mail]);
});

test('a notice about a changed email address goes to the previous email address', () => {
  const change = (attribute: ChangedAddress['attribute'], to: string) => ({
    ...{
      changeId: to,
      changedAt: 1,
      until: AT + 1,
      validBefore: [1],
      undoCondition: 'link' as const,
      linkFrom: AT + 1,
    },
    what: { attribute, former: someAddress(to) },
  });
  const person = someUser({ changes: [change('email', value), change('phoneNumber', number)] });
  const [email, phone] = formerAddresses(person);
  expect([email?.value, phone?.value]).toEqual([value, number]);
  const off = { ...sender, notices: { contactChanged: false } };
  expect(noticeDeliveries(off, person, 'email_changed', AT)).toEqual([{ ...mail, former: email }]);
  expect(noticeDeliveries(off, person, 'phone_changed', AT)).toEqual([{ ...text, former: phone }]);
  expect(noticeDeliveries(off, person, 'email_restored', AT)).toEqual([]);
  expect(noticeDeliveries(off, person, 'email_changed', AT + 1)).toEqual([]);
  expect(noticeDeliveries(sender, person, 'passkey_added', AT)).toEqual([]);
});

test('if several undos are delayed, the notice states when the last delay ends', () => {
  const delayed = (changeId: string, linkFrom: number) => ({
    ...{ changeId, changedAt: 1, until: AT + 9, validBefore: [1], undoCondition: 'link' as const, linkFrom },
    what: { attribute: 'email' as const, former: proven },
  });
  const user = someUser({
    changes: [delayed('one', AT + 1), delayed('two', AT + 3), delayed('done', AT + 9)],
  });
  const notice = { event: { time: '2026-11-29T15:00:00Z' }, kind: 'undo_requested', user, sender };
  expect(readEffectiveTime(notice as unknown as Parameters<typeof readEffectiveTime>[0])).toBe(AT + 3);
});

test('when an account is taken over by verifying an address, only verified earlier addresses receive a notice', () => {
  const generations = { valid: [2], highest: 2 };
  const superseded = someAddress(value, { generation: 1 });
  const notified = (fields: Partial<User>) =>
    noticeDeliveries(sender, someUser({ generations, ...fields }), 'reclaimed', AT);
  expect(notified({ email: superseded, phoneNumber: someAddress(number, { generation: 2 }) })).toEqual([
    mail,
  ]);
  expect(notified({ email: superseded, phoneNumber: someAddress(number, { generation: 1 }) })).toEqual([
    mail,
    text,
  ]);
  expect(notified({ email: { ...superseded, standing: 'claimed' } })).toEqual([]);
  expect(notified({ email: { ...superseded, undeliverable: { reason: 'bounce', since: 1 } } })).toEqual([]);
  expect(notified({})).toEqual([]);
});

test('mandatory notices are sent even above a rate limit', async () => {
  const full = { count: async () => ({ admitted: false, retryAfterSeconds: 60 }) as const };
  const admits = (kind: Parameters<typeof countNotice>[2]) => countNotice({ windows: full }, 'ann', kind, AT);
  expect(await Promise.all([admits('reclaimed'), admits('locked')])).toEqual([true, false]);
});
