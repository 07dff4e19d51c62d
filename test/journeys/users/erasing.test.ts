import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { listAccessByMethod, portAccess, type TablePort } from '../../../lib/stacks/functions/port-access.ts';
import { ERASURE_DELAY_SECONDS, JOBS_INTERVAL_MINUTES } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';
import { type Canary, createDevice, type Device, listUserNames } from '../../support/fixtures/canary-user.ts';
import { codeBased, open } from '../../support/fixtures/code-based.ts';
import { type HostedLogin, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { made } from '../../support/fixtures/managed.ts';
import {
  login as loginByPasskey,
  registerPasskey,
  startLogin,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import {
  createUser,
  deleteOwnAccount,
  guessWrong,
  newEmail,
  newPhoneNumber,
  type WireUser,
} from '../../support/fixtures/people.ts';
import { type TokenResponse, tokensBy, tokensDirect } from '../../support/fixtures/tokens.ts';
import { socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { otlWith } from '../../support/server/otl.ts';
import { someCodeKey, someSession } from '../../support/server/records.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { takes } from '../../support/tools/full-run.ts';

// After an erasure, no table identifies the user. Only opaque IDs may remain, in items that expire within a day.
// Each test user first uses all features of the service. After the erasure, the tests read every item of every table.

jest.setTimeout(120_000);

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
const approval_data = { payee: 'Canary' };

let server: TestServer;
let upstream: Upstream;
let login: HostedLogin;
let token: string;
beforeAll(async () => {
  upstream = await startUpstream();
  const { clientId, issuer, clientSecret } = upstream;
  server = await startTestServer({
    rateLimits: 'on',
    events: true,
    providers: {
      google: { preference: { clientId, issuer, trustedForEmail: true }, secret: { clientSecret } },
    },
  });
  login = hostedLogin(server);
  token = await server.clientToken();
  // Disables notices, so that the tests can find messages with codes and links.
  const notices = { new_device: false, contact_changed: false, locked: false };
  const as = { token: await server.adminToken() };
  await server.put(`/v1/applications/${server.environment.app_id}`, { notices }, as);
});
afterAll(async () => {
  server.expectNoViolations();
  await server.stop();
  await upstream.stop();
});

const post = async (path: string, fields: object, bearer = token) => {
  const answer = await server.post<Record<string, string>>(path, fields, { token: bearer });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const wrong = (path: string, fields: object) => server.post(path, fields, { token });

/** Uses one-time codes and magic links (section A): some are used, some are tried with wrong digits, some stay unused. */
async function useSectionA(email: string, user: WireUser, device: Device): Promise<void> {
  const who = { identifier_type: 'email', identifier: email, ...device };
  const byId = { identifier_type: 'user_id', identifier: user.user_id };
  const otp = { channel: 'direct', ...who, approval_data };
  const { code } = await post('/v1/auth/otp/send', otp);
  await post('/v1/auth/otp/authenticate', { passcode: code, ...who });
  await post('/v1/auth/otp/send', otp);
  await wrong('/v1/auth/otp/authenticate', { passcode: '00000000', ...who });
  await post('/v1/auth/otp/send', { channel: 'direct', ...byId });
  await wrong('/v1/auth/otp/authenticate', { passcode: '00000000', ...byId });
  const link = { ...who, redirect_uri: login.redirectUri, state: 'a-state', email_expiration: 1440 };
  await post('/v1/auth/link/email/send', link);
  await open(await server.linkTo(email));
  await post('/v1/auth/link/email/send', link);
  const used = (await open(await server.linkTo(email))).headers.get('location') ?? '';
  await post('/v1/auth/link/email/authenticate', { code: new URL(used).searchParams.get('code'), ...device });
}

/** Starts code-based logins (section C) by link, email and SMS without completing them, one of them with two factors. */
async function useSectionC(email: string, phone: string, { client_attributes }: Device): Promise<void> {
  const sectionC = codeBased(server, token);
  const left = { client_attributes };
  await sectionC.sendLink({ email, ...left });
  await open(await server.linkTo(email));
  await sectionC.resultByEmail(email, { ...left, approval_data });
  await sectionC.resultByEmail(email, { ...left, require_mfa: true });
  await sectionC.sendSmsOtp({ phone_number: phone, ...left });
  await sectionC.validateSmsOtp({ phone_number: phone, passcode: '00000000' });
}

/**
 * Logs in on the hosted pages, so that the browser becomes known. Then enters wrong codes in the known browser and in unknown
 * browsers, and requests a link.
 */
async function useHostedPages(email: string, phone: string): Promise<void> {
  const own = login.browser();
  const target = await login.logIn(own, email, { scope: 'openid offline_access', prompt: 'consent' });
  const { body } = await login.exchange(target);
  await login.logIn(own, email, { prompt: 'login' });
  for (const jar of [own, login.browser()])
    await (await login.toCode(jar, email, { prompt: 'login' })).submit({ passcode: '00000000' });
  await (await login.toCode(login.browser(), phone, {}, 'sms')).submit({ passcode: '00000000' });
  const page = await login.toCode(login.browser(), email, {}, 'link');
  await page.submit({}, '/change');
  await server.post('/v1/auth/token/refresh', { refresh_token: body.refresh_token }, { token });
}

/** Logs in with an email code and an SMS code, which a user with both factors must do before adding a passkey. */
async function loginByMailAndText(email: string, phone_number: string): Promise<TokenResponse> {
  const { session_id } = await tokensBy(server, 'email', email);
  return tokensBy(server, 'sms', phone_number, { session_id });
}

type Ids = readonly string[];
/**
 * Registers and uses a passkey and a device key, and starts registrations without finishing them. Returns the passkey's
 * credential ID and the hash of this ID.
 */
async function useKeys(user: WireUser, email: string, phone: string, name: string): Promise<Ids> {
  const [admin, proven] = [{ token: await server.adminToken() }, { phone_number_verified: true }];
  expect((await server.put(`/v1/users/${user.user_id}`, proven, admin)).status).toBe(200);
  const tokens = await loginByMailAndText(email, phone);
  const person = { user, email, tokens };
  const passkey = await registerPasskey(server, person);
  expect(await loginByPasskey(server, passkey)).toMatchObject({ status: 200 });
  await startLogin(server, { username: email, approval_data });
  const { tokens: both } = await withBothFactors(server, person, passkey);
  await post('/v1/auth/webauthn/register/start', {}, both.access_token);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  await post('/v1/auth/device-keys', { public_key: jwk, name }, both.access_token);
  const asked = { user_id: user.user_id, approval_data };
  const { approval_id, challenge = '' } = await post('/v1/auth/approvals/start', asked);
  const listed = await server.get<{ result: { key_id: string }[] }>('/v1/auth/device-keys', {
    token: tokens.access_token,
  });
  const key_id = listed.body.result[0]?.key_id;
  const signature = sign('sha256', Buffer.from(challenge), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');
  await post('/v1/auth/approvals/authenticate', { approval_id, key_id, signature });
  await post('/v1/auth/approvals/start', asked);
  return [passkey.id.toString('base64url'), createHash('sha256').update(passkey.id).digest('base64url')];
}

/** Links an identity provider account by its email address. Then starts another social login without completing it. */
async function useProvider(email: string, subject: string): Promise<void> {
  const social = socialLogin(server, upstream);
  const claims = {
    sub: subject,
    email,
    email_verified: true,
    given_name: 'Canaria',
    family_name: 'Upstream',
  };
  const { status } = await social.exchange(await social.logIn(login.browser(), claims));
  expect(status).toBe(200);
  await social.leave(login.browser(), { claims: JSON.stringify({ id_token: { email: { value: email } } }) });
}

/** Pushes authorization requests that contain the user's email address and phone number, and opens one of them. */
async function pushRequests(email: string, phone: string): Promise<void> {
  const { client_id, client_secret, issuer } = server.environment;
  const claims = JSON.stringify({ id_token: { phone_number: { value: phone }, email: { values: [email] } } });
  const asked = login.parameters({ client_id, login_hint: email, claims });
  const push = async () =>
    (await server.form<{ request_uri: string }>('/oidc/request', { ...asked, client_secret })).body
      .request_uri;
  await push();
  const opened = `${issuer}/auth?${new URLSearchParams({ client_id, request_uri: await push() })}`;
  await login.browser().open(opened);
}

async function sendElsewhere({ user_id: identifier }: WireUser, email: string, phone: string): Promise<void> {
  const who = { identifier_type: 'user_id', identifier };
  await post('/v1/auth/otp/send', { channel: 'email', ...who, custom_email: email });
  await post('/v1/auth/otp/send', { channel: 'sms', ...who, custom_phone_number: phone });
}

async function joinOrganization({ user_id }: WireUser, device: Device): Promise<void> {
  const admin = await server.adminToken();
  const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' }, admin);
  await made(server, `/v1/organizations/${org_id}/members`, { user_id, roles: ['member'] }, admin);
  const { session_id, access_token } = await tokensDirect(server, user_id);
  await post('/v1/auth/session/authenticate', { session_id, org_id, ...device });
  const { client_id, client_secret } = server.environment;
  await server.form('/oidc/token/revocation', { token: access_token, client_id, client_secret });
  const { sessions, testCodes } = await server.ports(['sessions', 'testCodes.put']);
  const now = Math.floor(Date.now() / 1000);
  const sent = { code: '123456', channel: 'email', sentAt: now, expiresAt: now + 300 } as const;
  const slot = { ...someCodeKey(), applicationId: server.environment.app_id, mac: 'mac' };
  await testCodes.put({ userId: user_id, ...slot, ...sent });
  const tenantId = server.environment.tenant_id;
  const at = Math.floor(Date.now() / 1000);
  // Session that has expired without being ended.
  const over = { startedAt: at - 100, expiresAt: at - 50, endsAt: at + 80 * DAY_SECONDS };
  const { device_id: deviceId, client_attributes } = device;
  const seen = { deviceId, ipAddress: client_attributes.ip_address };
  await sessions.start(
    someSession({ sessionId: `${user_id}.over`, userId: user_id, tenantId, ...over, ...seen }),
  );
}

/** Stores data about a user that operators and backends can set, such as roles. */
async function noteThings(path: string): Promise<void> {
  const admin = await server.adminToken();
  expect((await server.put(path, { roles: ['canary'] }, { token: admin })).status).toBe(200);
  const risk = { signal: 'sim_swap', reason: 'canary-feed' };
  expect((await server.put(`${path}/phone-risk`, risk, { token })).status).toBe(200);
}

async function begin(number: number): Promise<Canary> {
  const device = createDevice(number);
  const formerEmail = newEmail('canary-former');
  const [email, otherEmail] = [newEmail('canary-now'), newEmail('canary-other')];
  const [phone, otherPhone] = [newPhoneNumber(), newPhoneNumber()];
  const username = `canary-${email.replace(/\W/g, '')}`;
  const [card, externalId, subject] = [`card-${username}`, `external-${username}`, `subject-${username}`];
  const user = await createUser(server, {
    email: formerEmail,
    phone_number: phone,
    username,
    external_user_id: externalId,
    custom_identifiers: [{ type: 'card', value: card }],
    name: { first_name: `Canaria${number}` },
  });
  await useSectionA(formerEmail, user, device);
  expect((await server.put(`/v1/users/${user.user_id}`, { email }, { token })).status).toBe(200);
  const names = { email, formerEmail, phone, username, card, externalId, subject, otherEmail, otherPhone };
  return { user, device, ...names, credentialIds: [] };
}

/** Groups of actions. A group must finish within a minute, because authorization codes expire after 60 seconds. */
const minutes: readonly ((person: Canary) => Promise<void>)[] = [
  ({ email, phone, device }) => useSectionC(email, phone, device),
  ({ email, phone }) => useHostedPages(email, phone),
  async ({ user, device, email, phone, subject, otherEmail, otherPhone }) => {
    await useProvider(email, subject);
    await pushRequests(email, phone);
    await joinOrganization(user, device);
    await sendElsewhere(user, otherEmail, otherPhone);
  },
  async (person) => {
    const { user, email, phone, device } = person;
    person.credentialIds = await useKeys(user, email, phone, device.device_id);
    await noteThings(`/v1/users/${user.user_id}`);
    // Adds a failed attempt, because the logins have reset the number of failed attempts.
    await guessWrong(server, user.user_id, 1);
  },
];

async function liveThroughEverything(numbers: readonly number[]): Promise<readonly Canary[]> {
  const all = await Promise.all(numbers.map(begin));
  for (const minute of minutes) {
    await server.advanceClock(60);
    await Promise.all(all.map(minute));
  }
  // Makes the erasure due some minutes later, so that a scheduled job does not erase the user before the first test.
  const askedAt = nowSeconds() - ERASURE_DELAY_SECONDS + 2 * JOBS_INTERVAL_MINUTES * 60;
  await Promise.all(all.map(({ user }) => deleteOwnAccount(server, user.user_id, askedAt)));
  return all;
}

type Stored = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

async function everyItem(): Promise<readonly Stored[]> {
  const tables: readonly TableName[] = ['directory', 'people', 'flows'];
  const dumps = await Promise.all(tables.map(dumpTable));
  return dumps.flatMap((dump) => JSON.parse(dump) as Stored[]);
}

async function expectNothingLeft(person: Canary): Promise<void> {
  const names = await listUserNames(server, person, upstream.issuer);
  // Addresses in `custom_email` and `custom_phone_number` may remain in message counters for a day, as HMACs.
  const { email: otherEmail, phone: otherPhone } = person;
  const own = await listUserNames(server, { ...person, otherEmail, otherPhone }, upstream.issuer);
  const soon = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  for (const item of await everyItem()) {
    const text = JSON.stringify(item);
    const isCount =
      item.pk?.S?.startsWith('window#send%23') && Number(item.purge_at?.N) < soon + HOUR_SECONDS;
    const told = (isCount ? own : names).filter((name) => text.includes(name));
    expect(told.map((name) => `${name} in ${text}`)).toEqual([]);
    if (!text.includes(person.user.user_id)) continue;
    // The item contains only the opaque user ID and expires within a day.
    expect(item.pk?.S).toMatch(/^(?:session|link|code|webauthn|approval)#/);
    expect(Number(item.purge_at?.N ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(soon);
  }
}

/** Prefixes of partition keys whose items contain no personal data, with the contents of the items. */
const ABOUT_NO_PERSON: Readonly<Record<string, string>> = {
  'jti#': 'assertions and proofs that a client has used',
  'former-apps#': 'applications that were deleted',
  'webhook-delivery#': 'what was posted to others, for 7 days',
  'statistics#': 'how many logins and messages a tenant had',
  'console-session#': 'logins of operators, sealed, for 8 hours',
  'document#': 'documents of clients, by their addresses',
};

/** Prefixes of all partition keys to which the service writes in the tables `people` and `flows`, as its ports declare them. */
const places = [
  ...new Set(
    Object.keys(portAccess)
      .flatMap((port) => Object.values(listAccessByMethod(port as TablePort)).flat())
      .filter(
        ({ table, index, prefix }) =>
          table !== 'directory' && index === undefined && !(prefix in ABOUT_NO_PERSON),
      )
      .map(({ prefix }) => prefix),
  ),
];

/** Checks, before the erasure, that items exist under every key prefix and that many of them identify the user. */
async function expectTraces({ user, ...person }: Canary): Promise<void> {
  const items = (await everyItem()).map((item) => JSON.stringify(item));
  expect(places.length).toBeGreaterThan(15);
  expect(places.filter((prefix) => !items.some((text) => text.includes(`"pk":{"S":"${prefix}`)))).toEqual([]);
  const owned = [
    'otp',
    'link',
    'code',
    'session',
    'webauthn',
    'approval',
    'user',
    'identifier',
    'credential',
  ];
  for (const kind of [...owned, 'timeline', 'timeline#changes-of', 'seen', 'device'])
    expect([kind, items.some((text) => text.includes(`"${kind}#`) && text.includes(user.user_id))]).toEqual([
      kind,
      true,
    ]);
  for (const kind of ['member#', 'passkey#', 'device-key#'])
    expect([kind, items.some((text) => text.includes(`"sk":{"S":"${kind}`))]).toEqual([kind, true]);
  expect(items.filter((text) => text.includes(user.user_id)).length).toBeGreaterThan(25);
  for (const name of [person.email, person.subject])
    expect(items.some((text) => text.includes(name))).toBe(true);
}

const ways: readonly (readonly [string, (user: WireUser) => Promise<void>])[] = [
  [
    'by the HTTP API',
    async ({ user_id }) => {
      const as = { token: await server.adminToken() };
      expect((await server.delete(`/v1/users/${user_id}`, as)).status).toBe(204);
    },
  ],
  [
    'by the command line',
    async ({ user_id }) => {
      const erase = ['user', 'delete', user_id, '--yes'];
      expect((await otlWith({ OTL_ENDPOINT: server.url }, erase)).code).toBe(0);
    },
  ],
  ['by the user, after the delay of 7 days', () => server.advanceClock(3 * JOBS_INTERVAL_MINUTES * 60)],
];
const chosen = ways.filter((_, index) => takes(index, ways.length));

const people: Canary[] = [];
beforeAll(async () => {
  people.push(...(await liveThroughEverything([11, 22, 33].slice(0, chosen.length))));
});

describe('data that remains after a user was erased', () => {
  test.each(chosen)('no table contains data that identifies an erased user: %s', async (_, erase) => {
    const person = people.pop() as Canary;
    await server.settleEvents();
    await expectTraces(person);
    await erase(person.user);
    await expectNothingLeft(person);
    // Events that are processed after the erasure, such as `user.erased`, store nothing about the user.
    await server.settleEvents();
    await expectNothingLeft(person);
    // A later login request for the address does not find the user and stores nothing about the user.
    const again = { identifier_type: 'email', identifier: person.email, channel: 'direct' };
    expect((await server.post('/v1/auth/otp/send', again, { token })).status).toBe(404);
    await expectNothingLeft(person);
  });
});
