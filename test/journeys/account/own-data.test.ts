import { expect, test } from '@jest/globals';
import { headingOf, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { accountOf } from '../../support/fixtures/hosted-passkeys.ts';
import { newEmail } from '../../support/fixtures/people.ts';

/** A person downloads what is kept of them. */

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });

test('the data of a person is a file for them alone, after a fresh login', async () => {
  const { email, phone, userId } = await someUser();
  const account = accountOf(server, login);
  const jar = login.browser();
  const page = await account.open(email, jar);
  const file = await page.submit({}, 'account/download');
  const { headers } = file.response;
  expect(headers.get('content-disposition')).toBe('attachment; filename="account.json"');
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'application/json',
    'no-store',
  ]);
  const data = JSON.parse(file.html) as { user: object; sessions: object[] };
  expect(data.user).toMatchObject({ user_id: userId, phone_number: { value: phone } });
  expect(data.sessions).toHaveLength(1);

  const path = account.address(undefined, '/download');
  const forged = await jar.open(path, { method: 'POST', body: new URLSearchParams({ csrf: 'x' }) });
  expect(forged.html).toContain('This page was too old.');
  await server.advanceClock(601);
  const stale = await (await jar.open(account.address())).submit({}, 'account/download');
  expect(headingOf(stale)).toBe('Confirm it’s you');

  // What is remembered of an address that was given up is theirs, too.
  const token = await server.clientToken();
  await server.put(`/v1/users/${userId}`, { email: newEmail() }, { token });
  const { body } = await server.get<{ result: object }>(`/v1/users/${userId}/export`, { token });
  const kept = [{ value: email, kept_until: expect.stringMatching(/Z$/) }];
  expect(body.result).toMatchObject({ former_addresses: kept });
});
