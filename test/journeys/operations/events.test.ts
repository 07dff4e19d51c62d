// Events: the functions of the deployment turn log lines of requests into timeline entries and webhook messages.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { background } from '../../../functions/background.ts';
import { forward } from '../../../functions/events/event-forwarder.ts';
import { PASSCODE_MAX_TRIES, SESSIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { createUser, newEmail, useUpTries } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { otlWith } from '../../support/server/otl.ts';
import { someSession } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

jest.setTimeout(120_000);

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, string>>;
}
type Json = Record<string, never> & { readonly [name: string]: string };

const server = useTestServer({ rateLimits: 'off', events: true });
let token: string;
let receiver: Server;
let hooks: string;
let statuses: number[] = [];
const received: Received[] = [];

beforeAll(async () => {
  token = await server.clientToken();
  receiver = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    const status = statuses.shift() ?? 204;
    response.writeHead(status, status === 302 ? { location: `${hooks}/elsewhere` } : {}).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(async () => {
  await server.settleEvents();
  received.length = 0;
  statuses = [];
});

async function otl(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, [...args, '--json']);
  if (code !== 0) throw new Error(`${code} ${stderr}`);
  return stdout === '' ? ({} as Json) : JSON.parse(stdout);
}

async function readTimeline(userId: string, limit = 100) {
  const { timeline } = await server.ports(['timeline']);
  await server.settleEvents();
  return (await timeline.list(userId, { limit })).items;
}

const payloads = () => received.map(({ body }) => JSON.parse(body) as Payload);

describe("N127: events in a user's timeline", () => {
  test('the timeline lists logins, failures, changes and ended sessions of a user, newest first', async () => {
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const { access_token } = await tokensDirect(server, user_id);
    await server.advanceClock(1);
    const who = { identifier_type: 'email', identifier: email };
    await server.post('/v1/auth/otp/send', { channel: 'direct', ...who }, { token });
    await useUpTries(async (passcode) => {
      await server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token });
      await server.advanceClock(1);
    });
    await server.post('/v1/auth/logout', {}, { token: access_token });
    await server.advanceClock(1);
    await server.put(`/v1/users/${user_id}`, { email: newEmail(), status: 'Disabled' }, { token });
    const events = await readTimeline(user_id);
    const failure = { userId: user_id, detail: { result: 'auth_invalid_credentials' } };
    expect(
      events
        .map(({ type }) => type)
        .filter((type) => type !== 'login.failed')
        .toSorted(),
    ).toEqual(
      [
        ...['login.locked', 'login.succeeded', 'session.ended', 'user.created'],
        ...['user.email_changed', 'user.suspended', 'user.updated'],
      ].toSorted(),
    );
    expect(events.filter(({ type }) => type === 'login.failed')).toMatchObject(
      Array(PASSCODE_MAX_TRIES).fill(failure),
    );
    expect(events.map(({ time }) => time)).toEqual(
      events
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    );
    expect(events.find(({ type }) => type === 'login.succeeded')?.detail).toMatchObject({
      method: 'otp',
      client_id: server.environment.client_id,
      operation: 'one-time/authenticate-otp',
    });
    expect(JSON.stringify(events)).not.toContain(email);

    const first = await otl('user', 'timeline', user_id, '--limit', '2');
    expect(first.result).toHaveLength(2);
    const next = await otl('user', 'timeline', user_id, '--cursor', String(first.next_cursor));
    // The timeline also lists messages, which are not security events.
    const shown = [...(first.result ?? []), ...(next.result ?? [])] as unknown as readonly Json[];
    const others = shown.filter(({ type }) => type !== 'message.sent');
    expect(others.map(({ type, time }) => [type, time])).toEqual(
      events.map(({ type, time }) => [type, time]),
    );
  });

  test('an event that is delivered twice appears only once in the timeline', async () => {
    const ports = await server.ports(background['event-forwarder'].uses);
    const published: unknown[] = [];
    const bus = { publish: async (events: readonly unknown[]) => void published.push(...events) };
    const { user_id } = await createUser(server, { email: newEmail() });
    await server.settleEvents();
    const event = {
      ...{ id: 'request/login.failed', type: 'login.failed', time: new Date().toISOString() },
      ...{ tenant_id: server.environment.tenant_id, user_id, request_id: 'request' },
    };
    for (const _ of [1, 2]) await forward({ ...ports, bus }, [event], 60);
    const before = await readTimeline(user_id);
    expect(before.filter(({ type }) => type === 'login.failed')).toHaveLength(1);
    expect(published).toHaveLength(2);
    await server.delete(`/v1/users/${user_id}`, { token });
    await forward({ ...ports, bus }, [event], 60);
    expect(await readTimeline(user_id)).toEqual([]);
  });

  test('if publishing the events of a login is interrupted, the next attempt publishes the missing events', async () => {
    const ports = await server.ports([...background['event-forwarder'].uses, 'sessions.start']);
    const { user_id } = await createUser(server, { email: newEmail() });
    let isDown = false;
    const published: string[] = [];
    const publish = async (events: readonly { readonly id: string }[]) => {
      if (isDown) throw new Error('the bus is down');
      published.push(...events.map(({ id }) => id));
    };
    const logIn = (device_id: string) =>
      forward(
        { ...ports, bus: { publish } },
        [
          {
            ...{ id: `${device_id}/login.succeeded`, type: 'login.succeeded' },
            ...{ time: new Date().toISOString(), tenant_id: server.environment.tenant_id, user_id },
            ...{ request_id: device_id, device_id, method: 'webauthn' },
          },
        ],
        60,
      );
    await logIn('phone');
    const user = await ports.userRecords.find(user_id);
    if (!user) throw new Error('the user is gone');
    const now = nowSeconds();
    const times = { since: now - 60, effectiveAt: now + 60, endsAt: now + 120 };
    await ports.userRecords.replace(user, {
      ...user,
      recovery: { cause: 'lost', kinds: ['passkey'], ...times },
    });
    const sessions = Array.from({ length: SESSIONS_MAX + 1 }, (_, index) =>
      someSession({
        ...{ userId: user_id, sessionId: `${user_id}.${index}`, startedAt: now - index },
        ...{ expiresAt: now + 600, endsAt: now + 600, idleSeconds: 600 },
      }),
    );
    await Promise.all(sessions.map((session) => ports.sessions.start(session)));
    isDown = true;
    await expect(logIn('tablet')).rejects.toThrow('the bus is down');
    isDown = false;
    for (const _ of [1, 2]) await logIn('tablet');
    const types = ['login.succeeded', 'login.new_device', 'user.recovery_cancelled'];
    const told = types.map((type) => `tablet/${type}`);
    const ended = `${sessions.at(-1)?.sessionId}/session.ended`;
    // The repeated attempt does not publish `user.recovery_cancelled`, because the recovery has already been cancelled.
    expect(published).toEqual(['phone/login.succeeded', ...told, ended, ...told.slice(0, 2)]);
    expect((await ports.sessions.review(user_id, now)).active).toHaveLength(SESSIONS_MAX);
    expect((await ports.userRecords.find(user_id))?.recovery).toBeUndefined();
  });

  test('an event whose log line is delivered again after its user was erased is not stored', async () => {
    const lines: unknown[] = [];
    const hear = (line: unknown) => lines.push(line);
    subscribe('otl:log', hear);
    const email = newEmail();
    const { user_id } = await createUser(server, { email });
    const who = { identifier_type: 'email', identifier: email };
    const { body } = await server.post('/v1/auth/otp/send', { channel: 'direct', ...who }, { token });
    const login = { passcode: body.code, device_id: 'phone', ...who };
    expect((await server.post('/v1/auth/otp/authenticate', login, { token })).status).toBe(200);
    unsubscribe('otl:log', hear);
    await server.settleEvents();
    await server.delete(`/v1/users/${user_id}`, { token });
    expect(await readTimeline(user_id)).toEqual([]);
    const again = lines.filter((line) => String(line).includes('"login.succeeded"'));
    expect(again).toHaveLength(1);
    for (const line of again) channel('otl:log').publish(line);
    expect(await readTimeline(user_id)).toEqual([]);
    const { seenDevices } = await server.ports(['seenDevices']);
    expect(await seenDevices.note(user_id, { device: 'another', eventId: 'event', at: 0, purgeAt: 0 })).toBe(
      'first',
    );
  });

  test("the reuse of a refresh token appears in the user's timeline", async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const { refresh_token } = await tokensDirect(server, user_id);
    const refresh = (given: string) =>
      server.post<{ refresh_token: string }>('/v1/auth/token/refresh', { refresh_token: given }, { token });
    const { body } = await refresh(refresh_token);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(400);
    expect((await readTimeline(user_id)).map(({ type }) => type)).toContain('token.reused');
  });
});

