import { beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { dumpTable } from '../../support/server/dump.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { askFrom } from '../../support/tools/ask-from.ts';
import { storeClient } from '../../support/tools/authorized.ts';

type Body = Readonly<Record<string, unknown>>;
type Answer = TestAnswer<Body>;

const server = useTestServer();

/*
 * Each container notices an exhausted limit only when it counts a call, so each container may serve one call too many. The
 * tests therefore make one extra call before the call that must be rejected. Containers share memory only if run from source.
 */

/** Requests of several API sections, which differ in the format of their errors. */
const requests: Readonly<Record<string, (token: string) => Promise<Answer>>> = {
  A1: (token) => server.post('/v1/auth/link/email/send', {}, { token }),
  A2: (token) => server.post('/v1/auth/link/email/authenticate', {}, { token }),
  A3: (token) => server.post('/v1/auth/otp/send', {}, { token }),
  A4: (token) => server.post('/v1/auth/otp/authenticate', {}, { token }),
  users: (token) => server.get('/v1/users/unknown', { token }),
};

const expectRetryAfter = ({ headers }: Answer) => {
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(headers.get('cache-control')).toBe('no-store');
};

async function anotherClient(): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
  const { clientRecords } = await server.ports(['clientRecords']);
  const client = { clientId: 'another-client', clientSecret: 'another-secret' };
  const times = { createdAt: 0, updatedAt: 0 };
  await clientRecords.put({
    clientId: client.clientId,
    tenantId: server.environment.tenant_id,
    applicationId: server.environment.app_id,
    kind: 'application',
    name: 'Another',
    secrets: [{ secretId: 'first', hash: hashSecret(client.clientSecret), createdAt: 0 }],
    boundCodes: true,
    ...times,
  });
  return client;
}

describe('N025: rate limit per client', () => {
  test.each([
    ['A1', { error_code: '429' }],
    ['A2', { error_code: '429' }],
    ['A3', { error_code: 'rate_limited' }],
    ['A4', { error_code: 'rate_limited' }],
    ['users', { error_code: 429 }],
  ] as const)(
    "calls of the operation %s above the client's rate limit are rejected with a Retry-After header",
    async (name, body) => {
      await withApplication(server, { rateLimits: { callsPerMinute: 4 } }, async () => {
        await server.nextMinute();
        const token = await server.clientToken();
        const request = requests[name] as (typeof requests)[string];
        // The token request was the first counted call.
        for (let call = 2; call <= 4; call += 1) expect((await request(token)).status).not.toBe(429);
        const refused = await request(token);
        expect(refused).toMatchObject({ status: 429, body });
        expect(refused.body.message).toEqual(expect.stringContaining('try again'));
        expectRetryAfter(refused);
        server.resetMetrics();
        await request(token);
        // Rejected calls make no AWS calls.
        for (const { last } of Object.values(server.metrics())) expect(last.calls).toEqual([]);
        await server.nextMinute();
        expect((await request(token)).status).not.toBe(429);
      });
    },
  );

  test('calls of one client to different operations count toward the same rate limit', async () => {
    await withApplication(server, { rateLimits: { callsPerMinute: 3 } }, async () => {
      await server.nextMinute();
      const { client_id, client_secret } = server.environment;
      const fields = { grant_type: 'client_credentials', client_id, client_secret };
      const token = await server.clientToken();
      await requests.A3?.(token);
      await requests.users?.(token);
      await server.form('/oidc/token', fields);
      const refused = await server.form<Body>('/oidc/token', fields);
      expect(refused).toMatchObject({
        status: 429,
        body: { error: 'temporarily_unavailable', error_code: 429, error_description: expect.any(String) },
      });
      expectRetryAfter(refused);
      await requests.A4?.(token);
      expect((await requests.A4?.(token))?.status).toBe(429);
    });
  });

  test('each client of an application has a separate rate limit', async () => {
    const other = await anotherClient();
    await withApplication(server, { rateLimits: { callsPerMinute: 2 } }, async () => {
      await server.nextMinute();
      const [mine, theirs] = [await server.clientToken(), await server.clientToken(other)];
      await requests.A3?.(mine);
      expect((await requests.A3?.(mine))?.status).toBe(429);
      expect((await requests.A3?.(theirs))?.status).toBe(400);
    });
  });

  test('a client that has exceeded its rate limit with concurrent calls cannot make another call', async () => {
    await withApplication(server, { rateLimits: { callsPerMinute: 10 } }, async () => {
      await server.nextMinute();
      const token = await server.clientToken();
      await Promise.all(Array.from({ length: 30 }, () => requests.A3?.(token)));
      expect((await requests.A3?.(token))?.status).toBe(429);
    });
  });
});

