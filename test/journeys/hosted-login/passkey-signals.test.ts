// Signals by which a page tells the device's authenticators which passkeys are valid (WebAuthn L3 §5.1.10).
import { describe, expect, test } from '@jest/globals';
import { applicationClient } from '../../support/fixtures/application-client.ts';
import { leftTo, readPageError, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions, passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import {
  type CreationAnswer,
  newPerson,
  registerPasskey,
  startRegistration,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, createUser, newEmail } from '../../support/fixtures/people.ts';
import { storeApplication, storeTenant } from '../../support/fixtures/tenants.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';
import {
  createPasskey,
  type SoftwarePasskey,
  usePasskey,
} from '../../support/tools/software-authenticator.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });
const { begin } = passkeyLogin(server, login);

const buildSignals = ({ html }: BrowserPage): unknown => {
  const [, found] = /data-signals="([^"]*)"/.exec(html) ?? [];
  return found === undefined ? undefined : JSON.parse(found.replaceAll('&quot;', '"'));
};

const toCredentialId = ({ id }: SoftwarePasskey) => id.toString('base64url');

/** Logs in with a passkey at the client's login page. Returns the next page. */
async function pageAfter(passkey: SoftwarePasskey, clientId?: string): Promise<BrowserPage> {
  const { page, options } = await begin(clientId === undefined ? {} : { client_id: clientId });
  return page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
}

const provenPerson = () => newPerson(server, createProvenUser);

const demo = applicationClient(server);

const withPasskeys = { loginPreferences: { email: {}, passkey: {} } };

describe('signals that tell the browser to remove a rejected passkey', () => {
  test('the browser is told to remove a rejected passkey that was never stored', async () => {
    const options: CreationAnswer = await startRegistration(server, await provenPerson());
    const { passkey } = createPasskey(options, toOrigin(server));
    const page = await pageAfter(passkey);
    expect(readPageError(page)).toMatch(/can’t be used here/);
    const { rpId } = passkey;
    expect(buildSignals(page)).toEqual([
      ['signalUnknownCredential', { rpId, credentialId: toCredentialId(passkey) }],
    ]);
    expect(buildSignals(await page.submit({ credential: 'nonsense' }))).toBeUndefined();
  });

  test('the browser is told to remove a rejected passkey of an erased user', async () => {
    const person = await provenPerson();
    const passkey = await registerPasskey(server, person);
    const token = await server.adminToken();
    expect((await server.delete(`/v1/users/${person.user.user_id}`, { token })).status).toBe(204);
    expect(buildSignals(await pageAfter(passkey))).toMatchObject([['signalUnknownCredential', {}]]);
  });
});

