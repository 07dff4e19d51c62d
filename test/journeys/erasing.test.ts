import { execFile } from 'node:child_process';
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { TableName } from '../../shared/dynamo/keys.ts';
import { codeBased, open } from '../support/code-based.ts';
import { dumpTable } from '../support/dump.ts';
import { type HostedLogin, hostedLogin } from '../support/hosted-login.ts';
import { loginByCode, login as loginByPasskey, registerPasskey, startLogin } from '../support/passkeys.ts';
import { createUser, newEmail, newPhoneNumber, type WireUser } from '../support/people.ts';
import { someSession } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

/**
 * Erasing a user leaves nothing that identifies them in any table; opaque IDs in items that are gone within a day
 * excepted. Somebody goes through all that the service can do with a person, then every item of every table is read.
 */

jest.setTimeout(120_000);

const DAY_SECONDS = 86_400;
/** Of the device of the person with that number. */
const deviceOf = (number: number) => ({
  device_id: `canary-device-${number}`,
  client_attributes: { user_agent: `CanaryBrowser/${number}`, ip_address: `203.0.113.${number}` },
});
type Device = ReturnType<typeof deviceOf>;
const approval_data = { payee: 'Somebody' };

let world: World;
let login: HostedLogin;
let token: string;
beforeAll(async () => {
  world = await startWorld({ rateLimits: 'on' });
  login = hostedLogin(world);
  token = await world.clientToken();
});
afterAll(async () => {
  world.expectNoViolations();
  await world.stop();
});

/** Who somebody is, by every name that a table could have for them. */
interface Somebody {
  readonly user: WireUser;
  readonly device: Device;
  readonly email: string;
  readonly formerEmail: string;
  readonly phone: string;
  readonly username: string;
  readonly card: string;
  readonly externalId: string;
  readonly credentialIds: readonly string[];
}

const post = async (path: string, fields: object, bearer = token) => {
  const answer = await world.post<Record<string, string>>(path, fields, { token: bearer });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const wrong = (path: string, fields: object) => world.post(path, fields, { token });

/** Section A: codes used, failed and left lying, links used, opened and left lying. */
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
  await open(await login.link(email));
  await post('/v1/auth/link/email/send', link);
  const used = (await open(await login.link(email))).headers.get('location') ?? '';
  await post('/v1/auth/link/email/authenticate', { code: new URL(used).searchParams.get('code'), ...device });
}

/** Section C: a link, a mail and an SMS, each once exchanged and once left lying, and a pending second factor. */
async function useSectionC(email: string, phone: string, { client_attributes }: Device): Promise<void> {
  const c = codeBased(world, token);
  const left = { client_attributes };
  await c.sendLink({ email, ...left });
  await open(await c.lastLink(email));
  await c.resultByEmail(email, { ...left, approval_data });
  await c.resultByEmail(email, { ...left, require_mfa: true });
  await c.sendSmsOtp({ phone_number: phone, ...left });
  await c.validateSmsOtp({ phone_number: phone, passcode: '00000000' });
}

/** The hosted pages: a browser that becomes known and fails after, a stranger's, a link, a login left half-way. */
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
  await world.post('/v1/auth/token/refresh', { refresh_token: body.refresh_token }, { token });
}

