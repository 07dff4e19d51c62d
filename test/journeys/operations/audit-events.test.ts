// Security events (ASVS V16) that no other test triggers over HTTP.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { updateTenant } from '../../../shared/domain/management/tenants.ts';
import type { AuditEvent, MessageEvent } from '../../../shared/ports/audit.ts';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { createOperator, enrolledOperator } from '../../support/fixtures/operators.ts';
import {
  createProvenUser,
  createUser,
  findUser,
  newEmail,
  newPhoneNumber,
} from '../../support/fixtures/people.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { logInBy, tokensDirect } from '../../support/fixtures/tokens.ts';
import { createAgents } from '../../support/providers/agents.ts';
import { newClaimsWithEmail, socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { logLines } from '../../support/server/log-lines.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { logIn, refreshed, storeClient, storeNewCode } from '../../support/tools/authorized.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';

let server: TestServer;
let upstream: Upstream;
let agents: ReturnType<typeof createAgents>;
let token: string;
beforeAll(async () => {
  upstream = await startUpstream();
  const { clientId, clientSecret, issuer } = upstream;
  const preference = { clientId, issuer, trustedForEmail: true };
  const providers = { google: { preference, secret: { clientSecret } } };
  server = await startTestServer({ rateLimits: 'off', events: true, providers });
  agents = createAgents(server);
  await agents.prepare();
  const ports = await server.ports(['tenantRecords']);
  await updateTenant(ports, server.environment.tenant_id, { account_deletion: true }, nowSeconds());
  // Fills the configuration caches of the functions.
  token = await server.clientToken();
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await agents.stop();
  server.expectNoViolations();
});

async function newUserPath(): Promise<string> {
  const fields = { email: newEmail(), phone_number: newPhoneNumber() };
  return `/v1/users/${(await createUser(server, fields)).user_id}`;
}

/** Logs in with an email code, which verifies the email address. */
const loginByEmail = (email: string) => logInBy(server, 'email', email);

/** Logs in with an email code and starts a recovery on the second-factor page. Returns the email address. */
async function askForRecovery(): Promise<string> {
  const [email, phone] = [newEmail(), newPhoneNumber()];
  await createProvenUser(server, { email, phone_number: phone });
  const login = hostedLogin(server);
  const page = await login.toCode(login.browser(), email, { acr_values: 'mfa' });
  const second = await page.submit({ passcode: await server.codeTo(email) });
  await (await second.submit({}, '/lost')).submit({}, '/recover');
  return email;
}

/** Replaces a user's email address. Starts a recovery with the undo link that was sent to the previous address. */
async function askForUndo(): Promise<void> {
  const [email, phone, next] = [newEmail(), newPhoneNumber(), newEmail()];
  await createProvenUser(server, { email, phone_number: phone });
  const login = hostedLogin(server);
  const jar = login.browser();
  const asked = await (await createAccountActions(server, login).open(email, jar)).submit(
    {},
    'account/email',
  );
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

/** Deletes the account of a new user on the account page. Returns the user ID. */
async function deleteOwnAccount(): Promise<string> {
  const email = newEmail();
  const { user_id } = await createProvenUser(server, { email });
  const login = hostedLogin(server);
  const account = createAccountActions(server, login);
  const jar = login.browser();
  await account.open(email, jar);
  await (await jar.open(account.address(undefined, '/deletion'))).submit({}, 'account/deletion');
  return user_id;
}

/** Gives a user's consent to an agent: an OAuth client that is identified by its metadata document. */
const connectAgent = () => agents.connected(agents.documents.publish());

/**
 * Events for which other files have tests: `contract/answers`, `operations/events`, `operations/notices` and other journeys.
 */
type Elsewhere =
  | MessageEvent
  | `${'device_key' | 'login' | 'logout' | 'management' | 'passkey' | 'session' | 'webhook'}.${string}`
  | `operator.${'acted' | 'invited'}`
  | `token.${'reused' | 'revoked'}`
  | `user.${'created' | 'erased' | 'suspended' | 'unlocked' | 'updated'}`
  | `user.${'email_changed' | 'phone_changed' | 'phone_risk_cleared' | 'phone_risk_set'}`
  | `user.${'erasure_cancelled' | 'erasure_requested' | 'reclaimed' | 'recovery_granted'}`;

/** Function that causes each of the other events. The type makes sure that no event is missing. */
const provoke: Readonly<Record<Exclude<AuditEvent, Elsewhere>, () => Promise<unknown>>> = {
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
  'user.email_added': async () => {
    const { user_id } = await createUser(server, { username: newEmail('name').replace('@', '.') });
    await server.put(`/v1/users/${user_id}`, { email: newEmail() }, { token });
  },
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
  'user.undo_requested': askForUndo,
  'user.recovery_requested': askForRecovery,
  'user.recovery_cancelled': async () => {
    const to = await askForRecovery();
    await server.settleEvents();
    const links = (await server.messages({ to })).flatMap((mail) => mail.links);
    const link = new URL(links.find((each) => each.includes('/notice?')) ?? '');
    await server.form(`${link.pathname}${link.search}`, {});
  },
  'user.erasure_reminded': async () => {
    const { email } = await findUser(server, await deleteOwnAccount());
    const login = hostedLogin(server);
    await login.toCode(login.browser(), email?.value ?? '');
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
    const account = createAccountActions(server, login);
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
  'operator.enrolled': () => enrolledOperator(server),
  'operator.viewed_user': async () => {
    const operator = await createOperator(server, 'viewer');
    await server.get(await newUserPath(), { token: operator.token, headers: operator.headers() });
  },
};

const collectEvents = async (happen: () => Promise<unknown>) => {
  const lines = await logLines(async () => {
    await happen();
    await server.settleEvents();
  });
  return lines.flatMap(({ audit = [] }) => audit);
};

/** Creates a user with an unverified address and a session without a verified address, as an attacker could have. */
async function loggedInBefore(): Promise<string> {
  const email = newEmail();
  await tokensDirect(server, (await createUser(server, { email })).user_id);
  return email;
}

test.each<[string, (email: string) => Promise<unknown>]>([
  ['an email code', loginByEmail],
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
    'an identity provider account',
    async (email) => {
      const jar = new BrowserJar(new URL(server.environment.base_url).origin);
      await socialLogin(server, upstream).logIn(jar, newClaimsWithEmail(email));
    },
  ],
])(
  'the event user.reclaimed is published when %s verifies an address for the first time',
  async (_title, prove) => {
    const email = await loggedInBefore();
    expect(await collectEvents(() => prove(email))).toContain('user.reclaimed');
  },
);

test.each(Object.entries(provoke))('an audited action publishes the event %s', async (event, happen) => {
  expect(await collectEvents(happen)).toContain(event);
});

test.each<readonly ['get' | 'put' | 'delete', string, object | undefined]>([
  ['get', '/v1/auth/users/{userId}/sessions', undefined],
  ['delete', '/v1/auth/users/{userId}/sessions', undefined],
  ['get', '/v1/users/{userId}/webauthn-credentials', undefined],
  ['get', '/v1/users/{userId}/timeline', undefined],
  ['get', '/v1/users/{userId}/export', undefined],
  ['put', '/v1/users/{userId}', { language: 'de' }],
  ['put', '/v1/users/{userId}/phone-risk', { signal: 'sim_swap' }],
  ['delete', '/v1/users/{userId}/phone-risk', undefined],
  ['put', '/v1/users/{userId}/recovery', {}],
  ['delete', '/v1/users/{userId}/locks', undefined],
  ['delete', '/v1/users/{userId}/erasure', undefined],
  ['delete', '/v1/users/{userId}', undefined],
])('the log line of the API call %s %s contains the user ID', async (method, path, fields) => {
  const { user_id } = await createUser(server, { email: newEmail(), phone_number: newPhoneNumber() });
  const to = path.replace('{userId}', user_id);
  const as = { token: await server.adminToken() };
  const lines = await logLines(async () => {
    const answer = method === 'put' ? await server.put(to, fields, as) : await server[method](to, as);
    expect(answer.status).toBeLessThan(300);
  });
  expect(lines).toContainEqual(expect.objectContaining({ user_id }));
});

test.each<[string, string, () => Promise<unknown>]>([
  ['a code exchange', 'tokens/token', () => logIn(server)],
  [
    'a token refresh',
    'tokens/token',
    async () => {
      const { tokens } = await logIn(server);
      await refreshed(server, tokens.refresh_token);
    },
  ],
  [
    'single sign-on',
    'browser/authorize',
    async () => {
      const login = hostedLogin(server);
      const jar = login.browser();
      const email = newEmail();
      await createProvenUser(server, { email });
      await login.logIn(jar, email);
      leftTo(await jar.open(login.address()));
    },
  ],
])('the log line of %s contains the client, the user and the session', async (_, event, happen) => {
  const lines = await logLines(async () => void (await happen()));
  const { tenant_id, app_id: application_id, client_id } = server.environment;
  const ids = {
    tenant_id,
    application_id,
    client_id,
    user_id: expect.any(String),
    session_id: expect.any(String),
  };
  expect(lines.findLast((line) => line.event === event)).toMatchObject(ids);
});

test('the log line of a code exchange with a client secret in JSON contains the client and the secret', async () => {
  const { clientId: client_id, clientSecret: client_secret, record } = await storeClient(server);
  const stored = await storeNewCode(server, { clientId: client_id });
  const { redirectUri: redirect_uri } = stored.record;
  const retrieve = (code: string) =>
    server.post('/v1/token', { code, client_id, client_secret, redirect_uri });
  const lines = await logLines(async () => {
    expect((await retrieve('unknown')).status).toBe(400);
    expect((await retrieve(stored.code)).status).toBe(200);
  });
  const { tenant_id, app_id: application_id } = server.environment;
  const common = { client_id, tenant_id, application_id };
  expect(lines.filter(({ event }) => event === 'tokens/retrieve-tokens')).toMatchObject([
    { ...common, secret_used: record.secrets[0]?.secretId },
    { ...common, user_id: expect.any(String), session_id: expect.any(String) },
  ]);
});

test("the log line of a click on a provider's button contains the provider", async () => {
  const login = hostedLogin(server);
  const page = await login.browser().open(login.address());
  const lines = await logLines(async () => void leftTo(await page.submit({ method: 'google' })));
  expect(lines).toContainEqual(expect.objectContaining({ event: 'social/start-hosted', channel: 'google' }));
});
