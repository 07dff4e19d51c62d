import { expect, test } from '@jest/globals';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { toAddressAuditContext, toMessageSubject } from '../../../shared/flows/sending/message-facts.ts';
import { someTenant } from '../../support/server/records.ts';

const tenant = someTenant();

test.each([
  ['email', 'ann@example.com', 'a•••@e•••.com'],
  ['phone_number', '+12015550123', expect.stringMatching(/23$/)],
])(
  'a log line about an address of the type %s contains the masked address and its hash',
  (type, value, recipient) => {
    const facts = toAddressAuditContext(tenant, { type, value });
    expect(facts).toEqual({ recipient, recipientHash: identifierHash(tenant, { type, value }) });
    expect(JSON.stringify(facts)).not.toContain(value);
  },
);

test.each(['username', 'user_id', 'card'])(
  'a log line about a recipient of the type %s does not contain the recipient’s address',
  (type) => {
    expect(toAddressAuditContext(tenant, { type, value: 'ann' })).toEqual({});
  },
);

test('the log line about a login message contains the user ID', () => {
  expect(toMessageSubject({ kind: 'signUp', userId: 'u' }, 'hash')).toEqual({ recipientHash: 'hash' });
  expect(toMessageSubject({ kind: 'login', userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
  expect(toMessageSubject({ userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
});
