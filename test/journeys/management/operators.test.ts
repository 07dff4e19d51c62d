import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import { RESERVATION_FILL_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { buildGrantId, OPERATORS_TENANT_ID } from '../../../shared/domain/basis/operators.ts';
import { CONSOLE_CLIENT_ID } from '../../../shared/domain/operators/operators.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import {
  createOperator,
  enrolledOperator,
  grantTo,
  type Operator,
  someOperator,
} from '../../support/fixtures/operators.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ events: true });

type Json = Readonly<Record<string, unknown>>;
const call = (operator: Operator, method: string, path: string, body?: Json) =>
  server.request<{ readonly result?: Json; readonly message?: string }>(path, {
    method,
    headers: { ...operator.headers(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

async function findEnrolment(userId: string) {
  const { operatorEnrolments } = await server.ports(['operatorEnrolments']);
  return operatorEnrolments.find({ userId, tenantId: server.environment.tenant_id });
}
const findGrant = async (userId: string) => {
  const { operatorRecords } = await server.ports(['operatorRecords']);
  return operatorRecords.find(buildGrantId({ userId, tenantId: server.environment.tenant_id }));
};

/** Returns the path of the invitation link in the newest email to the address. */
async function linkTo(email: string): Promise<string> {
  await server.settleEvents();
  const [mail] = await server.messages({ to: email });
  const link = mail?.links.find((each) => each.includes('/operator-invitation?')) ?? '';
  return link.slice(new URL(link).origin.length);
}

async function invited(role = 'support') {
  const admin = await createOperator(server, 'admin');
  const email = newEmail();
  const answer = await call(admin, 'POST', '/v1/operators', { email, role });
  expect(answer).toMatchObject({ status: 201, body: { result: { email, role, state: 'invited' } } });
  return { admin, email, userId: String(answer.body.result?.user_id), path: await linkTo(email) };
}

const login = hostedLogin(server);
const account = createAccountActions(server, login);

/** Returns the state and the enrolment step of an operator in the list of operators. */
async function findStep(admin: Operator, userId: string) {
  const { body } = await call(admin, 'GET', '/v1/operators?limit=100');
  const all = body.result as unknown as readonly Readonly<Record<string, string>>[];
  const found = all.find(({ user_id }) => user_id === userId);
  return [found?.state, found?.enrolment_step];
}

describe('inviting an operator', () => {
  test('the role of an invited operator becomes active only after another admin has confirmed the enrolment', async () => {
    const { admin, email, userId, path } = await invited();
    const jar = login.browser();
    const page = await jar.open(path);
    expect(page.html).toContain('Accept the invitation');
    expect(await findEnrolment(userId)).toBeUndefined();

    expect(await findStep(admin, userId)).toEqual(['invited', undefined]);
    const accepted = await page.submit({});
    expect(await findStep(admin, userId)).toEqual(['invited', 'accepted']);
    const offered = await account.byCode(accepted, email, true);
    expect(await findStep(admin, userId)).toEqual(['invited', 'address_verified']);
    expect(await call(admin, 'POST', `/v1/operators/${userId}/confirmation`)).toMatchObject({ status: 409 });

    const back = await account.makePasskey(jar, offered);
    expect(back.page.html).toContain('You have enrolled');
    expect(back.page.html).toContain('wait for the confirmation');
    expect((await findGrant(userId))?.state).toBe('invited');
    expect(await findStep(admin, userId)).toEqual(['enrolled', undefined]);
    await server.settleEvents();
    const told = await server.messages({ to: admin.email });
    expect(told.map(({ subject }) => subject)).toEqual(['Demo: finish enrolment', 'Demo: invite operator']);
    expect(
      (await call(admin, 'PUT', `/v1/operators/${userId}`, { role: 'viewer' })).body.result,
    ).toMatchObject({
      state: 'enrolled',
    });
    expect(await call(admin, 'POST', `/v1/operators/${userId}/confirmation`)).toMatchObject({
      status: 201,
      body: { result: { state: 'active' } },
    });
    expect(await findEnrolment(userId)).toBeUndefined();
    expect(await jar.open(path).catch(({ status }) => status)).toMatchObject({ status: 404 });
  });

  test('an invitation becomes invalid after a day, after its revocation and after a new invitation', async () => {
    const { admin, email, userId, path } = await invited();
    expect((await call(admin, 'POST', '/v1/operators', { email, role: 'viewer' })).status).toBe(201);
    const newer = await linkTo(email);
    expect(newer).not.toBe(path);
    expect((await login.browser().request(path, { method: 'POST' })).status).toBe(404);
    expect((await call(admin, 'DELETE', `/v1/operators/${userId}`)).status).toBe(204);
    expect((await login.browser().request(newer, { method: 'POST' })).status).toBe(404);

    const other = await invited();
    await server.advanceClock(24 * 3600 + 1);
    expect((await login.browser().request(other.path, { method: 'POST' })).status).toBe(404);
  });

  test('an invited operator cannot enrol without a passkey', async () => {
    const { email, userId, path } = await invited('admin');
    const jar = login.browser();
    const offered = await account.byCode(await (await jar.open(path)).submit({}), email, true);
    expect(offered.html).toContain('data-options');
    expect((await (await jar.open(path)).submit({})).html).not.toContain('You have enrolled');
    // A login on the account page with an email code does not replace the passkey either.
    await account.open(email, jar, CONSOLE_CLIENT_ID);
    expect((await (await jar.open(path)).submit({})).html).not.toContain('You have enrolled');
    expect((await jar.open(path)).html).not.toContain('You have enrolled');
    expect((await findEnrolment(userId))?.enrolledAt).toBeUndefined();
  });
});

test('an operator invitation can be used in one browser only and requires a login', async () => {
  const { userId, path } = await invited('admin');
  const jar = login.browser();
  expect((await jar.request(path, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
  const readPolicy = async () => {
    const { status, headers } = await login.browser().request(path);
    return [status, /form-action '\w+'/.exec(headers.get('content-security-policy') ?? '')?.[0]];
  };
  expect(await readPolicy()).toEqual([200, "form-action 'self'"]);
  await (await jar.open(path)).submit({});
  expect((await jar.open(path)).html).toContain('Continue');
  expect(await readPolicy()).toEqual([400, "form-action 'none'"]);
  expect((await findEnrolment(userId))?.enrolledAt).toBeUndefined();
});

test('if storing an invitation takes too long, inviting the operator fails with 503 and can be repeated', async () => {
  const admin = await createOperator(server, 'admin');
  const invite = { email: newEmail(), role: 'support' };
  const slow = { service: 'dynamodb', action: 'PutItem', operation: 'inviteOperator' } as const;
  await server.faults.inject({ ...slow, effect: 'latency', latency_ms: 1500, times: 1 });
  const inviting = call(admin, 'POST', '/v1/operators', invite);
  await server.faults.untilMet();
  await server.advanceClock(RESERVATION_FILL_SECONDS);
  expect((await inviting).status).toBe(503);
  expect((await call(admin, 'POST', '/v1/operators', invite)).status).toBe(201);
});

describe('changing operator roles', () => {
  test('only admins can change operator roles', async () => {
    const [admin, other] = [await createOperator(server, 'admin'), await createOperator(server, 'support')];
    const path = `/v1/operators/${other.userId}`;
    expect(await call(other, 'PUT', path, { role: 'admin' })).toMatchObject({ status: 403 });
    expect(await call(admin, 'PUT', path, { role: 'viewer' })).toMatchObject({
      status: 200,
      body: { result: { role: 'viewer', email: other.email } },
    });
    const listed = await call(other, 'GET', '/v1/operators');
    expect(JSON.stringify(listed.body.result)).toContain(other.userId);
    expect((await call(other, 'DELETE', '/v1/users/none/locks')).status).toBe(403);

    const own = await server.get('/v1/operator', { token: other.token });
    expect(own.body).toMatchObject({
      result: {
        user_id: other.userId,
        grants: [{ tenant_id: server.environment.tenant_id, role: 'viewer' }],
      },
    });
    await server.settleEvents();
    const [notice] = await server.messages({ to: admin.email });
    expect(notice).toMatchObject({ subject: 'Demo: set operator role' });
    expect(notice?.text).toContain(admin.email);
  });

  test('an operator whose role was removed can no longer change anything', async () => {
    const [admin, other] = [await createOperator(server, 'admin'), await createOperator(server, 'support')];
    const unlock = () => call(other, 'DELETE', '/v1/users/none/locks');
    expect((await unlock()).status).toBe(404);
    expect((await call(admin, 'DELETE', `/v1/operators/${other.userId}`)).status).toBe(204);
    expect((await unlock()).status).toBe(401);
    const { sessions } = await server.ports(['sessions']);
    expect(await sessions.find(other.sessionId, Math.floor(Date.now() / 1000))).toBeUndefined();

    const elsewhere = await createOperator(server, 'support');
    await grantTo(server, elsewhere, { tenantId: 'another', role: 'viewer' });
    // This call caches the grant in the function. The removed grant must be rejected despite the cache.
    expect((await call(elsewhere, 'DELETE', '/v1/users/none/locks')).status).toBe(404);
    expect((await call(admin, 'DELETE', `/v1/operators/${elsewhere.userId}`)).status).toBe(204);
    expect(await call(elsewhere, 'DELETE', '/v1/users/none/locks')).toMatchObject({ status: 403 });
  });

  test('an admin can grant and revoke roles with DPoP-bound tokens of otl', async () => {
    const key = newKey();
    const cnf = { jkt: await calculateJwkThumbprint(key.jwk) };
    const admin = await createOperator(server, 'admin', { claims: { cnf } });
    const { userId } = await enrolledOperator(server);
    const bound = (method: string, path: string, body?: Json) => {
      const ath = createHash('sha256').update(admin.token).digest('base64url');
      const htu = server.environment.base_url + path;
      const dpop = dpopProof(key, { htm: method, htu, iat: Math.floor(Date.now() / 1000), ath });
      const headers = () => ({ ...admin.headers(), authorization: `DPoP ${admin.token}`, dpop });
      return call({ ...admin, headers }, method, path, body);
    };
    const path = `/v1/operators/${userId}`;
    expect((await call(admin, 'GET', '/v1/operators')).status).toBe(401);
    expect((await bound('GET', '/v1/operators')).status).toBe(200);
    expect((await bound('POST', `${path}/confirmation`)).body.result).toMatchObject({ state: 'active' });
    expect((await bound('PUT', path, { role: 'developer' })).body.result).toMatchObject({
      role: 'developer',
    });
    const { passkeys } = await server.ports(['passkeys']);
    expect(await passkeys.listOf(userId)).toHaveLength(1);
    expect((await bound('DELETE', path)).status).toBe(204);
    expect(await passkeys.listOf(userId)).toEqual([]);
  });

  test('an operator who already has a role cannot be invited again', async () => {
    const [admin, other] = [await createOperator(server, 'admin'), await createOperator(server, 'viewer')];
    const again = await call(admin, 'POST', '/v1/operators', { email: other.email, role: 'admin' });
    expect(again.status).toBe(409);
    expect((await findGrant(other.userId))?.role).toBe('viewer');
    for (const [method, path] of [
      ['PUT', `/v1/operators/${(await someOperator(server)).userId}`],
      ['POST', '/v1/operators/none/confirmation'],
      ['DELETE', '/v1/operators/none'],
    ] as const)
      expect((await call(admin, method, path, { role: 'viewer' })).status).toBe(404);
    expect(OPERATORS_TENANT_ID).toMatch(/^[0-9a-z]{25}$/);
  });
});
