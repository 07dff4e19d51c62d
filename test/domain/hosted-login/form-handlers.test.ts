import { expect, test } from '@jest/globals';
import { formHandlers } from '../../../functions/hosted-login/form-handlers.ts';
import {
  both,
  email,
  type Given,
  lost,
  mail,
  phoneNumber,
  setUpLogin,
  superseded,
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
