// No tenant slows down another tenant: logins of two tenants write to different items and have separate rate limits.
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

/** Requests a code for a user and logs in with it. Returns the HTTP status of the login. */
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

/** Logs in. Returns the partition keys of tables and indexes to which the login and its events wrote. */
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
    // The index keys of existing items never change, so an updated item writes only to its table partition.
    names.has(toItemName(item)) ? [item.pk?.S] : [item.pk?.S, item.list_pk?.S, item.find_pk?.S],
  );
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** Logs in different users through one client of a new tenant. Returns the partitions to which each login wrote. */
async function writtenByLogins(logins: number): Promise<readonly (readonly string[])[]> {
  const token = await server.clientToken(await newTenant(100_000));
  const emails = await Promise.all(Array.from({ length: logins }, () => createUser(token)));
  await server.settleEvents();
  const all: (readonly string[])[] = [];
  for (const email of emails) all.push(await written(token, email));
  return all;
}

test('logins by users of two tenants write to different DynamoDB partitions', async () => {
  const [one = [], other = []] = [...(await writtenByLogins(1)), ...(await writtenByLogins(1))];
  expect(one.length).toBeGreaterThan(4);
  expect(other.length).toBeGreaterThan(4);
  expect(one.filter((partition) => other.includes(partition))).toEqual([]);
});

test('logins by users of one tenant do not all write to the same partition of a table or index', async () => {
  // Rate counters and statistics are spread randomly over eight items, so twelve logins do not all share one of the items.
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
