import { expect, test } from '@jest/globals';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { composeSms } from '../../../shared/flows/sending/message.ts';
import { toAddressAuditContext, toMessageSubject } from '../../../shared/flows/sending/message-facts.ts';
import { someApplication, someTenant } from '../../support/server/records.ts';

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
  'the log line about a message to an identifier of the type %s does not contain the identifier',
  (type) => {
    expect(toAddressAuditContext(tenant, { type, value: 'ann' })).toEqual({});
  },
);

test('the log line about a login message contains the user ID, and that about a sign-up message does not', () => {
  expect(toMessageSubject({ kind: 'signUp', userId: 'u' }, 'hash')).toEqual({ recipientHash: 'hash' });
  expect(toMessageSubject({ kind: 'login', userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
  expect(toMessageSubject({ userId: 'u' }, 'hash')).toEqual({ userId: 'u' });
});

test.each([
  ['contains', 'is not supported', 'no sender!', { smsSender: 'left_out' }, undefined],
  ['does not contain', 'is supported', 'Shop', {}, 'Shop'],
  ['does not contain', 'is absent', undefined, {}, undefined],
])(
  'the log line of an SMS %s the field sms_sender if the sender ID %s',
  async (_contains, _state, senderId, logged, sentAs) => {
    const envelope = { to: '+12015550123', application: someApplication(), language: undefined } as never;
    const smsSender = { send: async (sending: object) => sending } as never;
    const { auditContext, send } = composeSms({ smsSender }, envelope, { digits: '123456', senderId });
    expect(auditContext).toEqual({ smsParts: 1, recipient: expect.stringMatching(/23$/), ...logged });
    const { senderId: sent } = (await send({ userId: 'ann' })) as { readonly senderId?: string };
    expect(sent).toBe(sentAs);
  },
);
