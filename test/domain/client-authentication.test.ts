import { describe, expect, test } from '@jest/globals';
import { authenticateClient, readClientCredentials } from '../../shared/domain/client-authentication.ts';
import { hashSecret, newSecret } from '../../shared/domain/random.ts';
import { clientRecords, clients } from '../../shared/dynamo/clients.ts';
import { someClient, T, unique } from '../support/records.ts';
import { describeStore } from '../support/store.ts';

const basic = (joined: string) => `Basic ${Buffer.from(joined).toString('base64')}`;
const noClient = expect.objectContaining({ key: 'invalid_client' });
const twoMethods = (message: string) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('credentials of a request', () => {
  test('come in the form', () => {
    const form = { client_id: 'client', client_secret: 'secret' };
    expect(readClientCredentials(undefined, form)).toEqual({ clientId: 'client', clientSecret: 'secret' });
  });

  test('come by HTTP Basic, whatever the case of its name', () => {
    const credentials = { clientId: 'client', clientSecret: 'secret' };
    expect(readClientCredentials(basic('client:secret'), {})).toEqual(credentials);
    expect(readClientCredentials(basic('client:secret').replace('Basic', 'bASIC'), {})).toEqual(credentials);
  });

  test('the form may repeat the client ID of the header', () => {
    expect(readClientCredentials(basic('client:secret'), { client_id: 'client' }).clientId).toBe('client');
  });

  test('N023 both parts are form-urlencoded before they are joined', () => {
    expect(readClientCredentials(basic('a%3Ab:p+q%25%3A%2B'), {})).toEqual({
      clientId: 'a:b',
      clientSecret: 'p q%:+',
    });
  });

  test('N023 only the first colon separates', () => {
    expect(readClientCredentials(basic('client:se:cret'), {}).clientSecret).toBe('se:cret');
  });

  test('N022 two methods in one request are refused', () => {
    expect(() => readClientCredentials(basic('client:secret'), { client_secret: 'secret' })).toThrow(
      twoMethods('client_secret: use the form or HTTP Basic, not both'),
    );
    expect(() => readClientCredentials(basic('client:secret'), { client_id: 'other' })).toThrow(
      twoMethods('client_id: is not the one of the Authorization header'),
    );
  });

  test.each<[string, string | undefined, { client_id?: string; client_secret?: string }]>([
    ['nothing at all', undefined, {}],
    ['no secret', undefined, { client_id: 'client' }],
    ['no client ID', undefined, { client_secret: 'secret' }],
    ['a bearer token', 'Bearer abc', {}],
    ['Basic without a colon', basic('client'), {}],
    ['Basic with half an escape', basic('client:%4'), {}],
    ['Basic with an escape that is no UTF-8', basic('client:%ff'), {}],
    ['Basic that is no base64', 'Basic {}', {}],
    ['Basic without anything', 'Basic ', {}],
  ])('%s is no client', (_name, authorization, form) => {
    expect(() => readClientCredentials(authorization, form)).toThrow(noClient);
  });

  test('N020 a refused client is told how to authenticate', () => {
    expect(() => readClientCredentials(undefined, {})).toThrow(
      expect.objectContaining({
        detail: { headers: { 'www-authenticate': expect.stringMatching(/^Basic realm=/) } },
      }),
    );
  });
});

describeStore('N027 a client proves its secret', (store) => {
  async function stored(secrets: readonly string[]) {
    const table = store().table('directory');
    const client = someClient({
      secrets: secrets.map((secret) => ({
        secretId: unique('secret'),
        hash: hashSecret(secret),
        createdAt: T,
      })),
    });
    const records = clientRecords(table);
    await records.put(client);
    return { ports: { clients: clients(table) }, records, client };
  }

  test('each of its secrets is good', async () => {
    const { ports, client } = await stored(['one', 'two']);
    for (const clientSecret of ['one', 'two'])
      expect(await authenticateClient(ports, { clientId: client.clientId, clientSecret })).toEqual(client);
  });

  test('a wrong secret, the stored hash and an unknown client are one answer', async () => {
    const { ports, client } = await stored(['one']);
    const { clientId } = client;
    for (const credentials of [
      { clientId, clientSecret: 'two' },
      { clientId, clientSecret: '' },
      { clientId, clientSecret: hashSecret('one') },
      { clientId: unique('client'), clientSecret: 'one' },
      { clientId: 'c'.repeat(9000), clientSecret: 'one' },
    ])
      await expect(authenticateClient(ports, credentials)).rejects.toMatchObject({ key: 'invalid_client' });
  });

  test('a client without secrets never gets in', async () => {
    const { ports, client } = await stored([]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: '' }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });

  test('a new secret is good at once, though the container remembers the record without it', async () => {
    const { ports, records, client } = await stored(['one']);
    const { clientId } = client;
    await authenticateClient(ports, { clientId, clientSecret: 'one' });
    const seen = await records.find(clientId);
    const added = { secretId: 'new', hash: hashSecret('two'), createdAt: T };
    if (!seen || !(await records.replace(seen, { ...seen, secrets: [added] })))
      throw new Error('not rotated');
    expect(await authenticateClient(ports, { clientId, clientSecret: 'two' })).toMatchObject({ clientId });
  });

  test('an unknown secret of 256 bits stays unknown', async () => {
    const { ports, client } = await stored([newSecret()]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: newSecret() }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });
});
