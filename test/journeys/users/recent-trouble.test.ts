// People whose codes are locked now, and people whose login failed in the last 24 hours.
import { beforeEach, expect, test } from '@jest/globals';
import { madeClient } from '../../support/fixtures/managed.ts';
import { createOperator } from '../../support/fixtures/operators.ts';
import { createUser, newEmail, useUpTries } from '../../support/fixtures/people.ts';
import { storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

interface Person {
  readonly user_id: string;
  readonly locked_until?: string;
}
interface Page {
  readonly result: readonly Person[];
  readonly next_cursor?: string;
}

const server = useTestServer({ rateLimits: 'off', events: true });
let [token, admin] = ['', ''];
beforeEach(async () => {
  [token, admin] = [await server.clientToken(), await server.adminToken()];
});

/** Sends a code to a new user and submits wrong ones: one, or as many as lock the code. */
async function guessedUser(how: 'once' | 'locked', as = token): Promise<string> {
  const email = newEmail();
  const { body } = await server.post<{ result: Person }>('/v1/users', { email }, { token: as });
  const about = { identifier_type: 'email', identifier: email };
  await server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token: as });
  const guess = (passcode: string) =>
    server.post('/v1/auth/otp/authenticate', { passcode, ...about }, { token: as });
  await (how === 'once' ? guess('0000000') : useUpTries(guess));
  return body.result.user_id;
}

async function listPage(given: string, headers = { authorization: `Bearer ${admin}` }): Promise<Page> {
  await server.settleEvents();
  const query = given.startsWith('limit=') ? given : `limit=100&${given}`;
  const { status, body } = await server.request<Page>(`/v1/people?${query}`, { headers });
  expect([query, status]).toEqual([query, 200]);
  return body;
}
const listIds = async (query: string, headers?: { authorization: string }) =>
  (await listPage(query, headers)).result.map(({ user_id }) => user_id);

test('the filter has_problem=locked lists users whose codes are locked, and the end of each lock', async () => {
  const [locked, other] = [await guessedUser('locked'), await guessedUser('once')];
  const { result } = await listPage('has_problem=locked');
  expect(result.find(({ user_id }) => user_id === locked)?.locked_until).toMatch(/^20\d\d-.*Z$/);
  expect(result.map(({ user_id }) => user_id)).not.toContain(other);
  expect((await server.delete(`/v1/users/${locked}/locks`, { token })).status).toBe(204);
  expect(await listIds('has_problem=locked')).not.toContain(locked);
});

test('the filter has_problem=locked does not list a user whose lock has ended', async () => {
  const locked = await guessedUser('locked');
  expect(await listIds('has_problem=locked')).toContain(locked);
  await server.advanceClock(16 * 60);
  expect(await listIds('has_problem=locked')).not.toContain(locked);
});

test('users with a failed login in the last 24 hours are listed once each, the latest failure first', async () => {
  const [first, second] = [await guessedUser('locked'), await guessedUser('once')];
  const { user_id: healthy } = await createUser(server, { email: newEmail() });
  const ids = await listIds('has_problem=failed_login');
  expect(ids.filter((id) => id === first || id === second)).toEqual([second, first]);
  expect(ids).not.toContain(healthy);
  const paged = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await listPage(
      `limit=2&has_problem=failed_login${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    for (const { user_id } of page.result) paged.add(user_id);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect([...paged]).toEqual(ids);
  await server.advanceClock(24 * 3600 + 60);
  // The earlier token has expired.
  admin = await server.adminToken();
  expect(await listIds('has_problem=failed_login')).not.toContain(second);
});

test('the list of users with a recent problem can be filtered by status and application but not by a search text', async () => {
  const failed = await guessedUser('once');
  const disabled = await guessedUser('once');
  await server.put(`/v1/users/${disabled}`, { status: 'Disabled' }, { token });
  const ids = await listIds('has_problem=failed_login&status=Disabled');
  expect([ids.includes(failed), ids.includes(disabled)]).toEqual([false, true]);
  expect(await listIds('has_problem=failed_login&app_id=another0000000000000000000')).toEqual([]);
  const both = await server.get('/v1/people?has_problem=locked&beginning=ann', { token: admin });
  expect([both.status, both.body.message]).toEqual([400, expect.stringContaining('beginning: ')]);
});

test('the list of users with any problem shows lasting problems first and then wrong codes of the last 24 hours', async () => {
  const [guessed, healthy] = [await guessedUser('once'), await createUser(server, { email: newEmail() })];
  const [disabled, both] = [await guessedUser('once'), await guessedUser('locked')];
  for (const userId of [disabled, both])
    await server.put(`/v1/users/${userId}`, { status: 'Disabled' }, { token });
  const ids = await listIds('has_problem=true');
  expect(ids.filter((id) => [guessed, disabled, both].includes(id)).at(-1)).toBe(guessed);
  expect(ids).toEqual(expect.arrayContaining([disabled, both]));
  expect(ids).not.toContain(healthy.user_id);
  expect(new Set(ids).size).toBe(ids.length);
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(`limit=4&has_problem=true${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    paged.push(...page.result.map(({ user_id }) => user_id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect([...new Set(paged)]).toEqual(ids);
  await server.advanceClock(24 * 3600 + 60);
  admin = await server.adminToken();
  const later = await listIds('has_problem=true');
  expect([later.includes(disabled), later.includes(guessed)]).toEqual([true, false]);
  await server.put(`/v1/users/${disabled}`, { status: 'Active' }, { token: await server.clientToken() });
  expect(await listIds('has_problem=true')).not.toContain(disabled);
});

test('the list of users with a recent problem contains no users of another tenant', async () => {
  const own = [await guessedUser('locked'), await guessedUser('locked')];
  const { next_cursor: cursor } = await listPage('limit=1&has_problem=locked');
  expect(cursor).toBeDefined();
  const other = await storeTenant(server);
  const manager = await server.clientToken(await storeManager(server, other.application.tenantId));
  const theirs = await guessedUser('locked', await server.clientToken(other));
  const headers = { authorization: `Bearer ${manager}` };
  for (const problem of ['locked', 'failed_login', 'true']) {
    expect(await listIds(`has_problem=${problem}`, headers)).toEqual([theirs]);
    const seen = await listIds(`has_problem=${problem}&cursor=${cursor}`, headers);
    expect(seen.filter((id) => own.includes(id))).toEqual([]);
    expect(await listIds(`has_problem=${problem}`)).not.toContain(theirs);
  }
});

test('listing users with a recent problem requires users:read, and the role viewer sees no addresses', async () => {
  const failed = await guessedUser('once');
  await server.settleEvents();
  const path = '/v1/people?has_problem=failed_login';
  const role = { permissions: ['auth:execute'] };
  const weak = await madeClient(server, role, undefined, admin);
  const weakToken = await server.clientToken({ clientId: weak.client_id, clientSecret: weak.client_secret });
  expect((await server.get(path, { token: weakToken })).status).toBe(403);
  const viewer = await createOperator(server, 'viewer');
  const { body } = await server.request<Page>(path, { headers: viewer.headers() });
  expect(body.result.map(({ user_id }) => user_id)).toContain(failed);
  expect(JSON.stringify(body)).not.toContain('@example.com');
});

test('the list of users with a recent problem does not contain an erased user', async () => {
  const failed = await guessedUser('locked');
  expect(await listIds('has_problem=failed_login')).toContain(failed);
  expect((await server.delete(`/v1/users/${failed}`, { token })).status).toBe(204);
  expect(await listIds('has_problem=failed_login')).not.toContain(failed);
});
