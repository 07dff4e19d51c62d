// Isolation of tenants. The tests call every operation that names a record with tokens of the second tenant and a record of
// the first tenant. The response must be the same as for an unknown record, and the first tenant's data must not change.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../../functions/operations.ts';
import { demo } from '../../../lib/local/demo.ts';
import { acceptsToken, listAuth } from '../../../shared/http/effective-ports.ts';
import type { Operation } from '../../../shared/operation.ts';
import { type DeviceApproval, signByDeviceKey } from '../../support/fixtures/device-keys.ts';
import {
  made,
  madeClient,
  madeManager,
  madeMember,
  madeWebhook,
  resourceFields,
} from '../../support/fixtures/managed.ts';
import { grantTo, someOperator } from '../../support/fixtures/operators.ts';
import {
  newPerson,
  type RequestAnswer,
  registerPasskey,
  startLogin,
  toOrigin,
  withBothFactors,
} from '../../support/fixtures/passkeys.ts';
import { newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { newKey } from '../../support/fixtures/proofs.ts';
import { storeManager, storeMember, storeTenant } from '../../support/fixtures/tenants.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import {
  NAMELESS,
  type Names,
  namingBy,
  unknownNames,
  WITHOUT_CALLER,
} from '../../support/fuzz/record-names.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { storeCode } from '../../support/tools/authorized.ts';
import { type AnyAnswer, createCall, isGivenApart, send, withHeaders } from '../../support/tools/calls.ts';
import { type SoftwarePasskey, usePasskey } from '../../support/tools/software-authenticator.ts';

type Json = Readonly<Record<string, unknown>>;

const server = useTestServer({ rateLimits: 'off' });
let theirs: Names;
let second: Readonly<Record<'client' | 'admin' | 'operator' | 'user' | 'org-admin', string>>;
/** Headers with which an operator selects the second tenant in a call. */
let inSecond: Readonly<Record<string, string>>;
let credentials: Json;
let passkeyOfFirst: SoftwarePasskey;
let approvalOfFirst: DeviceApproval;
let challengeOfFirst: RequestAnswer;
const redirectUri = () => server.environment.redirect_uris[0];

const naming = namingBy(() => credentials, redirectUri);

async function firstTenant(): Promise<Names> {
  const token = await server.clientToken();
  const person = await newPerson(server);
  const { user_id: userId } = person.user;
  const [phone, username] = [newPhoneNumber(), `name-${userId}`];
  await server.put(`/v1/users/${userId}`, { phone_number: phone, username }, { token });
  passkeyOfFirst = await registerPasskey(server, person);
  const { id } = passkeyOfFirst;
  challengeOfFirst = (await startLogin(server)).body;
  const { tokens } = await withBothFactors(server, person, passkeyOfFirst);
  approvalOfFirst = await signByDeviceKey(server, { ...person, tokens }, 'EC', { amount: '5' });
  const keys = { token: tokens.access_token };
  const key = await server.post<{ result: { key_id: string } }>(
    '/v1/auth/device-keys',
    { public_key: newKey().jwk, name: 'Phone' },
    keys,
  );
  const of = { identifier_type: 'email', identifier: person.email };
  const link = await server.post<{ code: string }>(
    '/v1/auth/link/email/send',
    { channel: 'direct', redirect_uri: redirectUri(), ...of },
    { token },
  );
  const { resource_id: resourceId, uri } = await made<{ resource_id: string; uri: string }>(
    server,
    '/v1/resources',
    resourceFields(),
    token,
  );
  const { app_id: appId, client_id: clientId, secrets } = await madeClient(server);
  const { client_id: managerId, secrets: managerSecrets } = await madeManager(server);
  const { organizationId } = await madeMember(server);
  const { webhook_id: webhookId } = await madeWebhook(server);
  await made(server, `/v1/organizations/${organizationId}/members`, { user_id: userId });
  const { code } = await storeCode(server, userId);
  const sent = await server.post<{ code: string }>(
    '/v1/auth/otp/send',
    { channel: 'direct', ...of },
    { token },
  );
  return {
    ...{ userId, email: person.email, phone, username, passcode: sent.body.code },
    ...{ linkCode: link.body.code, code, resourceId, uri, appId, clientId, organizationId },
    operatorId: demo.operator.userId,
    secretId: String(secrets[0]?.secret_id),
    ...{ managerId, webhookId },
    managerSecretId: String(managerSecrets[0]?.secret_id),
    refreshToken: person.tokens.refresh_token,
    accessToken: person.tokens.access_token,
    sessionId: person.tokens.session_id,
    credentialId: id.toString('base64url'),
    keyId: key.body.result.key_id,
  };
}

