// The attacker has a copy of all tables, made while logins of every type were in progress, and can send any request. Or the
// attacker controls a function that begins logins, and writes what its IAM policy allows (`test/stacks/strangers.test.ts`).
import { createHash, createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER_COOKIE, readBrowser } from '../../shared/domain/basis/browser.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import { requestWithoutCode } from '../../shared/domain/hosted-login/request-without-code.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { asksWho, readCode, useAuthorization } from '../support/fixtures/authorization.ts';
import { answerIn, leftTo } from '../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import type { TokenResponse } from '../support/fixtures/tokens.ts';
import { dumpTable } from '../support/server/dump.ts';
import { refresh } from '../support/tools/authorized.ts';
import type { BrowserJar } from '../support/tools/browser-jar.ts';

const { server, login, loggedIn, pushed, ask, exchangeTokens } = useAuthorization();

interface Living {
  readonly token: string;
  readonly email: string;
  readonly link: string;
  readonly digits: string;
  readonly requestId: string;
  readonly tokens: TokenResponse;
  readonly jar: BrowserJar;
  readonly requestUri: string;
}

const SECRETS = /^[A-Za-z0-9_-]{20,100}$/;
let living: Living;
/** Strings from the copied tables that have the format of a secret. */
let copied: readonly string[];

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...value.split(/[#.:]/)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

beforeAll(async () => {
  const token = await server.clientToken();
  const email = newEmail();
  await createUser(server, { email });
  const person = { identifier_type: 'email', identifier: email };
  const send = async (path: string, fields: object) =>
    (await server.post<{ code: string; request_id: string }>(path, { ...person, ...fields }, { token })).body;
  const first = await send('/v1/auth/otp/send', { channel: 'direct' });
  const guess = { ...person, passcode: first.code };
  const { body: tokens } = await server.post<TokenResponse>('/v1/auth/otp/authenticate', guess, { token });
  const digits = await send('/v1/auth/otp/send', { channel: 'direct', generate_request_id: true });
  const { code: link } = await send('/v1/auth/link/email/send', {
    channel: 'direct',
    redirect_uri: login.redirectUri,
  });
  const { jar } = await loggedIn();
  const { request_uri: requestUri = '' } = await pushed({ prompt: 'login' });
  living = { token, email, link, digits: digits.code, requestId: digits.request_id, tokens, jar, requestUri };
  const dumps = await Promise.all((['directory', 'people', 'flows'] as const).map(dumpTable));
  const texts = dumps.flatMap((dump) => textsIn(JSON.parse(dump)));
  copied = [...new Set(texts.filter((text) => SECRETS.test(text)))];
});

/** Makes the attempt with each string from the copied tables. Returns the strings that were accepted. */
async function taken(attempt: (text: string) => Promise<boolean>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of copied) if (await attempt(text)) found.push(text);
  return found;
}

describe('attacker with a copy of all database tables', () => {
  test('the database tables contain secrets only as hashes', () => {
    expect(copied).toContain(createHash('sha256').update(living.link).digest('base64url'));
    expect(copied.length).toBeGreaterThan(20);
  });

  test('no string in the database tables is accepted as the code of a magic link', async () => {
    const { token, link } = living;
    const path = '/v1/auth/link/email/authenticate';
    const attempt = async (code: string) => (await server.post(path, { code }, { token })).status === 200;
    expect(await taken(attempt)).toEqual([]);
    expect(await attempt(link)).toBe(true);
  });

  test('no string in the database tables is accepted as an authorization code', async () => {
    const { client_id, client_secret } = server.environment;
    const attempt = async (code: string) => {
      const target = new URL(`${login.redirectUri}?${new URLSearchParams({ code })}`);
      const retrieved = await server.post('/v1/token', { code, client_id, client_secret });
      return (await login.exchange(target)).status === 200 || retrieved.status === 200;
    };
    expect(await taken(attempt)).toEqual([]);
  });

  test('no string in the database tables is accepted as the secret of a refresh token', async () => {
    const { refresh_token } = living.tokens;
    const place = refresh_token.slice(0, refresh_token.lastIndexOf('.'));
    const attempt = async (text: string) => (await refresh(server, `${place}.${text}`)).status === 200;
    expect(await taken(attempt)).toEqual([]);
    expect((await refresh(server, refresh_token)).status).toBe(400);
    const { target } = await loggedIn({ scope: 'openid offline_access', prompt: 'consent' });
    const again = await exchangeTokens(target);
    expect((await refresh(server, again.refresh_token)).status).toBe(200);
  });

  test('no string in the database tables is accepted as a client secret', async () => {
    const { client_id } = server.environment;
    const fields = { grant_type: 'client_credentials', client_id };
    const attempt = async (client_secret: string) =>
      (await server.form('/oidc/token', { ...fields, client_secret })).status === 200;
    expect(await taken(attempt)).toEqual([]);
    expect(await attempt(server.environment.client_secret)).toBe(true);
  });

  test('no string in the database tables is accepted as the secret of a login cookie', async () => {
    const name = `__Host-login-${server.environment.tenant_id}`;
    const own = living.jar.cookies.get(name) ?? '';
    const place = own.slice(0, own.lastIndexOf('.'));
    const attempt = async (text: string) => {
      const thief = login.browser();
      thief.put(name, `${place}.${text}`);
      return readCode(leftTo(await ask(thief, { prompt: 'none' }))) !== null;
    };
    expect(await taken(attempt)).toEqual([]);
    expect(readCode(leftTo(await ask(living.jar, { prompt: 'none' })))).not.toBeNull();
  });

  test('no string in the database tables is accepted as a request_uri', async () => {
    const prefix = living.requestUri.slice(0, living.requestUri.lastIndexOf(':') + 1);
    const attempt = async (request_uri: string) =>
      (await login.browser().open(login.address({ request_uri }))).status === 200;
    expect(await taken((text) => attempt(prefix + text))).toEqual([]);
    expect(await attempt(living.requestUri)).toBe(true);
  });

  test('a copy of the database tables does not help an attacker to guess the digits of a code offline', async () => {
    const { token, email, digits, requestId } = living;
    const salts = copied.flatMap((salt) => [`${salt}${digits}`, `${digits}${salt}`, `${salt}.${digits}`]);
    const hashes = [digits, ...salts].flatMap((text) =>
      (['base64url', 'hex'] as const).map((encoding) => createHash('sha256').update(text).digest(encoding)),
    );
    // No string in the tables is the key of the passcode MACs, neither as text nor decoded from base64url.
    const application = server.environment.app_id;
    const keys = copied.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'base64url')]);
    const macs = keys.flatMap((key) =>
      copied.map((hash) =>
        createHmac('sha256', key).update(`passcode\n${application}#${hash}\n${digits}`).digest('base64url'),
      ),
    );
    expect(copied.filter((text) => [...hashes, ...macs].includes(text))).toEqual([]);
    const person = { identifier_type: 'email', identifier: email, passcode: digits };
    const ask = async (request_id: string) =>
      (await server.post('/v1/auth/otp/authenticate', { ...person, request_id }, { token })).status;
    const wrong = copied.find((text) => text !== requestId) ?? '';
    expect(await ask(wrong)).toBe(400);
    expect(await ask(requestId)).toBe(200);
  });
});