describe('delivery of events to webhooks', () => {
  test('an event for a failing webhook is retried with growing delays and then moved to the dead-letter queue', async () => {
    const failing = await otl('webhook', 'create', '--url', `${hooks}/failing`, '--event', 'user.created');
    const fine = await otl('webhook', 'create', '--url', `${hooks}/fine`, '--event', 'user.created');
    const at = (path: string) => received.filter((each) => each.path === path);
    const failWith = (status: number) => {
      statuses = new Proxy([] as number[], {
        get: (target, name) =>
          name === 'shift'
            ? () => (received.at(-1)?.path === '/failing' ? status : 204)
            : Reflect.get(target, name),
      });
    };
    failWith(302);
    await createUser(server, { email: newEmail() });
    await server.settleEvents();
    expect(at('/fine')).toHaveLength(1);
    expect(at('/failing')).toHaveLength(1);
    expect(at('/elsewhere')).toEqual([]);
    await server.advanceClock(9);
    expect(at('/failing')).toHaveLength(1);
    failWith(500);
    for (const seconds of [1, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 28_800]) {
      await server.advanceClock(seconds);
    }
    expect(at('/failing')).toHaveLength(11);
    expect(new Set(at('/failing').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(at('/failing').map(({ headers }) => headers['webhook-timestamp'])).size).toBe(11);
    await server.advanceClock(86_400);
    expect(at('/failing')).toHaveLength(11);
    expect(at('/fine')).toHaveLength(1);
    const { body } = await server.get<{ queues: { webhooks: { dead_letters: object[] } } }>(
      `${server.url}/_local/events`,
    );
    expect(body.queues.webhooks.dead_letters).toMatchObject([{ webhook_id: failing.webhook_id }]);
    for (const hook of [failing, fine]) await otl('webhook', 'delete', String(hook.webhook_id), '--yes');
  });

  test('a webhook that failed once receives the event at the second attempt', async () => {
    const hook = await otl('webhook', 'create', '--url', `${hooks}/flaky`, '--event', 'user.created');
    statuses = [503, 200];
    await createUser(server, { email: newEmail() });
    await server.settleEvents();
    await server.advanceClock(10);
    expect(received.map(({ path }) => path)).toEqual(['/flaky', '/flaky']);
    await server.advanceClock(86_400);
    expect(received).toHaveLength(2);
    statuses = [503];
    await createUser(server, { email: newEmail() });
    await server.settleEvents();
    await otl('webhook', 'update', String(hook.webhook_id), '--enabled', 'no');
    await server.advanceClock(86_400);
    expect(received).toHaveLength(3);
    await otl('webhook', 'delete', String(hook.webhook_id), '--yes');
  });

  test('an event is not sent to webhooks of other tenants or applications', async () => {
    const made = await otl('tenant', 'create', '--name', 'Other');
    const { tenant_id, management } = made as Json & {
      readonly management: { readonly client_id: string; readonly client_secret: string };
    };
    const { client_id: clientId, client_secret: clientSecret } = management;
    const token = await server.clientToken({ clientId, clientSecret });
    const url = `${hooks}/foreign`;
    const { body } = await server.post<{ result: Json }>('/v1/webhooks', { url }, { token });
    const other = body.result;
    const app = await otl('application', 'create', '--name', 'Second');
    const ofApp = await otl('webhook', 'create', '--url', `${hooks}/second`, '--app', String(app.app_id));
    await server.settleEvents();
    // The new tenant's webhook receives events about the tenant itself, here its new webhook.
    expect(payloads().map(({ data }) => data.tenant_id)).toEqual([tenant_id]);
    received.length = 0;
    await createUser(server, { email: newEmail() });
    await server.settleEvents();
    expect(received).toEqual([]);
    await expect(otl('webhook', 'show', String(other.webhook_id))).rejects.toThrow(/^1 /);
    await server.delete(`/v1/webhooks/${other.webhook_id}`, { token });
    await otl('webhook', 'delete', String(ofApp.webhook_id), '--yes');
  });
});
