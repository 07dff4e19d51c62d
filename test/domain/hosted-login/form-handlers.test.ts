import { expect, test } from '@jest/globals';
import { formHandlers } from '../../../functions/hosted-login/form-handlers.ts';
import { sealAddress } from '../../../shared/domain/hosted-login/login-transaction.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import type { User } from '../../../shared/ports/people.ts';
import { masks } from '../../../shared/templates/mask.ts';
import { someUser, T } from '../../support/server/records.ts';
import {
  both,
  browser,
  email,
  type Given,
  lost,
  MAIL,
  mail,
  phoneNumber,
  setUpLogin,
  superseded,
  tenant,
} from './derived-states.ts';

/** Returns where the browser is sent after it has submitted a form. Fails if the form changes the login or the user. */
async function submit(form: string, given: Given): Promise<string> {
  const answer = await formHandlers[form]?.(...setUpLogin(given), { form: {} } as never);
  return answer && 'redirect' in answer ? answer.redirect : JSON.stringify(answer);
}

const mfa = { requireMfa: true };

test.each<[string, Given, string]>([
  [
    'first page',
    { progress: { userId: undefined as never } },
    'phone email resend later confirm allow stop recover',
  ],
  ['page for the second factor', { ...both, request: mfa }, 'phone email resend later confirm allow stop'],
  [
    'page for a phone number',
    { user: { recovery: lost }, request: { requirePhone: true } },
    'email resend later confirm allow stop recover',
  ],
  [
    'page for the second factor after a superseded address',
    {
      user: { phoneNumber, recovery: lost, email: { ...email, ...superseded } },
      proven: [{ ...mail, worth: 'quarantined' }],
    },
    'phone email resend later confirm allow stop recover',
  ],
])('on the %s, a form of another page changes nothing', async (_title, given, forms) => {
  for (const form of forms.split(' '))
    expect([form, await submit(form, given)]).toEqual([form, 'https://login.example.com/login/login']);
  expect(await submit('lost', given)).toBe('https://login.example.com/login/login?lost=asked');
});

test('a code is not sent to an address whose codes are locked, and the log says why', async () => {
  const recipientHash = identifierHash(tenant, { type: 'email', value: MAIL });
  const refused = { recipient: masks.email(MAIL), recipientHash, refusal: 'wrong_codes' };
  const pending = { channel: 'email', codeKey: recipientHash, sealedAddress: sealAddress(browser, MAIL) };
  const send = async (form: string, isFinal: boolean, change: object = {}) => {
    const facts: unknown[] = [];
    const closed = { codeKey: recipientHash, until: T + 60, isFinal };
    const [ports, context] = setUpLogin({ progress: { userId: undefined as never, closed, ...change } });
    const input = { form: { identifier: MAIL, method: 'email' }, audit: (fact: object) => facts.push(fact) };
    return { facts, answer: JSON.stringify(await formHandlers[form]?.(ports, context, input as never)) };
  };
  const [locked, off] = [await send('identify', false), await send('identify', true)];
  expect(locked.facts).toEqual([{ ...refused, retryAfterSeconds: 60 }]);
  expect(locked.answer).toContain('Too many wrong codes. Try again in 60 seconds.');
  expect(off.facts).toEqual([refused]);
  expect((await send('resend', true, { pending })).facts).toEqual([refused]);
});

test('the log of a requested recovery contains the user and the outcome', async () => {
  const [ports, context] = setUpLogin({ ...both, request: mfa });
  const { userId } = context.login.progress;
  const recover = async (admitted: boolean, addresses: Partial<User> = { email }) => {
    const record = someUser({ tenantId: tenant.tenantId, ...addresses });
    const facts: unknown[] = [];
    const all = {
      ...(ports as object),
      userRecords: { find: async () => record, replace: async () => true },
      windows: { count: async () => ({ admitted, retryAfterSeconds: 50 }) },
      loginTransactions: { advance: async () => facts.push('saved') > 0 },
    };
    const input = { audit: (fact: object) => facts.push(fact) };
    const answer = await formHandlers.recover?.(all as never, context, input as never);
    return { facts, answer: JSON.stringify(answer) };
  };
  const [begun, limited, impossible] = [await recover(true), await recover(false), await recover(true, {})];
  expect(begun.facts).toEqual([{ userId }, { events: ['user.recovery_requested'] }, 'saved']);
  expect(begun.answer).toContain('?lost=asked');
  expect(limited.facts).toEqual([{ userId }, { result: 'rate_limited' }]);
  expect(limited.answer).toContain('50 seconds');
  expect(impossible.facts).toEqual([{ userId }, { result: 'recovery_impossible' }]);
  expect(impossible.answer).toContain('?lost=impossible');
});