describe('login transaction that an attacker writes into the database for a victim', () => {
  /** Stores a login transaction for this browser and opens its page. If `names` is true, it names the victim's session. */
  async function begun(
    jar: BrowserJar,
    userId: string,
    names: boolean,
    change: Partial<AuthorizationRequest>,
  ) {
    const found = await server.ports(['applications', 'clients', 'tenants', 'sessions', 'loginTransactions']);
    const { app_id, client_id, tenant_id } = server.environment;
    const now = Math.floor(Date.now() / 1000);
    const [application, client, tenant] = await Promise.all([
      found.applications.find(app_id),
      found.clients.find(client_id),
      found.tenants.find(tenant_id),
    ]);
    const [session] = await found.sessions.listOf(userId, now);
    if (!application || !client || !tenant || !session) throw new Error('the demo is missing');
    const browser = readBrowser({ [BROWSER_COOKIE]: jar.cookies.get(BROWSER_COOKIE) ?? '' });
    const place = { application, client, tenant, browser, now };
    const asked = { ...requestWithoutCode(client_id, login.redirectUri), scope: 'openid', ...change };
    const { loginId, transaction } = newLogin(place, asked, names ? session : undefined);
    expect(await found.loginTransactions.put(transaction)).toBe(true);
    return jar.open(`/login/${loginId}`);
  }
  const newJar = async () => {
    const jar = login.browser();
    await ask(jar);
    return jar;
  };
  const enrolment = { userName: 'victim' };

  test.each([
    ['for a code', {}],
    ['for a second factor', { requireMfa: true }],
    ['for a new passkey', { enrolment }],
    ['for the account page', { account: { login: 'session' } }],
  ] as const)(
    "a forged login transaction %s is rejected in a browser without the victim's login cookie",
    async (_, change) => {
      const { jar, userId } = await loggedIn();
      for (const thief of [await newJar(), (await loggedIn()).jar]) {
        const before = new Map(thief.cookies);
        const page = await begun(thief, userId, true, change);
        expect(page.html).not.toContain('name="credential"');
        expect(answerIn(leftTo(await page.submit({})))).toMatchObject({ error: 'access_denied' });
        expect([...thief.cookies]).toEqual([...before]);
      }
      if (!('requireMfa' in change)) {
        const page = await begun(jar, userId, true, change);
        expect(page.html).not.toContain('name="credential"');
      }
      expect(readCode(leftTo(await ask(jar, { prompt: 'none' })))).not.toBeNull();
    },
  );

  test('a forged passkey registration in the database that names no session requires the user to log in', async () => {
    const { userId } = await loggedIn();
    expect(asksWho((await begun(await newJar(), userId, false, { enrolment })).html)).toBe(true);
  });
});
