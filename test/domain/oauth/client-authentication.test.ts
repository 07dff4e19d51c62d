import { describe, expect, test } from '@jest/globals';
import { hashSecret, newSecret } from '../../../shared/domain/basis/random.ts';
import {
  authenticateClient,
  type ClientForm,
  readPresentedClient,
} from '../../../shared/domain/oauth/client-authentication.ts';
import { clientRecords, clients } from '../../../shared/dynamo/directory/clients.ts';
import { someClient, T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const basic = (joined: string) => `Basic ${Buffer.from(joined).toString('base64')}`;
const noClient = expect.objectContaining({ key: 'invalid_client' });
const twoMethods = (message: string) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('client credentials in a token request', () => {
  test('client credentials can be sent in the form body of the token request', () => {
    const form = { client_id: 'client', client_secret: 'secret' };
    const credentials = { clientId: 'client', clientSecret: 'secret' };
    expect(readPresentedClient(undefined, form)).toEqual({ method: 'secret', ...credentials });
  });

  test('the name of the HTTP Basic scheme is case-insensitive in client authentication', () => {
    const credentials = { method: 'secret', clientId: 'client', clientSecret: 'secret' };
    expect(readPresentedClient(basic('client:secret'), {})).toEqual(credentials);
    expect(readPresentedClient(basic('client:secret').replace('Basic', 'bASIC'), {})).toEqual(credentials);
  });

  test('the client ID in the Authorization header may be repeated in the body of a token request', () => {
    expect(readPresentedClient(basic('client:secret'), { client_id: 'client' }).clientId).toBe('client');
  });

  test('N023 the client ID and secret in HTTP Basic are form-urlencoded', () => {
    expect(readPresentedClient(basic('a%3Ab:p+q%25%3A%2B'), {})).toEqual({
      method: 'secret',
      clientId: 'a:b',
      clientSecret: 'p q%:+',
    });
  });

  test('N023 the first colon in HTTP Basic credentials separates the client ID from the secret', () => {
    expect(readPresentedClient(basic('client:se:cret'), {})).toMatchObject({ clientSecret: 'se:cret' });
    expect(readPresentedClient(basic(':secret'), {})).toMatchObject({ clientId: '', clientSecret: 'secret' });
  });

  test('N022 a token request that contains two client authentication methods is rejected', () => {
    expect(() => readPresentedClient(basic('client:secret'), { client_secret: 'secret' })).toThrow(
      twoMethods('client_secret: use the form or HTTP Basic, not both'),
    );
    expect(() => readPresentedClient(basic('client:secret'), { client_id: 'other' })).toThrow(
      twoMethods('client_id: differs from the one in the Authorization header'),
    );
    const assertion = { client_assertion: 'a.b.c', client_assertion_type: 'type' };
    const both = twoMethods('client_assertion: use it or a secret, not both');
    expect(() => readPresentedClient(basic('client:secret'), assertion)).toThrow(both);
    expect(() => readPresentedClient(undefined, { ...assertion, client_secret: 'secret' })).toThrow(both);
  });

  test('a client assertion without client_assertion_type is rejected', () => {
    const form = { client_assertion: 'a.b.c', client_assertion_type: 'type' };
    const read = { method: 'private_key_jwt', assertion: 'a.b.c', assertionType: 'type' };
    expect(readPresentedClient(undefined, form)).toEqual({ ...read, clientId: undefined });
    expect(readPresentedClient(undefined, { ...form, client_id: 'client' })).toEqual({
      ...read,
      clientId: 'client',
    });
    for (const name of ['client_assertion', 'client_assertion_type'] as const)
      expect(() => readPresentedClient(undefined, { ...form, [name]: undefined })).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`${name}: is required`) }),
      );
  });

  test('a token request with a client ID and no credentials has the authentication method none', () => {
    const alone = { method: 'none', clientId: 'client' };
    expect(readPresentedClient(undefined, { client_id: 'client' })).toEqual(alone);
    const empty = { client_secret: '', client_assertion: '', client_assertion_type: '' };
    expect(readPresentedClient(undefined, { client_id: 'client', ...empty })).toEqual(alone);
  });

  test.each<[string, string | undefined, ClientForm]>([
    ['no client credentials', undefined, {}],
    ['an empty client ID', undefined, { client_id: '', client_secret: 'secret' }],
    ['no client ID', undefined, { client_secret: 'secret' }],
    ['a bearer token', 'Bearer abc', {}],
    ['HTTP Basic without a colon', basic('client'), {}],
    ['HTTP Basic with an incomplete percent-encoding', basic('client:%4'), {}],
    ['HTTP Basic with a percent-encoding that is not valid UTF-8', basic('client:%ff'), {}],
    ['HTTP Basic that is not valid base64', 'Basic {}', {}],
    ['an empty HTTP Basic header', 'Basic ', {}],
  ])('a token request with %s is rejected with invalid_client', (_name, authorization, form) => {
    expect(() => readPresentedClient(authorization, form)).toThrow(noClient);
  });

  test('N020 the response to a rejected client contains a WWW-Authenticate header with the scheme Basic', () => {
    expect(() => readPresentedClient(undefined, {})).toThrow(
      expect.objectContaining({
        detail: { headers: { 'www-authenticate': expect.stringMatching(/^Basic realm=/) } },
      }),
    );
  });
});

