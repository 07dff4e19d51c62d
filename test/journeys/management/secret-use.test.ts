// The day on which each client secret was last used, so that operators know if a secret is still in use before they revoke it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, test } from '@jest/globals';
import { storeSecretUse } from '../../../shared/domain/oauth/secret-use.ts';
import { madeClient } from '../../support/fixtures/managed.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ events: true });
const { otl } = otlAt(server);
const DAY_SECONDS = 86_400;

interface Secret {
  readonly secret_id: string;
  readonly last_used_on?: string;
}

let told: string[] = [];
const hear = (line: unknown) => {
  const { secret_used } = JSON.parse(String(line)) as { secret_used?: string };
  if (secret_used !== undefined) told.push(secret_used);
};
afterEach(() => {
  unsubscribe('otl:log', hear);
});

async function newClient() {
  const { client_id: clientId, client_secret: clientSecret, app_id } = await madeClient(server);
  const path = `/v1/applications/${app_id}/clients/${clientId}`;
  const secrets = async () => {
    await server.settleEvents();
    const { body } = await server.get<{ result: { secrets: Secret[] } }>(path, {
      token: await server.adminToken(),
    });
    return body.result.secrets;
  };
  const listUseDays = async () => (await secrets()).map(({ last_used_on }) => last_used_on);
  const rotate = async () =>
    server.post<{ result: { client_secret: string } }>(
      `${path}/secrets`,
      {},
      { token: await server.adminToken() },
    );
  return {
    clientId,
    clientSecret: String(clientSecret),
    appId: app_id,
    secrets,
    listUseDays,
    rotate,
  };
}

const today = () => new Date().toISOString().slice(0, 10);

test('the list of client secrets shows the day on which each secret was last used', async () => {
  const client = await newClient();
  expect(await client.listUseDays()).toEqual([undefined]);
  await server.clientToken(client);
  const first = today();
  expect(await client.listUseDays()).toEqual([first]);
  const { body } = await client.rotate();
  expect(await client.listUseDays()).toEqual([first, undefined]);
  await server.advanceClock(DAY_SECONDS);
  await server.clientToken({ ...client, clientSecret: body.result.client_secret });
  expect(await client.listUseDays()).toEqual([first, today()]);
  expect((await otl('client', 'list', '--app', client.appId)).stdout).toContain(`${first}, ${today()}`);
});

test('a Lambda function stores the use of a client secret at most once a day', async () => {
  const client = await newClient();
  told = [];
  subscribe('otl:log', hear);
  const [{ secret_id } = { secret_id: '' }] = await client.secrets();
  const own = () => told.filter((each) => each === secret_id).length;
  await expect(server.clientToken({ ...client, clientSecret: 'wrong' })).rejects.toThrow('401');
  expect(own()).toBe(0);
  for (let calls = 0; calls < 3; calls += 1) await server.clientToken(client);
  expect(own()).toBe(1);
  await server.advanceClock(DAY_SECONDS);
  await Promise.all(Array.from({ length: 5 }, () => server.clientToken(client)));
  expect(own()).toBe(2);
});

test('concurrent calls store the use of a client secret only once', async () => {
  const client = await newClient();
  const [{ secret_id: secretId } = { secret_id: '' }] = await client.secrets();
  const { clientRecords } = await server.ports(['clientRecords']);
  let writes = 0;
  const counting = {
    ...clientRecords,
    replace: async (...pair: Parameters<typeof clientRecords.replace>) => {
      const written = await clientRecords.replace(...pair);
      writes += Number(written);
      return written;
    },
  };
  const note = (day: string) =>
    storeSecretUse(
      { clientRecords: counting },
      { clientId: client.clientId, secretId, time: `${day}T10:00:00.000Z` },
    );
  const { clientId } = client;
  const rename = server.put(
    `/v1/applications/${client.appId}/clients/${clientId}`,
    { name: 'Renamed' },
    { token: await server.adminToken() },
  );
  await Promise.all([...Array.from({ length: 20 }, () => note('2026-11-28')), rename]);
  await note('2026-11-27');
  expect([writes, await client.listUseDays()]).toEqual([1, ['2026-11-28']]);
  expect(await clientRecords.find(clientId)).toMatchObject({ name: 'Renamed' });
});

test('storing the use of a secret after its client was deleted does not restore the client', async () => {
  const client = await newClient();
  const { clientRecords } = await server.ports(['clientRecords']);
  const { clientId } = client;
  const note = (secretId: string) =>
    storeSecretUse({ clientRecords }, { clientId, secretId, time: new Date().toISOString() });
  const before = await client.secrets();
  await note('another');
  expect(await client.secrets()).toEqual(before);
  const stored = await clientRecords.find(clientId);
  await clientRecords.remove(clientId);
  await note(stored?.secrets[0]?.secretId ?? '');
  expect(await clientRecords.find(clientId)).toBeUndefined();
});