test('calls by a management client are counted for its rate limit', async () => {
  const { user_id } = await createUser(server, { email: newEmail() });
  const path = `/v1/users/${user_id}/recovery`;
  expect((await server.put(path, {}, { token: await server.adminToken() })).status).toBe(200);
  expect(await dumpTable('flows')).toContain(server.environment.management.client_id);
});

describe('rate limit of a public client per network address', () => {
  const askAt = (address: string, path: string, fields: Readonly<Record<string, string>>) =>
    askFrom(server, address, path, new URLSearchParams(fields));

  test('the rate limit of a public client applies separately to each network address', async () => {
    const { clientId: client_id } = await storeClient(server, { authMethod: 'none', secrets: [] });
    const refreshing = { client_id, grant_type: 'refresh_token', refresh_token: 'none' };
    const [redirect_uri = ''] = server.environment.redirect_uris;
    const pushing = { client_id, redirect_uri, response_type: 'code', scope: 'openid' };
    await withApplication(server, { rateLimits: { callsPerMinute: 3 } }, async () => {
      await server.nextMinute();
      for (let call = 1; call <= 3; call += 1)
        expect(await askAt('127.0.0.2', '/oidc/token', refreshing)).toBe(400);
      // The calls of all operations are counted together, including rejected calls.
      for (const [path, fields] of [
        ['/oidc/token', refreshing],
        ['/oidc/par', pushing],
        ['/oidc/token/revocation', { client_id, token: 'none' }],
      ] as const) {
        await askAt('127.0.0.2', path, fields);
        expect(await askAt('127.0.0.2', path, fields)).toBe(429);
      }
      expect(await askAt('127.0.0.3', '/oidc/token', refreshing)).toBe(400);
      expect(await askAt('127.0.0.3', '/oidc/token/revocation', { client_id, token: 'none' })).toBe(200);
      expect(await askAt('127.0.0.3', '/oidc/par', { client_id })).toBe(400);
      expect(await askAt('127.0.0.3', '/oidc/par', { client_id })).toBe(429);
    });
    expect(await dumpTable('flows')).not.toContain('127.0.0.2');
  });
});

