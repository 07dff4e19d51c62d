// List of a tenant's newest users (`GET /v1/people`), with problems such as a lock, and with filters.
import { beforeAll, expect, test } from '@jest/globals';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Person {
  readonly user_id: string;
  readonly problems: readonly string[];
  readonly found_by?: string;
}
interface Page {
  readonly result: readonly Person[];
  readonly next_cursor?: string;
}

const server = useTestServer({ rateLimits: 'off', events: true });
let [token, admin] = ['', ''];
beforeAll(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

async function listPage(query = '', headers: Readonly<Record<string, string>> = {}): Promise<Page> {
  const authorization = `Bearer ${admin}`;
  const { status, body } = await server.request<Page>(`/v1/people${query}`, {
    headers: { authorization, ...headers },
  });
  expect([query, status]).toEqual([query, 200]);
  return body;
}
const listIds = async (query = '') => (await listPage(query)).result.map(({ user_id }) => user_id);
const newUser = async (fields: object = {}) =>
  (await createUser(server, { email: newEmail(), ...fields })).user_id;

async function disabledUser(): Promise<string> {
  const userId = await newUser();
  await server.put(`/v1/users/${userId}`, { status: 'Disabled' }, { token });
  return userId;
}

test('without a search text, the pages of the user list contain each user of the tenant exactly once', async () => {
  const ids = [await newUser(), await newUser(), await newUser()];
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.result.map(({ user_id }) => user_id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(ids));
  expect(seen).toEqual(await listIds('?limit=100'));
});

test('without a search text, the user list begins with the newest user', async () => {
  const { userRecords } = await server.ports(['userRecords']);
  const userId = await newUser();
  const user = await userRecords.find(userId);
  if (!user) throw new Error('there is no user');
  await userRecords.remove(userId);
  await userRecords.put({ ...user, createdAt: user.createdAt + 3600 });
  expect((await listIds())[0]).toBe(userId);
  await userRecords.remove(userId);
});

test('the filter has_problem lists only users with a problem and names each problem', async () => {
  const healthy = await newUser();
  const disabled = await disabledUser();
  const phone_number = newPhoneNumber();
  const atRisk = await newUser({ phone_number });
  await server.put(`/v1/users/${atRisk}/phone-risk`, { signal: 'sim_swap' }, { token });
  const email = newEmail();
  const guessed = await newUser({ email });
  const about = { identifier_type: 'email', identifier: email };
  await server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token });
  await server.post('/v1/auth/otp/authenticate', { passcode: '000000', ...about }, { token });
  await server.settleEvents();
  const { result } = await listPage('?has_problem=true&limit=100');
  const problemsOf = (userId: string) => result.find(({ user_id }) => user_id === userId)?.problems;
  expect([healthy, disabled, atRisk, guessed].map(problemsOf)).toEqual([
    ...[undefined, ['user_disabled'], ['number_at_risk'], ['wrong_codes']],
  ]);
  await tokensBy(server, 'email', email);
  expect(await listIds('?has_problem=true&limit=100')).not.toContain(guessed);
});

test('the list of users can be filtered by status and by application', async () => {
  const disabled = await disabledUser();
  const email = newEmail();
  const active = await newUser({ email });
  await tokensBy(server, 'email', email);
  expect(await listIds('?status=Disabled&limit=100')).toContain(disabled);
  expect(await listIds('?status=Disabled&limit=100')).not.toContain(active);
  const ofApp = `?app_id=${server.environment.app_id}&limit=100`;
  expect(await listIds(ofApp)).toContain(active);
  expect(await listIds('?app_id=another0000000000000000000&limit=100')).toEqual([]);
  expect(await listIds(`?beginning=${encodeURIComponent(email)}&status=Disabled`)).toEqual([]);
});

test('an operator with the role viewer sees no addresses of new users and cannot search by parts of an address', async () => {
  const email = newEmail('masked');
  const userId = await newUser({ email });
  const viewer = await createOperator(server, 'viewer');
  const { result } = await listPage('?limit=100', viewer.headers());
  expect(result.map(({ user_id }) => user_id)).toContain(userId);
  expect(JSON.stringify(result)).not.toContain('@example.com');
  const begins = `?beginning=${encodeURIComponent(email.slice(0, -2))}&has_problem=true`;
  expect((await listPage(begins, viewer.headers())).result).toEqual([]);
});

test("the user list contains no users of another tenant, even with that tenant's ID or cursor", async () => {
  const own = await newUser();
  const { next_cursor: cursor } = await listPage('?limit=1');
  const other = await storeTenant(server);
  const manager = await server.clientToken(await storeManager(server, other.application.tenantId));
  const headers = { authorization: `Bearer ${manager}` };
  expect(cursor).toBeDefined();
  for (const query of ['', `?cursor=${cursor}`, `?tenant_id=${server.environment.tenant_id}`]) {
    const { result } = await listPage(query, headers);
    expect([query, result.map(({ user_id }) => user_id).includes(own)]).toEqual([query, false]);
  }
  const support = await createOperator(server, 'support');
  const foreign = { ...support.headers(), 'otl-tenant': other.application.tenantId };
  expect((await server.request('/v1/people', { headers: foreign })).status).toBe(403);
});
