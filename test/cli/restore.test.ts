import { describe, expect, test } from '@jest/globals';
import { callJson } from '../../lib/local/emulators/basis/call-json.ts';
import { createTables } from '../../lib/local/emulators/dynamodb/tables.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { createUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
}
type Item = Record<string, { S?: string }>;

const server = useTestServer({ rateLimits: 'off' });

const database = () => `${server.url}/_local/aws/dynamodb`;
const dynamo = <Result>(action: string, input: object) =>
  callJson<Result>(database(), `DynamoDB_20120810.${action}`, input);

/** Copies a table in its current state to a new table, like a point-in-time recovery. Returns the name of the new table. */
async function restored(of: 'directory' | 'people'): Promise<string> {
  const name = `${of}-restored-${crypto.randomUUID()}`;
  await createTables(database(), { [name]: tableLayouts[of] });
  const { Items } = await dynamo<{ Items: Item[] }>('Scan', { TableName: of });
  for (const item of Items) await dynamo('PutItem', { TableName: name, Item: item });
  return name;
}

const check = (of: string, table: string, ...more: string[]) =>
  otlWith({ OTL_ENDPOINT: server.url }, ['restore', 'check', '--of', of, '--table', table, ...more]);

async function found(of: string, table: string): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await check(of, table, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { result } = JSON.parse(stdout) as { result: Check[] };
  return Object.fromEntries(result.map(({ name, found: text }) => [name, text]));
}

describe('restored tables that otl restore check compares with the originals', () => {
  test('otl restore check counts the users in a restored table `people` and finds each user by identifier', async () => {
    const erased = await createUser(server, { email: newEmail() });
    await createUser(server, { email: newEmail(), phone_number: newPhoneNumber(), username: 'ann' });
    const table = await restored('people');
    await server.delete(`/v1/users/${erased.user_id}`, { token: await server.clientToken() });
    await createUser(server, { email: newEmail() });
    expect(await found('people', table)).toEqual({
      // One of the users is the demo operator.
      'users can be read': '3',
      'identifiers lead to their users': '5 of 5',
      'users who were erased since': '1',
      'users who were made since': '1',
    });
  });

  test('otl restore check rejects a restored table in which identifiers are missing', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const table = await restored('people');
    const { Items } = await dynamo<{ Items: Item[] }>('Scan', { TableName: table });
    const claim = Items.find(({ pk }) => pk?.S?.includes(email));
    await dynamo('DeleteItem', { TableName: table, Key: { pk: claim?.pk, sk: claim?.sk } });
    expect(await check('people', table)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^otl: Check failed: identifiers lead to their users \(\d+ of \d+\)\.\n$/,
      ),
    });
  });

  test('otl restore check compares a restored table `directory` with the current table `directory`', async () => {
    const table = await restored('directory');
    expect(await found('directory', table)).toMatchObject({
      // One of the two tenants is the operators' tenant.
      'tenants can be read': '2',
      'applications belong to their tenants': '2',
      'clients can be read': '5',
    });
    await otlWith({ OTL_ENDPOINT: server.url }, ['keys', 'prepare']);
    expect(await check('directory', table)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /signing keys are those of now \(then: \S+ current, \S+ current; now: .* next/,
      ),
    });
  });

  test('otl restore check rejects the table `flows`, which has no backups, and unknown tables', async () => {
    expect(await check('flows', 'flows')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not in backups/),
    });
    expect(await check('people', 'nowhere')).toMatchObject({ code: 1, stdout: '' });
    expect(await check('people', 'people', '--sample', '0')).toMatchObject({ code: 2 });
  });
});

test('the command "otl restore copy" copies a table and can resume an interrupted copy', async () => {
  for (let number = 0; number < 30; number += 1) await createUser(server, { email: newEmail() });
  const to = `people-new-${crypto.randomUUID()}`;
  await createTables(database(), { [to]: tableLayouts.people });
  const scanItems = async (TableName: string) => {
    const { Items } = await dynamo<{ Items: Item[] }>('Scan', { TableName });
    return Items.map((item) => JSON.stringify(Object.entries(item).toSorted())).toSorted();
  };
  const copy = (...more: string[]) =>
    otlWith({ OTL_ENDPOINT: server.url }, [
      'restore',
      'copy',
      '--of',
      'people',
      '--to',
      to,
      '--json',
      ...more,
    ]);
  const { code, stdout } = await copy();
  const count = (await scanItems('people')).length;
  expect([code, JSON.parse(stdout)]).toEqual([0, { copied: count, removed: 0 }]);
  expect(await scanItems(to)).toEqual(await scanItems('people'));

  expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  const { Items } = await dynamo<{ Items: Item[] }>('Scan', { TableName: to, Limit: 1 });
  await dynamo('DeleteItem', { TableName: to, Key: { pk: Items[0]?.pk, sk: Items[0]?.sk } });
  await dynamo('PutItem', { TableName: to, Item: { pk: { S: 'of before' }, sk: { S: 'x' } } });
  const again = await copy('--again');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { copied: count, removed: 1 }]);
  expect(await scanItems(to)).toEqual(await scanItems('people'));
  expect(await copy('--to', 'people')).toMatchObject({ code: 2 });
});
