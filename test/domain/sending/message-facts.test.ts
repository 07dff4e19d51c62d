import { expect, test } from '@jest/globals';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { addressFacts, subjectOf } from '../../../shared/flows/sending/message-facts.ts';
import { someTenant } from '../../support/server/records.ts';

const tenant = someTenant();

test.each([
  ['email', 'ann@example.com', 'a•••@e•••.com'],
  ['phone_number', '+12015550123', expect.stringMatching(/23$/)],
])('of an address of type %s a line tells its mask and its hash', (type, value, recipient) => {
  const facts = addressFacts(tenant, { type, value });
  expect(facts).toEqual({ recipient, recipientHash: identifierHash(tenant, { type, value }) });
  expect(JSON.stringify(facts)).not.toContain(value);
});

test.each(['username', 'user_id', 'card'])('of a %s a line tells nothing', (type) => {
  expect(addressFacts(tenant, { type, value: 'ann' })).toEqual({});
});

test('a message is about its user, and about the address only while nobody has signed up with it', () => {
  expect(subjectOf({ kind: 'signUp', userId: 'u' }, 'hash')).toEqual({ recipientHash: 'hash' });
  expect(subjectOf({ kind: 'login', userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
  expect(subjectOf({ userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
});
