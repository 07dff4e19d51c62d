// No tenant slows another one down: they share no item that a login writes, and no limit.
import { expect, test } from '@jest/globals';
import { newEmail } from '../../support/fixtures/people.ts';
import { storeTenant } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ events: true });

const newTenant = (callsPerMinute = 1000) =>
  storeTenant(server, { loginPreferences: { email: {}, direct: {} }, rateLimits: { callsPerMinute } });

async function createUser(token: string): Promise<string> {
  const email = newEmail();
  const { status } = await server.post('/v1/users', { email }, { token });
  expect(status).toBe(201);
  return email;
}

/** Logs in a user by code. Returns the status of the last response. */
async function logIn(token: string, identifier: string): Promise<number> {
  const who = { identifier_type: 'email', identifier };
  const { body } = await server.post<{ code: string }>(
    '/v1/auth/otp/send',
    { channel: 'direct', ...who },
    { token },
  );
  return (await server.post('/v1/auth/otp/authenticate', { passcode: body.code, ...who }, { token })).status;
}

type Name = 'pk' | 'sk' | 'list_pk' | 'find_pk';
type Item = Readonly<Record<Name, { readonly S: string } | undefined>>;

async function items(): Promise<readonly Item[]> {
  const dumps = await Promise.all((['directory', 'people', 'flows'] as const).map(dumpTable));
  return dumps.flatMap((dump) => JSON.parse(dump) as Item[]);
}

const toItemName = ({ pk, sk }: Item): string => `${pk?.S} ${sk?.S}`;

/** Returns the table and index partitions that a login and its events write. */
async function written(token: string, email: string): Promise<readonly string[]> {
  const before = await items();
  expect(await logIn(token, email)).toBe(200);
  await server.settleEvents();
  const [texts, names] = [
    new Set(before.map((item) => JSON.stringify(item))),
    new Set(before.map(toItemName)),
  ];
  const changed = (await items()).filter((item) => !texts.has(JSON.stringify(item)));
  const keys = changed.flatMap((item) =>
    // No update moves an item within an index.
    names.has(toItemName(item)) ? [item.pk?.S] : [item.pk?.S, item.list_pk?.S, item.find_pk?.S],
  );
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** Logs in several times through one client of a new tenant. Returns the partitions that each login writes. */
async function writtenByLogins(logins: number): Promise<readonly (readonly string[])[]> {
  const token = await server.clientToken(await newTenant(100_000));
  const emails = await Promise.all(Array.from({ length: logins }, () => createUser(token)));
  await server.settleEvents();
  const all: (readonly string[])[] = [];
  for (const email of emails) all.push(await written(token, email));
  return all;
}

test('logins by users of two tenants write to different partitions', async () => {
  const [one = [], other = []] = [...(await writtenByLogins(1)), ...(await writtenByLogins(1))];
  expect(one.length).toBeGreaterThan(4);
  expect(other.length).toBeGreaterThan(4);
  expect(one.filter((partition) => other.includes(partition))).toEqual([]);
});

test('logins by users of one tenant do not all write to the same partition of a table or index', async () => {
  // Rate counters and statistics are spread over eight items at random.
  const [first = [], ...rest] = await writtenByLogins(12);
  expect(first.filter((partition) => rest.every((each) => each.includes(partition)))).toEqual([]);
});

test('the rate limit of one tenant does not affect another tenant', async () => {
  const [loud, quiet] = [await newTenant(10), await newTenant(10)];
  await server.nextMinute();
  const token = await server.clientToken(loud);
  const call = async () => (await server.get('/v1/users', { token })).status;
  let calls = 1;
  while ((await call()) === 200 && calls < 20) calls += 1;
  expect(calls).toBe(10);
  expect(await call()).toBe(429);
  const other = await server.clientToken(quiet);
  expect(await logIn(other, await createUser(other))).toBe(200);
});