/** Creates a tenant. Returns one token of each type for it. */
async function secondTenant() {
  const own = await storeTenant(server, {
    loginPreferences: { link: {}, email: {}, sms: {}, direct: {}, passkey: {} },
    publicSignup: true,
  });
  const { tenantId } = own.application;
  const manager = await storeManager(server, tenantId);
  const token = await server.clientToken(own);
  const email = newEmail();
  const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', { email }, token);
  const { organizationId } = await storeMember(server, { tenantId, userId, roles: ['organizationAdmin'] });
  const logIn = async (org_id?: string) =>
    (await tokensDirect(server, email, { org_id }, token)).access_token;
  const operator = await someOperator(server);
  await grantTo(server, operator, { tenantId, role: 'admin' });
  inSecond = operator.headers(tenantId);
  credentials = { client_id: own.clientId, client_secret: own.clientSecret };
  return {
    client: token,
    admin: await server.clientToken(manager),
    operator: operator.token,
    user: await logIn(),
    'org-admin': await logIn(organizationId),
  };
}

/** Returns all database items of the first tenant, except rate-limit counters. */
async function firstTenantsData(): Promise<readonly string[]> {
  const dumps = await Promise.all((['directory', 'people', 'flows'] as const).map(dumpTable));
  const ids = [server.environment.tenant_id, server.environment.app_id, theirs.userId];
  return dumps
    .flatMap((dump) => (JSON.parse(dump) as object[]).map((item) => JSON.stringify(item)))
    .filter((item) => ids.some((id) => item.includes(id)) && !item.includes('"window#'))
    .sort();
}

beforeAll(async () => {
  theirs = await firstTenant();
  second = await secondTenant();
});

const takesNames = Object.entries(operations).filter(
  ([, row]) => acceptsToken(row) || listAuth(row).includes('client-secret'),
);

test('the tests of tenant isolation have data for every operation that authenticates its caller', () => {
  const missing = takesNames.filter(([name]) => !(name in naming) && !NAMELESS.has(name));
  expect(missing.map(([name]) => name)).toEqual([]);
  const others = Object.keys(operations).filter((name) => !takesNames.some(([each]) => each === name));
  expect(others.toSorted()).toEqual([...WITHOUT_CALLER].toSorted());
});

const tellable = ({ status, body }: AnyAnswer) => ({ status, body });

function tokensFor(row: Operation): readonly (string | undefined)[] {
  if (!acceptsToken(row)) return [undefined];
  // Calls by web pages of an application have no token. Their client ID and origin identify the tenant.
  const kinds = listAuth(row).filter(
    (kind) => kind !== 'origin' && (kind !== 'client' || !isGivenApart(row)),
  );
  return kinds.map((kind) => second[kind as keyof typeof second]);
}