describe('message limit of a network address', () => {
  const PER_MINUTE = 3;
  const ipAddress = '203.0.113.7';

  async function setTrusted(trusted: boolean): Promise<void> {
    const { clientRecords } = await server.ports(['clientRecords']);
    const client = await clientRecords.find(server.environment.client_id);
    if (!client) throw new Error('the demo client is missing');
    await clientRecords.replace(client, { ...client, trusted });
  }

  async function newSend(): Promise<(ip_address?: string) => Promise<Answer>> {
    const { email } = await createUser(server, { email: newEmail() });
    const token = await server.clientToken();
    return (ip_address) =>
      server.post(
        '/v1/auth/otp/send',
        {
          channel: 'direct',
          identifier_type: 'email',
          identifier: email?.value,
          ...(ip_address === undefined ? {} : { client_attributes: { ip_address } }),
        },
        { token },
      );
  }

  test('messages to all recipients count for the network address that a trusted client reports', async () => {
    await setTrusted(true);
    await withApplication(server, { rateLimits: { anonymousPerMinute: PER_MINUTE } }, async () => {
      await server.nextMinute();
      for (let count = 0; count < PER_MINUTE; count += 1)
        expect((await (await newSend())(ipAddress)).status).toBe(200);
      const send = await newSend();
      const refused = await send(ipAddress);
      expect(refused).toMatchObject({ status: 429, body: { error_code: 'rate_limited' } });
      expectRetryAfter(refused);
      const link = {
        email: newEmail(),
        redirect_uri: server.environment.redirect_uris[0],
        client_attributes: { ip_address: ipAddress },
      };
      const token = await server.clientToken();
      for (const path of ['/v1/auth/link/email/send', '/v1/auth/links/email', '/v1/auth/otp/email'])
        expect([path, (await server.post<Body>(path, link, { token })).status]).toEqual([path, 429]);
      const { email: _, ...text } = { ...link, phone_number: newPhoneNumber() };
      expect((await server.post<Body>('/v1/auth/otp/sms', text, { token })).status).toBe(429);
      // Messages for an invalid address, another address or no address are not limited by this counter.
      expect((await send('unknown')).status).toBe(200);
      expect((await send('203.0.113.8')).status).toBe(200);
      expect((await send()).status).toBe(200);
    });
  });

  test('a network address reported by an untrusted client does not affect the message limit', async () => {
    await setTrusted(false);
    await withApplication(server, { rateLimits: { anonymousPerMinute: 1 } }, async () => {
      await server.nextMinute();
      const send = await newSend();
      for (let count = 0; count < PER_MINUTE; count += 1) expect((await send(ipAddress)).status).toBe(200);
    });
  });
});

describe('N122: protection against account enumeration by unauthenticated callers', () => {
  /** Returns a response without header fields that differ between any two responses, such as `date`. */
  function seen({ status, headers, body }: Answer) {
    const own = ['x-request-id', 'date', 'content-length', 'keep-alive', 'connection'];
    return { status, body, headers: [...headers].filter(([name]) => !own.includes(name)) };
  }

  /** Returns the AWS calls of the operation's last request, because they determine the response time. */
  const countCalls = (operation: string) => server.metrics()[operation]?.last.calls;

  let known: string;
  let userId: string;
  const unknown = newEmail('unknown');

  beforeAll(async () => {
    await server.nextMinute();
    known = newEmail('known');
    userId = (await createUser(server, { email: known, username: 'known' })).user_id;
  });

  test('a magic link with an unknown code gets the same response for any code, such as a user ID or an address', async () => {
    const open = async (code: string) => {
      const answer = await server.get<Body>(
        `${server.url}/v1/auth/link/email/open?code=${encodeURIComponent(code)}`,
      );
      return { seen: seen(answer), calls: countCalls('openMagicLink') };
    };
    const reference = await open('unknown');
    expect(reference.seen.status).toBe(404);
    for (const code of [userId, known, unknown, 'A'.repeat(43)]) expect(await open(code)).toEqual(reference);
  });

  test('a failed login returns the same error for a user without a code and for an unknown user', async () => {
    const token = await server.clientToken();
    const authenticate = async (identifier: string) => {
      const answer = await server.post<Body>(
        '/v1/auth/otp/authenticate',
        { identifier_type: 'email', identifier, passcode: '000000' },
        { token },
      );
      return { seen: seen(answer), calls: countCalls('authenticateOtp')?.toSorted() };
    };
    await authenticate(unknown);
    const [person, stranger] = [await authenticate(known), await authenticate(unknown)];
    expect(person).toEqual(stranger);
    expect(person.seen).toMatchObject({ status: 400, body: { error_code: 'auth_invalid_credentials' } });

    // A user with a code gets the same error for a wrong code.
    const { body } = await server.post<{ code: string }>(
      '/v1/auth/otp/send',
      { identifier_type: 'email', identifier: known, channel: 'direct' },
      { token },
    );
    if (body.code !== '000000') expect((await authenticate(known)).seen).toEqual(stranger.seen);
  });
});
