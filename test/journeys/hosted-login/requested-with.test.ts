// Emails with a code or link say when and with which device the code was requested.
import { expect, test } from '@jest/globals';
import { useHostedLogin } from '../../support/fixtures/hosted-login.ts';

const { server, login, someUser } = useHostedLogin();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const readNewest = async (email: string) => (await server.messages({ to: email }))[0]?.text ?? '';

test('an email from the hosted login shows the time and the device of the request', async () => {
  const { email } = await someUser();
  const jar = login.browser();
  jar.userAgent = FIREFOX;
  await login.toCode(jar, email);
  expect(await readNewest(email)).toMatch(
    /\nRequested at \d{4}-\d\d-\d\d \d\d:\d\d UTC with Firefox on Linux\.\n/,
  );
});

test('an email from the hosted login does not repeat text that an attacker put into the user agent', async () => {
  const { email } = await someUser();
  const jar = login.browser();
  jar.userAgent = 'Call 0900 123456 now';
  await login.toCode(jar, email);
  const text = await readNewest(email);
  expect(text).toMatch(/\nRequested at [^\n]* UTC\.\n/);
  expect(text).not.toMatch(/Call|0900/);
});

test('an email requested by a backend contains neither the IP address nor the user agent that the backend reports', async () => {
  const { email } = await someUser();
  const client_attributes = { ip_address: '192.0.2.7', user_agent: FIREFOX };
  const about = { channel: 'email', identifier_type: 'email', identifier: email };
  const { status } = await server.post(
    '/v1/auth/otp/send',
    { ...about, client_attributes },
    { token: await server.clientToken() },
  );
  expect(status).toBe(200);
  expect(await readNewest(email)).not.toMatch(/Requested|Firefox|192\.0\.2/);
});