/** Passkeys and device keys: registered, used, begun and not finished. */
async function useKeys(user: WireUser, email: string, name: string): Promise<readonly string[]> {
  const tokens = await loginByCode(world, user.user_id);
  const person = { user, email, tokens };
  const passkey = await registerPasskey(world, person);
  expect(await loginByPasskey(world, passkey)).toMatchObject({ status: 200 });
  await startLogin(world, { username: email, approval_data });
  await post('/v1/auth/webauthn/register/start', {}, tokens.access_token);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  await post('/v1/auth/device-keys', { public_key: jwk, name }, tokens.access_token);
  const asked = { user_id: user.user_id, approval_data };
  const { approval_id, challenge = '' } = await post('/v1/auth/approvals/start', asked);
  const listed = await world.get<{ result: { key_id: string }[] }>('/v1/auth/device-keys', {
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

async function joinOrganization(
  { user_id: userId }: WireUser,
  { device_id, client_attributes }: Device,
): Promise<void> {
  const { membershipRecords, sessions } = await world.ports(['membershipRecords', 'sessions']);
  const tenantId = world.environment.tenant_id;
  const at = Math.floor(Date.now() / 1000);
  const times = { createdAt: at, updatedAt: at };
  await membershipRecords.put({ organizationId: 'org1', userId, tenantId, roles: ['member'], ...times });
  // Long over, and ended by nobody.
  const over = { startedAt: at - 100, expiresAt: at - 50, endsAt: at + 80 * DAY_SECONDS };
  const device = { deviceId: device_id, ipAddress: client_attributes.ip_address };
  await sessions.start(someSession({ sessionId: `${userId}.over`, userId, tenantId, ...over, ...device }));
}

async function liveThroughEverything(number: number): Promise<Somebody> {
  const device = deviceOf(number);
  const formerEmail = newEmail('canary-former');
  const email = newEmail('canary-now');
  const phone = newPhoneNumber();
  const username = `canary-${email.replace(/\W/g, '')}`;
  const [card, externalId] = [`card-${username}`, `external-${username}`];
  const user = await createUser(world, {
    email: formerEmail,
    phone_number: phone,
    username,
    external_user_id: externalId,
    custom_identifiers: [{ type: 'card', value: card }],
    name: { first_name: `Canaria${number}` },
  });
  await useSectionA(formerEmail, user, device);
  const path = `/v1/users/${user.user_id}`;
  expect((await world.put(path, { email }, { token })).status).toBe(200);
  await world.advanceClock(60);
  await useSectionC(email, phone, device);
  await world.advanceClock(60);
  await useHostedPages(email, phone);
  await joinOrganization(user, device);
  await world.advanceClock(60);
  const credentialIds = await useKeys(user, email, device.device_id);
  return { user, device, email, formerEmail, phone, username, card, externalId, credentialIds };
}

/** The names of somebody, in the clear and as the service would hash them. */
async function namesOf(person: Somebody): Promise<readonly string[]> {
  const { tenants } = await world.ports(['tenants']);
  const tenant = await tenants.find(world.environment.tenant_id);
  const salt = Buffer.from(tenant?.salt ?? '', 'base64url');
  const hash = (type: string, value: string) =>
    createHmac('sha256', salt).update(`${type}\n${value}`).digest('base64url');
  const { email, formerEmail, phone, username, card, user } = person;
  const { device_id, client_attributes } = person.device;
  return [
    ...[
      email,
      formerEmail,
      phone,
      phone.slice(1),
      username,
      card,
      person.externalId,
      `Canaria${device_id.replace(/\D/g, '')}`,
    ],
    ...[hash('email', email), hash('email', formerEmail), hash('phone_number', phone)],
    ...[hash('username', username), hash('card', card), hash('user_id', user.user_id)],
    ...[...person.credentialIds, device_id, client_attributes.ip_address, client_attributes.user_agent],
  ];
}

type Stored = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

async function everyItem(): Promise<readonly Stored[]> {
  const tables: readonly TableName[] = ['directory', 'people', 'flows'];
  const dumps = await Promise.all(tables.map(dumpTable));
  return dumps.flatMap((dump) => JSON.parse(dump) as Stored[]);
}

async function expectNothingLeftOf(person: Somebody): Promise<void> {
  const names = await namesOf(person);
  const soon = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  for (const item of await everyItem()) {
    const text = JSON.stringify(item);
    expect(names.filter((name) => text.includes(name)).map((name) => `${name} in ${text}`)).toEqual([]);
    if (!text.includes(person.user.user_id)) continue;
    // An opaque ID, for a day at most.
    expect(item.pk?.S).toMatch(/^(?:session|link|code|webauthn|approval)#/);
    expect(Number(item.purge_at?.N ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(soon);
  }
}

/** Proves that the test sees: before the erasure every kind of item tells who it is. */
async function expectTraces({ user, ...person }: Somebody): Promise<void> {
  const items = (await everyItem()).map((item) => JSON.stringify(item));
  for (const kind of [
    'otp',
    'link',
    'code',
    'session',
    'webauthn',
    'approval',
    'user',
    'identifier',
    'credential',
  ])
    expect([kind, items.some((text) => text.includes(`"${kind}#`) && text.includes(user.user_id))]).toEqual([
      kind,
      true,
    ]);
  expect(items.filter((text) => text.includes(user.user_id)).length).toBeGreaterThan(25);
  expect(items.some((text) => text.includes(person.email))).toBe(true);
}

const people: Somebody[] = [];
beforeAll(async () => {
  // Side by side: the hosted pages take their time.
  people.push(...(await Promise.all([11, 22].map(liveThroughEverything))));
});

describe('erasing leaves nothing that identifies the user in any table', () => {
  test.each([
    [
      'by the HTTP API',
      async ({ user_id }: WireUser) => {
        expect((await world.delete(`/v1/users/${user_id}`, { token })).status).toBe(204);
      },
    ],
    [
      'by the command line',
      async ({ user_id }: WireUser) => {
        await promisify(execFile)(process.execPath, ['bin/otl.mjs', 'user', 'delete', user_id, '--yes'], {
          env: { PATH: process.env.PATH, HOME: process.env.HOME, OTL_ENDPOINT: world.url },
        });
      },
    ],
  ])('%s', async (_, erase) => {
    const person = people.pop() as Somebody;
    await expectTraces(person);
    await erase(person.user);
    await expectNothingLeftOf(person);
    // What was begun before ends nowhere, and brings nothing back.
    const again = { identifier_type: 'email', identifier: person.email, channel: 'direct' };
    expect((await world.post('/v1/auth/otp/send', again, { token })).status).toBe(404);
    await expectNothingLeftOf(person);
  });
});
