import { describe, expect, test } from '@jest/globals';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import {
  emailRecipient,
  phoneRecipient,
  readCustomEmail,
  readCustomPhoneNumber,
  requireLinkable,
  storeAndDeliver,
} from '../../../shared/domain/sending/delivery.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { User } from '../../../shared/ports/people.ts';
import { someAddress, someTenant, someUser, T } from '../../support/server/records.ts';

const tenant = someTenant();
const hash = (type: string, value: string) => identifierHash(tenant, { type, value });
const email = someAddress('Ann@example.com');
const phoneNumber = someAddress('+12015550123');
const unreachable = (refusal: string) => ({ key: 'recipient_unreachable', detail: { audit: { refusal } } });
const catchError = (call: () => unknown) => {
  try {
    return { returned: call() };
  } catch (error) {
    return error;
  }
};

describe('recipients of messages', () => {
  const own = { isTest: true, language: 'de' } as const;
  const facts = (user: User) => ({ testUserId: user.userId, language: 'de' });

  test('a message goes to the own address of the user, or to the alternative one', () => {
    const user = someUser({ email, phoneNumber, ...own });
    expect(emailRecipient(tenant, user)).toEqual({
      ...{ address: email.value, ownHash: hash('email', 'ann@example.com') },
      ...facts(user),
    });
    expect(emailRecipient(tenant, user, 'ben@example.com')).toEqual({
      ...{ address: 'ben@example.com' },
      ...facts(user),
    });
    expect(phoneRecipient(tenant, user)).toEqual({
      ...{ address: phoneNumber.value, ownHash: hash('phone_number', phoneNumber.value) },
      ...facts(user),
    });
    const other = '+12015550199';
    expect(phoneRecipient(tenant, user, other)).toEqual({
      ...{ address: other, alternativeHash: hash('phone_number', other) },
      ...facts(user),
    });
    expect(emailRecipient(tenant, someUser(), 'ben@example.com')).toEqual({ address: 'ben@example.com' });
  });

  test('a message without an alternative address requires an address of the user', () => {
    expect(() => emailRecipient(tenant, someUser({ phoneNumber }))).toThrow('user_email_address_missing');
    expect(() => phoneRecipient(tenant, someUser({ email }))).toThrow('user_phone_number_missing');
  });

  test.each([
    ['bounce', 'mail_bounced'],
    ['complaint', 'mail_complaint'],
  ] as const)('no mail is sent to an address after a %s', (reason, refusal) => {
    const user = someUser({ email: { ...email, undeliverable: { reason, since: T } } });
    for (const custom of [undefined, 'ann@EXAMPLE.com'])
      expect(catchError(() => emailRecipient(tenant, user, custom))).toMatchObject(unreachable(refusal));
    expect(emailRecipient(tenant, user, 'ben@example.com')).toEqual({ address: 'ben@example.com' });
  });

  test('no text message is sent to a number at risk', () => {
    const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
    const user = someUser({ phoneNumber: { ...phoneNumber, risk } });
    for (const custom of [undefined, phoneNumber.value])
      expect(catchError(() => phoneRecipient(tenant, user, custom))).toMatchObject(
        unreachable('number_at_risk'),
      );
    expect(phoneRecipient(tenant, user, '+12015550199')).toMatchObject({ address: '+12015550199' });
  });

  test('a link is not sent to a test user', () => {
    requireLinkable({ address: email.value });
    const refused = catchError(() => requireLinkable({ address: email.value, testUserId: 'ann' }));
    expect(refused).toMatchObject(unreachable('test_user'));
  });

  test('an alternative address must be valid', () => {
    expect([readCustomEmail(undefined), readCustomPhoneNumber(undefined)]).toEqual([undefined, undefined]);
    expect(readCustomEmail(' Ben@example.com')).toBe('Ben@example.com');
    expect(readCustomPhoneNumber('+1 (201) 555-0199')).toBe('+12015550199');
    for (const invalid of ['ben', 'ben@localhost'])
      expect(catchError(() => readCustomEmail(invalid))).toMatchObject({ key: 'system_invalid_input' });
    expect(catchError(() => readCustomPhoneNumber('201'))).toMatchObject({ key: 'system_invalid_input' });
  });
});

describe('storing and delivering a credential', () => {
  const refused = new ServiceError('service_unavailable');
  const unknown = new ServiceError('service_unavailable', { mayArrive: true });
  const broken = new Error('no table');

  test.each([
    ['is accepted', undefined, undefined, []],
    ['is rejected', undefined, refused, ['refused stored']],
    ['may still arrive', undefined, unknown, ['unknown stored']],
    ['fails with another error', undefined, new Error('bug'), ['refused stored']],
    ['is accepted, but not stored', broken, undefined, []],
    ['is rejected, and not stored', broken, refused, []],
  ])(
    'the credential is kept or reverted if the delivery %s',
    async (_, storeError, deliveryError, reverted) => {
      const run = async (report?: (error: unknown) => void) => {
        const calls: string[] = [];
        const outcome = await storeAndDeliver({
          store: async () => {
            if (storeError) throw storeError;
            return 'stored';
          },
          deliver: async () => {
            if (deliveryError) throw deliveryError;
          },
          onRefused: async (replaced) => calls.push(`refused ${replaced}`),
          onUnknown: async (replaced) => calls.push(`unknown ${replaced}`),
          report,
        }).catch((error: unknown) => error);
        expect(calls).toEqual(reverted);
        return outcome;
      };
      expect(await run()).toBe(deliveryError ?? storeError);
      const reported: unknown[] = [];
      expect(await run((error) => reported.push(error))).toBe(storeError);
      expect(reported).toEqual(deliveryError ? [deliveryError] : []);
    },
  );
});