describe('rejected passkeys that the browser must keep', () => {
  test('the browser is not told to remove a rejected passkey that belongs to another tenant with the same RP ID', async () => {
    const passkey = await registerPasskey(server, await provenPerson());
    const other = await storeTenant(server, withPasskeys);
    const page = await pageAfter(passkey, other.clientId);
    expect([readPageError(page) !== undefined, buildSignals(page)]).toEqual([true, undefined]);
  });

  test('the browser is not told to remove a rejected passkey that is valid only at another application', async () => {
    const { user } = await provenPerson();
    const { passkey } = await demo.registerFor(user.user_id);
    const other = await storeApplication(server, withPasskeys);
    const page = await pageAfter(passkey, other.clientId);
    expect([readPageError(page) !== undefined, buildSignals(page)]).toEqual([true, undefined]);
  });

  test('the browser is not told to remove the passkey of an unfinished sign-up', async () => {
    const client = await storeApplication(server, {
      publicSignup: true,
      hostedSignUp: true,
      loginPreferences: { email: {}, passkey: {} },
    });
    const jar = login.browser();
    const email = newEmail();
    const page = await login.afterCode(jar, email, { client_id: client.clientId, acr_values: 'mfa' });
    const { passkey, page: done } = await createAccountActions(server, login).makePasskey(jar, page);
    const refused = await pageAfter(passkey, client.clientId);
    expect([readPageError(refused) !== undefined, buildSignals(refused)]).toEqual([true, undefined]);

    const { status } = await login.exchange(leftTo(done), { client_id: client.clientId }, client);
    expect(status).toBe(200);
    leftTo(await pageAfter(passkey, client.clientId));
  });

  test('the browser is not told to remove a rejected passkey of a suspended user', async () => {
    const person = await provenPerson();
    const passkey = await registerPasskey(server, person);
    await demo.put(`/v1/users/${person.user.user_id}`, { status: 'Disabled' });
    const page = await pageAfter(passkey);
    expect([readPageError(page) !== undefined, buildSignals(page)]).toEqual([true, undefined]);
  });

  test('the browser is not told to remove a superseded passkey', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email });
    const { passkey } = await demo.register(await demo.direct(userId));
    await login.logIn(login.browser(), email);
    const page = await pageAfter(passkey);
    expect([page.html.includes('name="passcode"'), buildSignals(page)]).toEqual([false, undefined]);
  });

  test('the browser is not told to remove a deleted passkey that its owner can still restore', async () => {
    const person = await provenPerson();
    const passkey = await registerPasskey(server, person);
    const token = await server.adminToken();
    const path = `/v1/users/${person.user.user_id}/webauthn-credentials/${toCredentialId(passkey)}`;
    expect((await server.delete(path, { token })).status).toBe(204);
    const page = await pageAfter(passkey);
    expect([readPageError(page) !== undefined, buildSignals(page)]).toEqual([true, undefined]);
  });
});

test('after a passkey is added or removed on the account page, the browser gets the list of valid passkeys', async () => {
  const account = createAccountActions(server, login);
  const email = newEmail();
  const { user_id: userId } = await createUser(server, { email });
  // The email login verifies the address for the first time, which supersedes this passkey. Superseded passkeys stay listed.
  const { passkey: shutOut } = await demo.register(await demo.direct(userId));
  const jar = login.browser();
  const first = await account.open(email, jar);
  expect(buildSignals(first)).toBeUndefined();
  const { passkey, page } = await account.makePasskey(jar, await first.submit({}, 'passkeys/add'));
  const all = [shutOut, passkey].map(toCredentialId);
  const { rpId, userHandle } = passkey;
  const told = (allAcceptedCredentialIds: unknown) => [
    ['signalAllAcceptedCredentials', { rpId, userId: userHandle, allAcceptedCredentialIds }],
  ];
  expect(buildSignals(page)).toEqual(told(expect.arrayContaining(all)));
  expect(buildSignals(await jar.open(account.address()))).toBeUndefined();

  const asked = await page.submit({ item: toCredentialId(passkey) }, 'passkeys/remove');
  const back = await account.byPasskey(jar, asked, passkey);
  const removed = await back.submit({ item: toCredentialId(passkey) }, 'passkeys/remove');
  expect(buildSignals(removed)).toEqual(told([toCredentialId(shutOut)]));
});

test("after a change of the email address, the browser receives the new user name for the user's passkeys", async () => {
  const account = createAccountActions(server, login);
  const email = newEmail();
  await createProvenUser(server, { email });
  const jar = login.browser();
  const first = await account.open(email, jar);
  const { passkey, page } = await account.makePasskey(jar, await first.submit({}, 'passkeys/add'));
  const asked = await page.submit({}, 'account/email');
  const back = await account.byPasskey(jar, asked, passkey);
  const name = newEmail('new');
  const code = await back.submit({ identifier: name });
  const changed = await code.submit({ passcode: await server.codeTo(name) });
  const { rpId, userHandle: userId } = passkey;
  expect(buildSignals(changed)).toEqual([
    ['signalCurrentUserDetails', { rpId, userId, name, displayName: name }],
  ]);
});
