// Attacks by unauthenticated callers: floods and guesses from one or more networks, and attacker's text on login pages.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import type { Application } from '../../shared/ports/directory.ts';
import { leftTo, readPageError, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { storeApplication } from '../support/fixtures/tenants.ts';
import { callFrom, spendAnonymousCalls, TWICE } from '../support/tools/anonymous-calls.ts';
import { askFrom } from '../support/tools/ask-from.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';

const { server, login } = useHostedLogin();

beforeEach(() => server.nextMinute());

const inBatches = async <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  while (all.length < count) {
    const size = Math.min(20, count - all.length);
    all.push(...(await Promise.all(Array.from({ length: size }, (_, index) => each(all.length + index)))));
  }
  return all;
};

/** Returns how many of the statuses equal the given status. */
const countEqual = (statuses: readonly unknown[], status: number) =>
  statuses.filter((each) => each === status).length;

describe('flood of calls without an access token', () => {
  test('a network cannot evade the rate limit on unauthenticated calls by changing request headers', async () => {
    const path = '/v1/auth/webauthn/authenticate/start';
    const body = { client_id: server.environment.client_id };
    const place = { entry: 'passkeys/start-login', target: path, method: 'POST' } as const;
    await spendAnonymousCalls(place, 30, ['127.0.0.2']);
    const statuses = await inBatches(60, (index) =>
      askFrom(server, '127.0.0.2', path, body, {
        authorization: `Bearer ${index}`,
        'x-forwarded-for': `203.0.113.${index}`,
        'otl-viewer-address': `203.0.113.${index}`,
        'user-agent': `${index}`,
      }),
    );
    expect([countEqual(statuses, 200), countEqual(statuses, 429)]).toEqual([30, 30]);
    expect(await askFrom(server, '127.0.0.3', path, body)).toBe(200);
    await server.nextMinute();
    expect(await askFrom(server, '127.0.0.2', path, body)).toBe(200);
  });

  test('the number of passkey registrations that a network can start without a token is limited', async () => {
    const path = '/v1/auth/webauthn/register/start';
    const { origin } = new URL(server.environment.base_url);
    const body = { client_id: server.environment.client_id, username: 'ann' };
    const place = { entry: 'passkeys/start-registration', target: path, method: 'POST', origin } as const;
    await spendAnonymousCalls(place, 10, ['127.0.0.4']);
    const start = (from: string) => askFrom(server, from, path, body, { origin });
    const statuses = await inBatches(20, () => start('127.0.0.4'));
    expect([countEqual(statuses, 200), countEqual(statuses, 429)]).toEqual([10, 10]);
    expect(await start('127.0.0.5')).toBe(200);
  });

  test('all addresses of an IPv6 /64 network share one rate limit', async () => {
    const place = { entry: 'browser/login-page', target: `/login/unknown${TWICE}` };
    const open = (sourceIp: string) => callFrom(sourceIp, place);
    const statuses = await inBatches(2100, (index) => open(`2001:db8:1:2::${index.toString(16)}`));
    expect([countEqual(statuses, 400), countEqual(statuses, 429)]).toEqual([2000, 100]);
    expect(await open('2001:db8:1:3::1')).toBe(400);
  });
});

describe('attacker who guesses a client secret', () => {
  const WAYS = ['token', 'request', 'par', 'token/introspection', 'token/revocation'] as const;

  test('across all operations, a network can try at most 60 client secrets a minute', async () => {
    const { clientId, clientSecret } = await storeApplication(server);
    const guess = (index: number, from = '127.0.0.6', client_id = clientId) => {
      const credentials = { client_id, client_secret: `guess-${index}` };
      // Each guess has another secret and a forged `X-Forwarded-For` header.
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      if (index % 6 === 5) return askFrom(server, from, '/v1/token', { ...credentials, code: 'a' }, headers);
      const form = new URLSearchParams({ ...credentials, token: 'a', grant_type: 'client_credentials' });
      return askFrom(server, from, `/oidc/${WAYS[index % WAYS.length]}`, form, headers);
    };
    const logIn = (secret = clientSecret) =>
      askFrom(
        server,
        '127.0.0.6',
        '/oidc/token',
        new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
      );
    // The correct secret is accepted even if it arrives among the guesses from the same network.
    const [right, ...statuses] = await Promise.all([
      logIn(),
      ...Array.from({ length: 90 }, (_, index) => guess(index)),
    ]);
    expect([right, countEqual(statuses, 401), countEqual(statuses, 429)]).toEqual([200, 60, 30]);

    const { clientId: another } = await storeApplication(server);
    expect([await guess(0, '127.0.0.6', another), await guess(0, '127.0.0.7')]).toEqual([429, 401]);
    const { clientRecords } = await server.ports(['clientRecords']);
    const record = await clientRecords.find(clientId);
    if (!record) throw new Error('the client is gone');
    const [{ createdAt } = { createdAt: 0 }] = record.secrets;
    const rotated = { secretId: 'rotated', hash: hashSecret('the new secret'), createdAt };
    await clientRecords.replace(record, { ...record, secrets: [...record.secrets, rotated] });
    await server.advanceClock(1);
    expect([await logIn('the new secret'), await logIn()]).toEqual([200, 200]);
    await server.nextMinute();
    expect(await guess(0)).toBe(401);
  });
});

