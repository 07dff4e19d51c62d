import { expect, test } from '@jest/globals';
import { newEmail } from '../../support/fixtures/people.ts';
import { storeTenant } from '../../support/fixtures/tenants.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import type { ClientWithSecret } from '../../support/tools/authorized.ts';

/** No tenant slows another: they share no item that a login writes, and no limit. */

const server = useTestServer();

const newTenant = (callsPerMinute = 1000) =>
  storeTenant(server, { loginPreferences: { email: {}, direct: {} }, rateLimits: { callsPerMinute } });

/** A login by code of a new user. */
async function logIn(client: ClientWithSecret): Promise<number> {
  const token = await server.clientToken(client);
  const identifier = newEmail();
  const { status } = await server.post('/v1/users', { email: identifier }, { token });
  if (status !== 201) return status;
  const who = { identifier_type: 'email', identifier };
  const { body } = await server.post<{ code: string }>(
    '/v1/auth/otp/send',
    { channel: 'direct', ...who },
    { token },
  );
  return (await server.post('/v1/auth/otp/authenticate', { passcode: body.code, ...who }, { token })).status;
}

type Item = Readonly<Record<'pk' | 'sk' | 'list_pk', { readonly S: string } | undefined>>;

async function items(): Promise<ReadonlyMap<string, Item>> {
  const dumps = await Promise.all(
    (['directory', 'people', 'flows'] as const).map(
      async (table) => [table, JSON.parse(await dumpTable(table)) as Item[]] as const,
    ),
  );
  return new Map(
    dumps.flatMap(([table, all]) => all.map((item) => [`${table} ${JSON.stringify(item)}`, item])),
  );
}

/** The partitions of tables and indexes that a login wrote. */
async function written(client: ClientWithSecret): Promise<readonly string[]> {
  const before = await items();
  expect(await logIn(client)).toBe(200);
  const changed = [...(await items())].filter(([text]) => !before.has(text));
  return [
    ...new Set(changed.flatMap(([, { pk, list_pk }]) => [pk?.S, list_pk?.S]).filter(Boolean)),
  ] as string[];
}

test('logins of two tenants write no partition in common', async () => {
  const [one, other] = [await written(await newTenant()), await written(await newTenant())];
  expect(one.length).toBeGreaterThan(4);
  expect(other.length).toBeGreaterThan(4);
  expect(one.filter((partition) => other.includes(partition))).toEqual([]);
});

test('a tenant that has used up its calls leaves another its own', async () => {
  const [loud, quiet] = [await newTenant(10), await newTenant(10)];
  await server.nextMinute();
  const token = await server.clientToken(loud);
  const call = async () => (await server.get('/v1/users', { token })).status;
  let calls = 1;
  while ((await call()) === 200 && calls < 20) calls += 1;
  expect(calls).toBe(10);
  expect(await call()).toBe(429);
  expect(await logIn(quiet)).toBe(200);
});
