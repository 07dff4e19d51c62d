// A user who waits for a code that does not arrive.
import { expect, test } from '@jest/globals';
import {
  leftTo,
  otherDigits,
  readForm,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { newEmail } from '../../support/fixtures/people.ts';

const { server, login, someUser } = useHostedLogin();

const readText = ({ html }: { readonly html: string }) =>
  html
    .replace(/^[\s\S]*<main>|<script[\s\S]*$/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');

test.each([
  ['true', (email: string) => `We sent a code to ${email}.`, 'We sent a new code to user[^ ]+ at '],
  [
    'false',
    (email: string) => `If ${email} has an account, a code is on its way.`,
    'has an account, we sent a new code at ',
  ],
])(
  'the code entry page tells the user where to look for a missing message (sign-up: %s)',
  async (createNewUser, sent, again) => {
    const { email } = await someUser();
    const page = await login.toCode(login.browser(), email, { createNewUser });
    expect(readText(page)).toContain(sent(email));
    expect(readText(page)).toContain('spam folder for an email from no-reply@login.example');
    const first = await server.codeTo(email);
    const resent = await page.submit({}, '/resend');
    expect(readText(resent)).toMatch(new RegExp(`${again}\\d+:\\d\\d\\s[AP]M UTC\\. Change`));
    expect(readPageError(await page.submit({ passcode: otherDigits(first) }))).toMatch(/newest message/);
    leftTo(await resent.submit({ passcode: await server.codeTo(email) }));
  },
);

test('going back from the code entry page keeps the typed address', async () => {
  const { email } = await someUser();
  const page = await login.toCode(login.browser(), email);
  expect((await page.submit({}, '/change')).html).toContain(`value="${email}"`);
});

test.each([
  ['phone', { phone_number: '+4915112345678', country: 'DE' }],
  ['email', { identifier: 'new' }],
  ['second', { method: 'email' }],
])(
  'submitting the form "%s" of a later login page on the first login page sends no code',
  async (form, fields) => {
    const jar = login.browser();
    const page = await jar.open(login.address());
    const { action, csrf } = readForm(page);
    const email = newEmail();
    const typed = { ...fields, ...('identifier' in fields && { identifier: email }), csrf };
    const body = new URLSearchParams(typed as Record<string, string>);
    const answer = await jar.open(`${action}/${form}`, { method: 'POST', body });
    expect(answer.html).toContain('name="identifier"');
    expect(answer.html).not.toContain('name="passcode"');
    expect(await server.codeTo(email)).toBe('');
    expect(await server.codeTo('+4915112345678')).toBe('');
  },
);
