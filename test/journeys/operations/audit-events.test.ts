import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { updateTenant } from '../../../shared/domain/management/tenants.ts';
import type { AuditEvent, MessageEvent } from '../../../shared/ports/audit.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { accountOf } from '../../support/fixtures/hosted-passkeys.ts';
import { madeApplication, madeWebhook, webhookSuccesses } from '../../support/fixtures/managed.ts';
import { enrolledOperator, operatorOf } from '../../support/fixtures/operators.ts';
import { newPerson, type Person, registerPasskey } from '../../support/fixtures/passkeys.ts';
import {
  createProvenUser,
  createUser,
  findUser,
  newEmail,
  newPhoneNumber,
} from '../../support/fixtures/people.ts';
import { newKey } from '../../support/fixtures/proofs.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { logInBy, tokensDirect } from '../../support/fixtures/tokens.ts';
import { agentsOf } from '../../support/providers/agents.ts';
import { movingTo, useFormerIssuer } from '../../support/providers/former-issuer.ts';
import { newClaimsWithEmail, socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { storeClient, storeNewCode } from '../../support/tools/authorized.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';

/** Each security event (ASVS V16), provoked over HTTP. Which operation tells which event is in `contract/answers`. */

const former = useFormerIssuer();
let server: TestServer;
let upstream: Upstream;
let agents: ReturnType<typeof agentsOf>;
let token: string;
beforeAll(async () => {
  upstream = await startUpstream();
  const { clientId, clientSecret, issuer } = upstream;
  const preference = { clientId, issuer, trustedForEmail: true };
  const providers = { google: { preference, secret: { clientSecret } } };
  server = await startTestServer({ rateLimits: 'off', events: true, providers });
  token = await server.clientToken();
  agents = agentsOf(server);
  await agents.prepare();
  const ports = await server.ports(['tenantRecords']);
  await updateTenant(ports, server.environment.tenant_id, { account_deletion: true }, nowSeconds());
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await agents.stop();
  server.expectNoViolations();
});

type Fields = Readonly<Record<string, unknown>>;

async function newUserPath(): Promise<string> {
  const fields = { email: newEmail(), phone_number: newPhoneNumber() };
  return `/v1/users/${(await createUser(server, fields)).user_id}`;
}

const change = async (fields: Fields) => server.put(await newUserPath(), fields, { token });

const identified = (email: string) => ({ identifier_type: 'email', identifier: email });

/** A login by a code that was mailed: it proves the address. */
const loginByEmail = (email: string, more: Readonly<Record<string, string>> = {}) =>
  logInBy(server, 'email', email, more);

async function guessWrong(times: number): Promise<void> {
  const email = newEmail();
  await createUser(server, { email });
  await server.post('/v1/auth/otp/send', { channel: 'direct', ...identified(email) }, { token });
  const guess = { passcode: '00000000', ...identified(email) };
  for (let time = 0; time < times; time += 1)
    await server.post('/v1/auth/otp/authenticate', guess, { token });
}

async function addDeviceKey({ tokens }: Person): Promise<string> {
  const json = { public_key: newKey().jwk, name: 'Phone' };
  const { body } = await server.post<{ result: { key_id: string } }>('/v1/auth/device-keys', json, {
    token: tokens.access_token,
  });
  return body.result.key_id;
}

const grantRecovery = async (path: string) =>
  server.put(`${path}/recovery`, {}, { token: await server.adminToken() });

/** By a user with an email address, at which the page of the second factor is. */
async function askForRecovery(): Promise<string> {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  await createProvenUser(server, { email, phone_number: phone });
  const login = hostedLogin(server);
  const page = await login.toCode(login.browser(), email, { acr_values: 'mfa' });
  const second = await page.submit({ passcode: await server.codeTo(email) });
  await (await second.submit({}, '/lost')).submit({}, '/recover');
  return email;
}

/** By the former mailbox of a user who has moved by two kinds. */
async function askForUndo(): Promise<void> {
  const [email, phone, next] = [newEmail(), newPhoneNumber(), newEmail()];
  await createProvenUser(server, { email, phone_number: phone });
  const login = hostedLogin(server);
  const jar = login.browser();
  const asked = await (await accountOf(server, login).open(email, jar)).submit({}, 'account/email');
  const texted = await asked.submit({ method: 'sms' });
  const mailed = await (await texted.submit({ passcode: await server.codeTo(phone) })).submit({
    identifier: next,
  });
  await mailed.submit({ passcode: await server.codeTo(next) });
  await server.settleEvents();
  const links = (await server.messages({ to: email })).flatMap((mail) => mail.links);
  const { pathname, search } = new URL(links.find((each) => each.includes('/notice?')) ?? '');
  const second = await (await jar.open(`${pathname}${search}`)).submit({}, '/notice');
  await (await second.submit({}, '/lost')).submit({}, '/recover');
}

/** On the account page. */
async function deleteOwnAccount(): Promise<string> {
  const email = newEmail();
  const { user_id } = await createProvenUser(server, { email });
  const login = hostedLogin(server);
  const account = accountOf(server, login);
  const jar = login.browser();
  await account.open(email, jar);
  await (await jar.open(account.address(undefined, '/deletion'))).submit({}, 'account/deletion');
  return user_id;
}

async function inviteOperator(): Promise<void> {
  const { headers } = await operatorOf(server, 'admin');
  const body = JSON.stringify({ email: newEmail(), role: 'viewer' });
  const json = { 'content-type': 'application/json' };
  await server.request('/v1/operators', { method: 'POST', headers: { ...headers(), ...json }, body });
}

/** A person lets a client by document act for them. */
const connectAgent = () => agents.connected(agents.documents.publish());

/** The type names every event: one that nothing here provokes does not compile. */
const provoke: Readonly<Record<Exclude<AuditEvent, MessageEvent>, () => Promise<unknown>>> = {
  'login.succeeded': () => newPerson(server),
  'login.failed': () => guessWrong(1),
  'login.locked': () => guessWrong(3),
  'login.new_device': async () => {
    const email = newEmail();
    await createUser(server, { email });
    for (const device_id of ['phone', 'laptop']) await loginByEmail(email, { device_id });
  },
  'session.ended': async () => {
    const { tokens } = await newPerson(server);
    await server.post('/v1/auth/logout', {}, { token: tokens.access_token });
  },
  'logout.failed': async () => {
    // It answers a form without a client by 400.
    const client = await storeClient(server, { backchannelLogoutUri: `${server.url}/oidc/token` });
    const email = newEmail();
    await createUser(server, { email });
    const login = hostedLogin(server);
    const target = await login.logIn(login.browser(), email, { client_id: client.clientId });
    const { body } = await login.exchange(target, {}, client);
    await server.post('/v1/auth/logout', {}, { token: body.access_token });
  },
  'session.moved': async () => {
    const { takeSessions, importUser, exchange } = movingTo(server, former);
    await takeSessions();
    const { subject } = await importUser();
    await exchange(await former.sign({ sub: subject }));
  },
  'token.revoked': async () => {
    const { client_id, client_secret } = server.environment;
    const { refresh_token } = (await newPerson(server)).tokens;
    await server.form('/oidc/token/revocation', { client_id, client_secret, token: refresh_token });
  },
  'token.reused': async () => {
    const { refresh_token } = (await newPerson(server)).tokens;
    const path = '/v1/auth/token/refresh';
    const { body } = await server.post<{ refresh_token: string }>(path, { refresh_token }, { token });
    await server.post(path, { refresh_token: body.refresh_token }, { token });
    await server.post(path, { refresh_token }, { token });
  },
  'token.repeated': async () => {
    const setting = { refreshReuseSeconds: 60 };
    const { application, clientId } = await storeApplication(server, setting, {
      authMethod: 'none',
      secrets: [],
    });
    const { code, record } = await storeNewCode(server, {
      applicationId: application.applicationId,
      clientId,
    });
    const ask = (fields: Readonly<Record<string, string>>) =>
      server.form<{ refresh_token: string }>('/oidc/token', { client_id: clientId, ...fields });
    const grant = { grant_type: 'authorization_code', code, redirect_uri: record.redirectUri };
    const { refresh_token } = (await ask(grant)).body;
    for (const seconds of [0, 11]) {
      await server.advanceClock(seconds);
      await ask({ grant_type: 'refresh_token', refresh_token });
    }
  },
  'client.refused': () => {
    const { client_id } = server.environment;
    const fields = { grant_type: 'client_credentials', client_id, client_secret: 'wrong' };
    return server.form('/oidc/token', fields);
  },
  'user.created': newUserPath,
  'user.updated': () => change({ name: { first_name: 'Ann' } }),
  'user.email_added': async () => {
    const { user_id } = await createUser(server, { username: newEmail('name').replace('@', '.') });
    await server.put(`/v1/users/${user_id}`, { email: newEmail() }, { token });
  },
  'user.email_changed': () => change({ email: newEmail() }),
  'user.email_restored': async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    await loginByEmail(email);
    await server.put(`/v1/users/${user_id}`, { email: newEmail() }, { token });
    await server.settleEvents();
    const link = new URL((await server.messages({ to: email }))[0]?.links[0] ?? '');
    await server.form(`${link.pathname}${link.search}`, {});
  },
  'user.phone_added': async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    await server.put(`/v1/users/${user_id}`, { phone_number: newPhoneNumber() }, { token });
  },
  'user.phone_changed': () => change({ phone_number: newPhoneNumber() }),
  'user.phone_risk_set': async () =>
    server.put(`${await newUserPath()}/phone-risk`, { signal: 'sim_swap' }, { token }),
  'user.phone_risk_cleared': async () => {
    const path = `${await newUserPath()}/phone-risk`;
    await server.put(path, { signal: 'sim_swap' }, { token });
    await server.delete(path, { token });
  },
  'user.suspended': () => change({ status: 'Disabled' }),
  'user.unlocked': async () => server.delete(`${await newUserPath()}/locks`, { token }),
  'user.undo_requested': askForUndo,
  'user.recovery_requested': askForRecovery,
  'user.recovery_granted': async () => grantRecovery(await newUserPath()),
  'user.recovery_cancelled': async () => {
    const to = await askForRecovery();
    await server.settleEvents();
    const links = (await server.messages({ to })).flatMap((mail) => mail.links);
    const link = new URL(links.find((each) => each.includes('/notice?')) ?? '');
    await server.form(`${link.pathname}${link.search}`, {});
  },
  'user.erasure_requested': deleteOwnAccount,
  'user.erasure_cancelled': async () =>
    server.delete(`/v1/users/${await deleteOwnAccount()}/erasure`, { token }),
  'user.erasure_reminded': async () => {
    const { email } = await findUser(server, await deleteOwnAccount());
    const login = hostedLogin(server);
    await login.toCode(login.browser(), email?.value ?? '');
  },
  'user.erased': async () => server.delete(await newUserPath(), { token }),
  'passkey.added': async () => registerPasskey(server, await newPerson(server)),
  'passkey.removed': async () => {
    const person = await newPerson(server);
    const { id } = await registerPasskey(server, person);
    const path = `/v1/users/${person.user.user_id}/webauthn-credentials/${id.toString('base64url')}`;
    await server.delete(path, { token });
  },
  'device_key.added': async () => addDeviceKey(await newPerson(server)),
  'device_key.removed': async () => {
    const person = await newPerson(server);
    const path = `/v1/auth/device-keys/${await addDeviceKey(person)}`;
    await server.delete(path, { token: person.tokens.access_token });
  },
  'identity.added': async () => {
    const email = newEmail();
    await createUser(server, { email });
    await loginByEmail(email);
    const { base_url } = server.environment;
    const jar = new BrowserJar(new URL(base_url).origin);
    const social = socialLogin(server, upstream);
    await social.exchange(await social.logIn(jar, newClaimsWithEmail(email)));
  },
  'identity.removed': async () => {
    const email = newEmail();
    await createProvenUser(server, { email });
    const [login, social] = [hostedLogin(server), socialLogin(server, upstream)];
    const account = accountOf(server, login);
    const claims = newClaimsWithEmail(email);
    await social.logIn(login.browser(), claims);
    const jar = login.browser();
    const away = leftTo(await (await jar.open(account.address())).submit({ method: 'google' }));
    const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const asked = await page.submit({}, 'identities/remove');
    await (await account.byCode(asked, email)).submit({}, 'identities/remove');
  },
  'grant.given': connectAgent,
  'grant.new_client': connectAgent,
  'grant.ended': async () => {
    const { jar } = await connectAgent();
    await (await jar.open('/account')).submit({}, '/consents/end');
  },
  'user.reclaimed': async () => {
    await loginByEmail(await loggedInBefore());
  },
  'webhook.tested': async () => {
    const { webhook_id } = await madeWebhook(server);
    await server.post(`/v1/webhooks/${webhook_id}/test`, {}, { token: await server.adminToken() });
  },
  'webhook.repeated': async () => {
    const { path } = (await webhookSuccesses(() => server).sendWebhookAgain?.()) ?? {};
    const again = `/v1/webhooks/${path?.webhookId}/deliveries/${path?.deliveryId}/again`;
    await server.post(again, {}, { token: await server.adminToken() });
  },
  'management.changed': () => madeApplication(server),
  'operator.invited': inviteOperator,
  'operator.enrolled': () => enrolledOperator(server),
  'operator.acted': inviteOperator,
  'operator.viewed_user': async () => {
    const operator = await operatorOf(server, 'viewer');
    await server.get(await newUserPath(), { token: operator.token, headers: operator.headers() });
  },
};