describe('limits on messages requested from one network', () => {
  const limited = async (rateLimits: NonNullable<Application['rateLimits']>) => {
    const { clientId } = await storeApplication(server, { rateLimits, publicSignup: true });
    return { client_id: clientId, createNewUser: 'true' };
  };

  test('the number of messages that a network can request per day is limited', async () => {
    const change = await limited({ anonymousPerDay: 3 });
    const send = async () => readPageError(await login.toCode(login.browser(), newEmail(), change));
    await server.advanceClock(86_400 - (Math.floor(Date.now() / 1000) % 86_400));
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await send()).toBeUndefined();
      await server.nextMinute();
    }
    expect(await send()).toMatch(/^Too many requests/);
    await server.advanceClock(86_400);
    expect(await send()).toBeUndefined();
  });

  test('hosted pages do not reveal the per-minute limit on messages to addresses that belong to no user', async () => {
    const change = await limited({ anonymousSignUpsPerMinute: 2 });
    const user = newEmail();
    await createUser(server, { email: user });
    const strangers = [newEmail(), newEmail(), newEmail()];
    const pages = [];
    for (const email of strangers) pages.push(await login.toCode(login.browser(), email, change));
    const sent = await Promise.all(strangers.map((to) => server.messages({ to })));
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 0]);

    const page = await login.toCode(login.browser(), user, change);
    expect([readPageError(page), ...pages.map(readPageError)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    leftTo(await page.submit({ passcode: await server.codeTo(user) }));
    await server.nextMinute();
    await login.logIn(login.browser(), strangers[2] ?? '', change);
  });

  test('sign-ups from one IPv6 network share one limit if a trusted client reports the addresses', async () => {
    const change = { anonymousSignUpsPerMinute: 2 };
    const client = await storeApplication(
      server,
      { rateLimits: change, publicSignup: true },
      { trusted: true },
    );
    const token = await server.clientToken(client);
    const [redirect_uri] = server.environment.redirect_uris;
    const send = (path: string, host: number, email = newEmail()) => {
      const client_attributes = { ip_address: `2001:db8:9:9::${host}` };
      const json = { email, redirect_uri, create_new_user: true, client_attributes };
      return server.post(path, json, { token });
    };
    const statuses = [];
    for (const path of ['/v1/auth/otp/email', '/v1/auth/links/email', '/v1/auth/otp/email'])
      statuses.push((await send(path, statuses.length)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await send('/v1/auth/links/email', 4)).status).toBe(429);
    const { email } = await createUser(server, { email: newEmail() });
    expect((await send('/v1/auth/otp/email', 5, email?.value)).status).toBe(200);
  });
});

/** Returns the HTML of the page without the quoted `custom_message`. */
const withoutQuotation = ({ html }: BrowserPage) =>
  html.replace(/<figure class="notice">[\s\S]*?<\/figure>/g, '');

describe('custom_message written by an attacker', () => {
  const text = 'Your account is locked.\u202e Call +1 900 555 0199 or see https://evil.example/unlock';
  const address = (path: 'auth' | 'webauthn') =>
    path === 'auth'
      ? login.address({ custom_message: text })
      : `${server.environment.base_url}/v1/auth/webauthn?${new URLSearchParams({
          client_id: server.environment.client_id,
          redirect_uri: login.redirectUri,
          custom_message: text,
        })}`;

  test.each(['auth', 'webauthn'] as const)(
    "login pages of the endpoint /%s show custom_message only as a quotation below the application's name",
    async (path) => {
      const email = newEmail();
      await createUser(server, { email });
      const first = await login.browser().open(address(path));
      const second = await first.submit({ identifier: email, method: 'email' });
      for (const page of [first, second]) {
        const [, by, said] =
          /<figure class="notice"><figcaption[^>]*>([^<]*)<\/figcaption>\s*<blockquote[^>]*>([^<]*)<\/blockquote><\/figure>/.exec(
            page.html,
          ) ?? [];
        expect(by).toContain('Demo');
        expect(said).toContain('Your account is locked.');
        // The quotation contains no links, no clickable phone number and no character that reverses the text direction.
        expect(page.html).not.toMatch(/<a (?!class="plain" href="[^"]*\?language=)|href="https?:|\u202e/);
        expect(said).not.toMatch(/https?:|evil\.example/);
        expect(page.html).toContain('<meta name="format-detection" content="telephone=no,');
        expect(withoutQuotation(page)).not.toContain('locked');
      }
      const third = await second.submit({ passcode: await server.codeTo(email) });
      // A direct passkey login (`/webauthn`) ends with a passkey offer, which is declined here.
      leftTo(path === 'auth' ? third : await third.submit({}, '/later'));
    },
  );
});
