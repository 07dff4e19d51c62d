import { beforeAll, describe, expect, test } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import { claimsOf, headingOf, hostedLogin, leftTo } from '../support/fixtures/hosted-login.ts';
import { givePasskey } from '../support/fixtures/hosted-passkeys.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';

/**
 * What an attacker binds at a side application is no second factor at the main one, which asks for more kinds (NIST SP 800-63B-4
 * §4.1.2.1): who reads one mailbox, and who holds a client of the side application.
 */

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);

const main = applicationClient(server);
let side: ReturnType<typeof applicationClient>;
let sideClientId: string;

beforeAll(async () => {
  const stored = await storeApplication(server, { name: 'Side' });
  sideClientId = stored.clientId;
  side = applicationClient(server, stored);
});

/** A person with a mailbox, and a passkey that is good at the main application alone. */
async function victim() {
  const email = newEmail('victim');
  const { user_id: userId } = await createProvenUser(server, { email });
  const { passkey } = await main.register((await main.byCode(email)).body);
  return { email, userId, passkey };
}

const atSide = (more: Record<string, string>) => login.address({ client_id: sideClientId, ...more });

/** A login on the pages of the side application by a code to the mailbox, which adds a number. */
async function numberOnPages(email: string, number: string, jar = login.browser()): Promise<BrowserJar> {
  const page = await login.afterCode(jar, email, { client_id: sideClientId, acr_values: 'phone_number' });
  expect(headingOf(page)).toBe('Add your phone number');
  const texted = await page.submit({ phone_number: number });
  leftTo(await texted.submit({ passcode: await server.codeTo(number) }));
  return jar;
}

/** A login by mail and text at an application, through its API. */
async function byMailAndText(application: typeof main, email: string, number: string) {
  const { session_id } = (await application.byCode(email)).body;
  return application.byCode(number, { channel: 'sms', session_id });
}

const isTwoFactors = ({ status, body }: Awaited<ReturnType<typeof byMailAndText>>) =>
  status === 200 && claimsOf(body.access_token).acr === 'mfa';

const SHUT_OUT = { status: 403, body: { error_code: 'credential_asleep' } };

describe('a number that the mailbox alone would bind at an application without passkeys', () => {
  test('opens that application alone, where the passkey is of the main one alone', async () => {
    const [{ email, passkey }, number] = [await victim(), newPhoneNumber()];
    await numberOnPages(email, number);
    expect(isTwoFactors(await byMailAndText(side, email, number))).toBe(true);
    expect(await byMailAndText(main, email, number)).toMatchObject(SHUT_OUT);
    expect(await main.byCode(number, { channel: 'sms' })).toMatchObject(SHUT_OUT);
    const jar = login.browser();
    const page = await login.afterCode(jar, email, { acr_values: 'mfa' });
    expect([headingOf(page), page.html.includes('value="sms"')]).toEqual(['Confirm it’s you', false]);

    const done = leftTo(await givePasskey(server, jar, page, passkey));
    expect(claimsOf((await login.exchange(done)).body.id_token).acr).toBe('mfa');
  });

  test('takes no session of the side application to two factors elsewhere', async () => {
    const [{ email, passkey }, number] = [await victim(), newPhoneNumber()];
    const jar = await numberOnPages(email, number);
    const first = await jar.open(atSide({ acr_values: 'mfa' }));
    const texted = await first.submit({ method: 'sms' });
    leftTo(await texted.submit({ passcode: await server.codeTo(number) }));
    expect(
      leftTo(await jar.open(atSide({ acr_values: 'mfa', prompt: 'none' }))).searchParams.has('code'),
    ).toBe(true);

    const quiet = leftTo(await jar.open(login.address({ acr_values: 'mfa', prompt: 'none' })));
    expect(quiet.searchParams.get('error')).toBe('interaction_required');
    const page = await jar.open(login.address({ acr_values: 'mfa' }));
    leftTo(await givePasskey(server, jar, page, passkey));
    expect(
      leftTo(await jar.open(login.address({ acr_values: 'mfa', prompt: 'none' }))).searchParams.has('code'),
    ).toBe(true);
  });

  test('while one that is bound by every kind there is counts in the tenant at once', async () => {
    const [email, number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email });
    await numberOnPages(email, number);
    expect(isTwoFactors(await byMailAndText(main, email, number))).toBe(true);
  });
});
