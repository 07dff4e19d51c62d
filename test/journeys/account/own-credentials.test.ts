// Credentials that users add, name and remove on the account page.
import { describe, expect, test } from '@jest/globals';
import { createNoticePages, findMainApplication } from '../../stories/people.ts';
import { applicationClient } from '../../support/fixtures/application-client.ts';
import { hostedLogin, leftTo, readHeading } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import {
  login as logInByPasskey,
  newPerson,
  type Person,
  registerPasskey,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { newClaims, newClaimsWithEmail, useSocialLogin } from '../../support/providers/social.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, social, upstream, findUserId } = useSocialLogin({ events: true });
const main = findMainApplication(server);
const client = applicationClient(server);
const pages = createNoticePages(server, main);

const login = hostedLogin(server);
const account = createAccountActions(server, login);

async function someone() {
  const email = newEmail();
  const { user_id: userId } = await createProvenUser(server, { email });
  return { email, userId };
}

async function listPasskeys(userId: string) {
  const path = `/v1/users/${userId}/webauthn-credentials`;
  const token = await server.clientToken();
  const { body } = await server.get<{ result: { credential_id: string; name?: string }[] }>(path, { token });
  return body.result;
}

const CONFIRM = 'Confirm it’s you';
const saysDone = ({ html }: BrowserPage, what: string) => html.includes(`role="status">${what}</p>`);

/** Returns the text of the notice with this title. */
async function readNotice(to: string, title: string) {
  await server.settleEvents();
  return (await server.messages({ to })).find(({ subject }) => subject === title)?.text;
}

/** Creates a user with a passkey created on the account page. */
async function withPasskey() {
  const { email, userId } = await someone();
  const jar = login.browser();
  const { passkey, page } = await account.makePasskey(
    jar,
    await (await account.open(email, jar)).submit({}, 'passkeys/add'),
  );
  return { email, userId, jar, passkey, page };
}

describe('passkeys and other credentials on the account page', () => {
  test('a user who has logged in with both factors can add, rename and remove a passkey on the account page', async () => {
    const { email, userId, jar, passkey, page } = await withPasskey();
    expect(readHeading(page)).toBe('Your account');
    expect(saysDone(page, 'Passkey added')).toBe(true);
    const [own] = await listPasskeys(userId);
    expect(own?.credential_id).toBe(passkey.id.toString('base64url'));

    const named = await page.submit({ name: 'My laptop' }, 'passkeys/name');
    expect(saysDone(named, 'Saved.')).toBe(true);
    expect(named.html).toContain('My laptop');

    const asked = await named.submit({}, 'passkeys/remove');
    expect(readHeading(asked)).toBe(CONFIRM);
    expect(await listPasskeys(userId)).toHaveLength(1);
    const back = await account.byPasskey(jar, asked, passkey);
    expect(saysDone(await back.submit({}, 'passkeys/remove'), 'Passkey removed')).toBe(true);
    expect(await listPasskeys(userId)).toEqual([]);
    expect(await readNotice(email, 'A passkey was removed at Demo')).toContain('Passkey: My laptop\n');
  });

  test("a user cannot rename or remove another user's passkey", async () => {
    const victim = await withPasskey();
    const attacker = await withPasskey();
    const item = victim.passkey.id.toString('base64url');
    const { jar, page } = attacker;
    const asked = await page.submit({}, 'passkeys/remove');
    const fresh = await account.byPasskey(jar, asked, attacker.passkey);
    await fresh.submit({ item, name: 'Mine' }, 'passkeys/name');
    await fresh.submit({ item }, 'passkeys/remove');
    expect(await listPasskeys(victim.userId)).toMatchObject([{ credential_id: item }]);
    expect((await listPasskeys(victim.userId))[0]?.name).not.toBe('Mine');
    expect(await listPasskeys(attacker.userId)).toHaveLength(1);
  });

  test('after an email login, a user cannot remove a passkey, even at an application that offers only email', async () => {
    const { email, userId } = await withPasskey();
    const { clientId } = await storeApplication(server, { name: 'Side', loginPreferences: { email: {} } });
    for (const client of [server.environment.client_id, clientId]) {
      const page = await account.open(email, login.browser(), client);
      const asked = await page.submit({}, 'passkeys/remove');
      expect(readHeading(asked)).not.toBe('Your account');
      // At an application without another login method, the page says that nothing was changed.
      if (client === clientId) {
        const refused = await asked.submit({}, 'continue');
        expect(refused.html).toContain('Nothing was changed');
      }
      expect(await listPasskeys(userId)).toHaveLength(1);
    }
  });

  test('a passkey that is valid at only one application does not give access to the account page', async () => {
    const { user_id: userId } = await createProvenUser(server, { username: `only-${newEmail()}` });
    const { passkey } = await client.register(await client.direct(userId));
    const jar = login.browser();
    leftTo(await client.byPasskeyOnPage(login, passkey, jar));
    // The account page rejects the passkey, because the passkey is valid only at its application.
    expect(readHeading(await jar.open(account.address()))).not.toBe('Your account');
    expect(await listPasskeys(userId)).toHaveLength(1);
  });
});

test('a user can remove a device key on the account page', async () => {
  const { email, userId } = await someone();
  const { body: tokens } = await client.byCode(email);
  await client.deviceKey(tokens);
  const page = await account.open(email);
  expect(page.html).toContain('Devices that can approve');
  expect(saysDone(await page.submit({}, 'device-keys/remove'), 'Device removed')).toBe(true);
  const path = '/v1/auth/device-keys';
  const { body } = await server.get<{ result: object[] }>(path, { token: tokens.access_token });
  expect([userId, body.result]).toEqual([userId, []]);
});

test('a user cannot log in with an identity provider account that the user has unlinked', async () => {
  const email = newEmail();
  const { user_id: userId } = await createProvenUser(server, { email });
  const claims = newClaimsWithEmail(email);
  // Links the account. This login proves only one factor, because the account was linked by the user's mailbox.
  await social.logIn(login.browser(), claims);
  const jar = login.browser();
  const first = await jar.open(account.address());
  const away = leftTo(await first.submit({ method: 'google' }));
  const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
  expect(readHeading(page)).toBe('Your account');
  expect(page.html).toContain('Google');
  const asked = await page.submit({}, 'identities/remove');
  const back = await account.byCode(asked, email);
  expect(saysDone(await back.submit({}, 'identities/remove'), 'Account disconnected')).toBe(true);
  const { identities } = (await findUser(server, userId)) as unknown as { identities: object[] };
  expect(identities).toEqual([]);
  for (const title of ['An account was connected at Demo', 'An account was disconnected at Demo'])
    expect(await readNotice(email, title)).toContain('Provider: Google\n');
});

describe('linking an identity provider account on the account page', () => {
  /** Starts linking a Google account. Returns a function that completes the login at the provider with the given claims. */
  async function toProvider() {
    const { email, userId } = await someone();
    const jar = login.browser();
    const page = await (await account.open(email, jar)).submit({ item: 'google' }, 'identities/add');
    expect(readHeading(page)).toBe('Connect Google');
    const away = leftTo(await page.submit({ method: 'google' }));
    const back = (claims: Record<string, unknown>, by = jar) =>
      by.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    return { userId, jar, back };
  }
  const readIdentities = async (userId: string) =>
    ((await findUser(server, userId)) as unknown as { identities: object[] }).identities;

  test('a user can log in with a linked identity provider account that has a different email address', async () => {
    const { userId, back } = await toProvider();
    const claims = newClaimsWithEmail(newEmail());
    const page = await back(claims);
    expect(readHeading(page)).toBe('Your account');
    expect(page.html).toContain('identities/remove');
    expect(page.html).not.toContain('Connect Google');
    expect(await findUserId(await social.logIn(login.browser(), claims))).toBe(userId);
  });

  test('an identity provider account that belongs to another user cannot be linked', async () => {
    const taken = newClaims();
    const victim = await findUserId(await social.logIn(login.browser(), taken));
    const { userId, back } = await toProvider();
    const refused = await back(taken);
    expect(refused.html).toContain('role="alert"');
    expect([await readIdentities(userId), (await readIdentities(victim)).length]).toEqual([[], 1]);

    const stolen = await toProvider();
    expect((await stolen.back(newClaims(), login.browser())).status).toBeGreaterThanOrEqual(400);
    expect(await readIdentities(stolen.userId)).toEqual([]);

    const old = await toProvider();
    await server.advanceClock(601);
    expect(readHeading(await old.back(newClaims()))).toBe(CONFIRM);
    expect(await readIdentities(old.userId)).toEqual([]);
  });
});

test('a user can undo an address change with the undo link and a linked identity provider account', async () => {
  const { email, userId } = await someone();
  const claims = newClaimsWithEmail(email);
  await social.logIn(login.browser(), claims);
  async function giveGoogle(jar: BrowserJar, page: BrowserPage): Promise<BrowserPage> {
    const away = leftTo(await page.submit({ method: 'google' }));
    return jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
  }
  const [jar, next] = [login.browser(), newEmail()];
  const form = await giveGoogle(jar, await (await main.account(email, jar)).submit({}, 'account/email'));
  const asked = await form.submit({ identifier: next });
  await asked.submit({ passcode: await server.codeTo(next) });
  expect((await findUser(server, userId)).email).toMatchObject({ value: next });

  const own = login.browser();
  const back = await giveGoogle(own, await pages.press(await pages.linkTo(email), own));
  expect(readHeading(back)).toBe('Restore your email address at Demo?');
  expect(readHeading(await back.submit({}, '/notice'))).toBe('Your email address is restored');
  expect((await findUser(server, userId)).email).toMatchObject({ value: email });
  expect((await back.submit({}, '/notice')).status).toBe(400);
});

describe('removing the last login method on the account page', () => {
  /** Creates a user who has logged in with both an identity provider account and a passkey. */
  async function withTwoWays() {
    const claims = newClaims();
    const userId = await findUserId(await social.logIn(login.browser(), claims));
    const jar = login.browser();
    const away = leftTo(await (await jar.open(account.address())).submit({ method: 'google' }));
    const first = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const { passkey, page } = await account.makePasskey(jar, await first.submit({}, 'passkeys/add'));
    const asked = await page.submit({}, 'identities/remove');
    return { userId, page: await account.byPasskey(jar, asked, passkey) };
  }
  const isLast = ({ html }: BrowserPage) => html.includes('only way to sign in');

  test('if a user removes all login methods at the same time, one of them remains', async () => {
    const { userId, page } = await withTwoWays();
    const { passkeyRecords } = await server.ports(['passkeyRecords']);
    const [own] = await passkeyRecords.listOf(userId);
    if (!own) throw new Error('the passkey is gone');
    const credentialIds = [own.credentialId, 'c2Vjb25k', 'dGhpcmQ', 'Zm91cnRo'];
    await Promise.all(credentialIds.map((credentialId) => passkeyRecords.put({ ...own, credentialId })));
    const answers = await Promise.all([
      ...credentialIds.map((item) => page.submit({ item }, 'passkeys/remove')),
      page.submit({}, 'identities/remove'),
    ]);
    expect([
      answers.filter(({ html }) => /role="status">(Passkey removed|Account disconnected)</.test(html)).length,
      answers.filter(isLast).length,
    ]).toEqual([4, 1]);
    const { identities } = (await findUser(server, userId)) as unknown as { identities: object[] };
    expect([...identities, ...(await listPasskeys(userId))]).toHaveLength(1);
  });

  test('a superseded passkey does not count as a remaining login method', async () => {
    const { userId, page } = await withTwoWays();
    expect(saysDone(await page.submit({}, 'identities/remove'), 'Account disconnected')).toBe(true);
    const { passkeyRecords } = await server.ports(['passkeyRecords']);
    const [own] = await passkeyRecords.listOf(userId);
    if (!own) throw new Error('the passkey is gone');
    await passkeyRecords.remove(userId, own.credentialId, own.createdAt);
    for (const change of [
      { credentialId: 'c2h1dC1vdXQ', generation: own.generation - 1 },
      { credentialId: 'b3RoZXItaG9zdA', rpId: 'example.org' },
      { credentialId: 'b3RoZXItYXBw', scope: 'another application' },
      { credentialId: 'bGFzdA' },
    ])
      await passkeyRecords.put({ ...own, ...change });
    expect(isLast(await page.submit({ item: 'bGFzdA' }, 'passkeys/remove'))).toBe(true);
    expect(await listPasskeys(userId)).toHaveLength(4);
    await passkeyRecords.put({ ...own, credentialId: 'c2Vjb25k' });
    expect(saysDone(await page.submit({ item: 'bGFzdA' }, 'passkeys/remove'), 'Passkey removed')).toBe(true);
  });
});

test('a language that the user changes applies to the account page immediately', async () => {
  const { email, userId } = await someone();
  const page = await account.open(email);
  const saved = await page.submit({ first_name: 'Ann', last_name: ' ', language: 'de' }, 'profile');
  expect(readHeading(saved)).toBe('Ihr Konto');
  expect(await findUser(server, userId)).toMatchObject({ name: { first_name: 'Ann' }, language: 'de' });
  const token = await server.clientToken();
  const { body } = await server.get<{ result: { name: object } }>(`/v1/users/${userId}`, { token });
  expect(body.result.name).toEqual({ first_name: 'Ann' });
});

const PATH = '/v1/users/me/webauthn-credentials';
const toCredentialPath = (id: Buffer) => `${PATH}/${id.toString('base64url')}`;
const pickToken = ({ tokens }: Person) => ({ token: tokens.access_token });

interface Listed {
  readonly result: readonly { readonly credential_id: string; readonly name?: string }[];
}

/** Renames the passkey at this path through the API, with a user's token. */
const rename = (path: string, options: { readonly token?: string }) =>
  server.request(path, {
    ...options,
    method: 'PATCH',
    body: JSON.stringify({ name: 'Phone' }),
    headers: { 'content-type': 'application/json' },
  });

test('a user can list, rename and remove passkeys with a user token', async () => {
  const ann = await newPerson(server);
  const passkey = await registerPasskey(server, ann);
  const credential_id = passkey.id.toString('base64url');
  expect((await server.get<Listed>(PATH, pickToken(ann))).body.result).toMatchObject([{ credential_id }]);

  const named = { credential_id, name: 'Phone' };
  expect(await rename(toCredentialPath(passkey.id), pickToken(ann))).toMatchObject({
    status: 200,
    body: { result: named },
  });
  expect((await server.get<Listed>(PATH, pickToken(ann))).body.result).toMatchObject([named]);

  const both = pickToken(await withBothFactors(server, ann, passkey));
  expect((await server.delete(toCredentialPath(passkey.id), both)).status).toBe(204);
  expect((await server.delete(toCredentialPath(passkey.id), both)).status).toBe(404);
  expect((await server.get(PATH, both)).body).toEqual({ result: [] });
  expect((await logInByPasskey(server, passkey)).status).toBe(400);
});

test("tokens of other users, clients and operators cannot list or change a user's own passkeys", async () => {
  const [ann, bob] = [await newPerson(server), await newPerson(server)];
  const { id } = await registerPasskey(server, ann);
  expect((await server.get(PATH, pickToken(bob))).body).toEqual({ result: [] });
  expect((await rename(toCredentialPath(id), pickToken(bob))).status).toBe(404);
  expect((await server.delete(toCredentialPath(id), pickToken(bob))).status).toBe(404);
  for (const token of [await server.clientToken(), await server.adminToken()]) {
    expect((await server.get(PATH, { token })).status).toBe(403);
    expect((await rename(toCredentialPath(id), { token })).status).toBe(403);
    expect((await server.delete(toCredentialPath(id), { token })).status).toBe(403);
  }
  expect((await server.get<Listed>(PATH, pickToken(ann))).body.result).toHaveLength(1);
});

test('removing a passkey through the API requires a recent login with all factors of the user', async () => {
  const ann = await newPerson(server);
  const passkey = await registerPasskey(server, ann);
  const refused = await server.delete(toCredentialPath(passkey.id), pickToken(ann));
  expect(refused).toMatchObject({ status: 401, body: { error: 'insufficient_user_authentication' } });
  const both = await withBothFactors(server, ann, passkey);
  await server.advanceClock(601);
  expect((await server.delete(toCredentialPath(passkey.id), pickToken(both))).status).toBe(401);
});
