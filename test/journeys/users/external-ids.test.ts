// External IDs, by which backends identify users. Each application has its own IDs, and operators can see and set all of them.
import { beforeAll, expect, test } from '@jest/globals';
import { madeApplication, madeClient } from '../../support/fixtures/managed.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { otlWith } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly message?: string;
  readonly result: Json & { readonly user_id: string };
}

const server = useTestServer({ rateLimits: 'off' });
const tokens = {} as { admin: string; main: string; side: string };
let [main, side] = ['', ''];
beforeAll(async () => {
  main = server.environment.app_id;
  side = await madeApplication(server, { name: 'Side' });
  const permissions = ['create', 'read', 'edit'].map((verb) => `users:${verb}`);
  const { client_id: clientId, client_secret: clientSecret } = await madeClient(
    server,
    { permissions },
    side,
  );
  const ofSide = server.clientToken({ clientId, clientSecret });
  Object.assign(tokens, {
    admin: await server.adminToken(),
    main: await server.clientToken(),
    side: await ofSide,
  });
});

const create = (fields: Json, token = tokens.admin) =>
  server.post<Answer>('/v1/users', { email: newEmail(), ...fields }, { token });
const change = (userId: string, fields: Json, token = tokens.admin) =>
  server.put<Answer>(`/v1/users/${userId}`, fields, { token });
const show = async (userId: string, token: string) =>
  (await server.get<Answer>(`/v1/users/${userId}`, { token })).body.result;
const found = async (id: string, token: string) => {
  const { body } = await server.get<{ result: { user_id: string }[] }>(`/v1/users?external_user_id=${id}`, {
    token,
  });
  return body.result.map(({ user_id }) => user_id);
};
const unique = () => `crm-${newEmail()}`;

test('a client can set and find external IDs only at its own application', async () => {
  const [mains, sides] = [unique(), unique()];
  const { user_id: userId } = (await create({ external_user_id: mains }, tokens.main)).body.result;
  expect((await change(userId, { external_user_id: sides }, tokens.side)).status).toBe(200);
  for (const [token, own, other] of [
    [tokens.main, mains, sides],
    [tokens.side, sides, mains],
  ] as const) {
    const record = await show(userId, token);
    expect(record).toMatchObject({ external_user_id: own });
    expect(record).not.toHaveProperty('external_ids');
    expect([await found(own, token), await found(other, token)]).toEqual([[userId], []]);
  }
  for (const id of [mains, sides]) expect(await found(id, tokens.admin)).toEqual([userId]);
  const seen = await show(userId, tokens.admin);
  expect(seen.external_ids).toEqual([
    { application: main, value: mains },
    { application: side, value: sides },
  ]);
  expect(seen).not.toHaveProperty('external_user_id');

  expect((await change(userId, { external_user_id: null }, tokens.side)).status).toBe(200);
  expect(await show(userId, tokens.admin)).toMatchObject({ external_user_id: mains });
  expect(await found(sides, tokens.admin)).toEqual([]);
  const named = await change(userId, { external_user_id: sides, external_application: main }, tokens.side);
  expect([named.status, named.body.message]).toEqual([
    400,
    'external_application: must be an application of the caller',
  ]);
});

test('a search by external ID reads one database key, regardless of the number of users', async () => {
  const id = unique();
  const { user_id: userId } = (await create({ external_user_id: id }, tokens.main)).body.result;
  for (let n = 0; n < 5; n += 1) await create({});
  for (const token of [tokens.main, tokens.admin]) {
    await found(id, token);
    server.resetMetrics();
    expect(await found(id, token)).toEqual([userId]);
    const calls = Object.values(server.metrics()).flatMap(({ last }) => last.calls);
    expect(calls).toEqual(expect.arrayContaining(['dynamodb.GetItem']));
    // Only an admin's search uses queries, to list the applications of the tenant.
    expect(calls.filter((call) => /Query|Batch/.test(call))).toHaveLength(token === tokens.admin ? 2 : 0);
  }
  await change(userId, { external_user_id: unique() }, tokens.main);
  expect(await found(id, tokens.main)).toEqual([]);
  const disabled = await server.get<{ result: unknown[] }>(
    `/v1/users?external_user_id=${id}&status=Disabled`,
    {
      token: tokens.main,
    },
  );
  expect(disabled.body.result).toEqual([]);
});

test('an operator must name the application of an external ID if the user has several applications', async () => {
  const external_user_id = unique();
  const needed =
    /^external_application: is required, because the user does not belong to exactly one application$/;
  for (const applications of [undefined, [main, side]]) {
    const answer = await create({ external_user_id, applications });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(needed)]);
    const made = await create({ external_user_id, applications, external_application: side });
    expect(made.body.result.external_ids).toEqual([{ application: side, value: external_user_id }]);
    expect(
      (await change(made.body.result.user_id, { external_user_id: null, external_application: side })).status,
    ).toBe(200);
  }
  const ofMain = (await create({ external_user_id, applications: [main] })).body.result;
  expect(ofMain).toMatchObject({ applications: [main], external_user_id });
  const { user_id: userId } = ofMain;
  expect((await change(userId, { external_user_id: unique() })).status).toBe(200);
  expect((await change(userId, { external_user_id, external_application: side })).status).toBe(200);
  expect((await change(userId, { external_user_id: unique() })).body.message).toMatch(needed);
  for (const fields of [{ applications: ['none'] }, { external_user_id, external_application: 'none' }])
    expect((await create(fields)).status).toBe(400);
});

test('an otl command that creates or imports users can name the application of the external IDs', async () => {
  const otl = async (args: readonly string[], input?: string) => {
    const { code, stdout, stderr } = await otlWith({ OTL_ENDPOINT: server.url }, [...args, '--json'], input);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Json & { readonly user_id: string };
  };
  const id = unique();
  const both = ['--application', main, '--application', side, '--external-user-id', id];
  const ofBoth = ['user', 'create', '--email', newEmail(), ...both, '--external-application', side];
  const { user_id: userId } = await otl(ofBoth);
  const seen = await otl(['user', 'show', userId]);
  expect(seen).toMatchObject({ external_ids: [{ application: side, value: id }] });
  expect(new Set(seen.applications as string[])).toEqual(new Set([main, side]));

  const [email, external_user_id] = [newEmail(), unique()];
  const rows = `${JSON.stringify({ email, external_user_id })}\n`;
  await otl(['user', 'import', '-', '--application', side], rows);
  expect(await otl(['user', 'show', '--email', email])).toMatchObject({
    applications: [side],
    external_user_id,
  });
  expect(await otl(['user', 'list', '--external-user-id', external_user_id])).toMatchObject({
    result: [{ external_ids: [{ application: side, value: external_user_id }] }],
  });
});