/** A user of whom another has logged in before the address is proven. */
async function loggedInBefore(): Promise<string> {
  const email = newEmail();
  await tokensDirect(server, (await createUser(server, { email })).user_id);
  return email;
}

test.each<[string, (email: string) => Promise<unknown>]>([
  [
    'a code-based login',
    async (email) => {
      const backend = codeBased(server, token);
      await backend.exchange(await codeAt(await backend.resultByEmail(email)));
    },
  ],
  [
    'a hosted login',
    async (email) => {
      const login = hostedLogin(server);
      await login.logIn(login.browser(), email);
    },
  ],
  [
    'an account at a provider',
    async (email) => {
      const jar = new BrowserJar(new URL(server.environment.base_url).origin);
      await socialLogin(server, upstream).logIn(jar, newClaimsWithEmail(email));
    },
  ],
])('the first proof by %s is told too', async (_title, prove) => {
  const email = await loggedInBefore();
  const lines = await logLines(async () => {
    await prove(email);
  });
  expect(lines.flatMap(({ audit = [] }) => audit)).toContain('user.reclaimed');
});

/** The forwarder of the log tells this one, to the timeline and to webhooks. */
const FORWARDED: ReadonlySet<string> = new Set<AuditEvent>(['login.new_device']);

test.each(Object.entries(provoke))('%s is told', async (event, happen) => {
  const lines = await logLines(async () => {
    await happen();
    await server.settleEvents();
  });
  const users = new Set(lines.flatMap(({ user_id }) => (typeof user_id === 'string' ? [user_id] : [])));
  const { timeline } = await server.ports(['timeline']);
  const pages = await Promise.all([...users].map((userId) => timeline.list(userId, { limit: 100 })));
  const told = FORWARDED.has(event)
    ? pages.flatMap(({ items }) => items.map(({ type }) => type))
    : lines.flatMap(({ audit = [] }) => audit);
  expect(told).toContain(event);
});