describeStore('N027 client secrets', (store) => {
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

  test('a client with several secrets can authenticate with each of them', async () => {
    const { ports, client } = await stored(['one', 'two']);
    for (const clientSecret of ['one', 'two'])
      expect(await authenticateClient(ports, { clientId: client.clientId, clientSecret })).toMatchObject({
        client,
      });
  });

  test('a wrong client secret and an unknown client get the same error', async () => {
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

  test('a client without secrets cannot authenticate with an empty secret', async () => {
    const { ports, client } = await stored([]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: '' }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });

  test.each(['private_key_jwt', 'none'] as const)(
    'N022 a client secret is rejected if the client’s authentication method is %s',
    async (authMethod) => {
      const { ports, records, client } = await stored(['one']);
      const seen = await records.find(client.clientId);
      if (!seen || !(await records.replace(seen, { ...seen, authMethod }))) throw new Error('not changed');
      await expect(
        authenticateClient(ports, { clientId: client.clientId, clientSecret: 'one' }),
      ).rejects.toMatchObject({ key: 'invalid_client' });
    },
  );

  test('a new client secret is accepted even while the cache contains the previous client record', async () => {
    const { ports, records, client } = await stored(['one']);
    const { clientId } = client;
    await authenticateClient(ports, { clientId, clientSecret: 'one' });
    const seen = await records.find(clientId);
    const added = { secretId: 'new', hash: hashSecret('two'), createdAt: T };
    if (!seen || !(await records.replace(seen, { ...seen, secrets: [added] })))
      throw new Error('not rotated');
    expect(await authenticateClient(ports, { clientId, clientSecret: 'two' })).toMatchObject({
      client: { clientId },
      proof: added,
    });
  });

  test('a revoked client secret is rejected even while the cache contains the previous client record', async () => {
    const { ports, records, client } = await stored(['one', 'two']);
    const { clientId } = client;
    const prove = (clientSecret: string) => authenticateClient(ports, { clientId, clientSecret });
    await (await prove('one')).confirm();
    const [one, two] = [await prove('one'), await prove('two')];
    const seen = await records.find(clientId);
    if (!seen || !(await records.replace(seen, { ...seen, secrets: seen.secrets.slice(1) })))
      throw new Error('not revoked');
    await expect(one.confirm()).rejects.toMatchObject({ key: 'invalid_client' });
    expect((await two.confirm()).secrets).toHaveLength(1);
  });

  test('a random client secret that was never issued is rejected', async () => {
    const { ports, client } = await stored([newSecret()]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: newSecret() }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });
});