describe('isolation between two tenants', () => {
  let before: readonly string[];
  beforeAll(async () => {
    before = await firstTenantsData();
    expect(before.length).toBeGreaterThan(10);
  });

  test.each(takesNames.filter(([name]) => name in naming))(
    "the operation %s returns the same response for another tenant's record and for an unknown record",
    async (name, row) => {
      const named = naming[name];
      if (!named) throw new Error('says not how');
      for (const token of tokensFor(row)) {
        const ask = (of: Names) => {
          const call = createCall(row, named(of));
          return send(
            server,
            token === undefined ? call : withHeaders(call, { ...inSecond, authorization: `Bearer ${token}` }),
          );
        };
        const [asked, unknown] = [await ask(theirs), await ask(unknownNames)];
        expect(tellable(asked)).toEqual(tellable(unknown));
        // The call must fail because of the record, and not because the caller lacks a permission.
        expect([401, 403]).not.toContain(asked.status);
      }
    },
  );

  test('lists of one tenant contain no records of another tenant', async () => {
    for (const [name, row] of takesNames.filter(([each]) => each.startsWith('list') && NAMELESS.has(each)))
      for (const token of tokensFor(row)) {
        const { status, body } = await send(
          server,
          withHeaders(createCall(row, {}), { ...inSecond, authorization: `Bearer ${token}` }),
        );
        expect([name, status]).toEqual([name, 200]);
        expect(JSON.stringify(body)).not.toContain(server.environment.tenant_id);
        for (const known of Object.values(theirs)) expect(JSON.stringify(body)).not.toContain(known);
      }
  });

  test('records of one tenant cannot be attached to records of another tenant', async () => {
    const as = { token: second.admin };
    const { app_id } = await made<{ app_id: string }>(
      server,
      '/v1/applications',
      { name: 'Shop' },
      second.admin,
    );
    const attach = (id: string) => server.put(`/v1/applications/${app_id}`, { resources: [id] }, as);
    const attached = [await attach(theirs.resourceId), await attach(unknownNames.resourceId)];
    expect(attached[0]?.status).toBe(400);
    expect(attached[0]?.body).toEqual(attached[1]?.body);

    const { organizationId, userId } = await madeMember(server, {}, second.admin);
    const join = (user_id: string) =>
      server.post(`/v1/organizations/${organizationId}/members`, { user_id }, as);
    const joined = [await join(theirs.userId), await join(unknownNames.userId)];
    expect(joined[0]?.status).toBe(404);
    expect(joined[0]?.body).toEqual(joined[1]?.body);

    const { access_token } = await own(userId);
    const enter = async (fields: Json) => {
      const { session_id } = await own(userId);
      return server.post(
        '/v1/auth/session/authenticate',
        { session_id, ...fields },
        { token: second.client },
      );
    };
    expect(access_token).toBeDefined();
    for (const [one, other] of [
      [{ org_id: theirs.organizationId }, { org_id: unknownNames.organizationId }],
      [{ resource: theirs.uri }, { resource: unknownNames.uri }],
      [{ session_id: theirs.sessionId }, { session_id: unknownNames.sessionId }],
    ] as const) {
      const [asked, unknown] = [await enter(one), await enter(other)];
      expect(asked.status).toBe(400);
      expect(asked.body).toEqual(unknown.body);
    }
  });

  test('a passkey of one tenant is rejected by another tenant', async () => {
    const { client_id } = credentials as { readonly client_id: string };
    const as = { token: second.client };
    const stranger = { ...passkeyOfFirst, id: Buffer.from('an-unknown-credential') };
    const enter = async (passkey: SoftwarePasskey, given?: RequestAnswer) => {
      const asked = given ?? (await startLogin(server, { client_id })).body;
      const webauthn_encoded_result = usePasskey(passkey, asked, toOrigin(server));
      return server.post('/v1/auth/webauthn/authenticate', { webauthn_encoded_result }, as);
    };
    const refused = { status: 400, body: { error_code: 400, message: 'Invalid passkey' } };
    expect(await enter(stranger)).toMatchObject(refused);
    expect(await enter(passkeyOfFirst)).toMatchObject(refused);
    // A passkey response to a challenge of the first tenant is rejected, too.
    expect(await enter(passkeyOfFirst, challengeOfFirst)).toMatchObject(refused);
    const approve = (fields: Json) => server.post('/v1/auth/approvals/authenticate', fields, as);
    const unknown = await approve({ ...approvalOfFirst, approval_id: 'x'.repeat(43) });
    expect(unknown.status).toBe(400);
    const { status, body } = await approve({ ...approvalOfFirst });
    expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body });
  });

  test('calls of one tenant change no data of another tenant', async () => {
    expect(await firstTenantsData()).toEqual(before);
  });
});

/** Logs in a user at a client of the second tenant. */
const own = (userId: string) => tokensDirect(server, userId, {}, second.client);
