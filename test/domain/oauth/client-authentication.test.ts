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

describe('client credentials of a request', () => {
  test('reads client credentials from the form', () => {
    const form = { client_id: 'client', client_secret: 'secret' };
    const credentials = { clientId: 'client', clientSecret: 'secret' };
    expect(readPresentedClient(undefined, form)).toEqual({ method: 'secret', ...credentials });
  });

  test('reads client credentials from HTTP Basic, whatever the case of the scheme', () => {
    const credentials = { method: 'secret', clientId: 'client', clientSecret: 'secret' };
    expect(readPresentedClient(basic('client:secret'), {})).toEqual(credentials);
    expect(readPresentedClient(basic('client:secret').replace('Basic', 'bASIC'), {})).toEqual(credentials);
  });

  test('the form may repeat the client ID of the Authorization header', () => {
    expect(readPresentedClient(basic('client:secret'), { client_id: 'client' }).clientId).toBe('client');
  });

  test('N023 HTTP Basic credentials are form-urlencoded before they are joined', () => {
    expect(readPresentedClient(basic('a%3Ab:p+q%25%3A%2B'), {})).toEqual({
      method: 'secret',
      clientId: 'a:b',
      clientSecret: 'p q%:+',
    });
  });

  test('N023 only the first colon of HTTP Basic separates client ID and secret', () => {
    expect(readPresentedClient(basic('client:se:cret'), {})).toMatchObject({ clientSecret: 'se:cret' });
  });

  test('N022 rejects two authentication methods in one request', () => {
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

  test('a client assertion requires its type, and may be sent with the client ID', () => {
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

  test('a client ID alone is a client without authentication, and empty values count as absent', () => {
    const alone = { method: 'none', clientId: 'client' };
    expect(readPresentedClient(undefined, { client_id: 'client' })).toEqual(alone);
    const empty = { client_secret: '', client_assertion: '', client_assertion_type: '' };
    expect(readPresentedClient(undefined, { client_id: 'client', ...empty })).toEqual(alone);
  });

  test.each<[string, string | undefined, ClientForm]>([
    ['nothing at all', undefined, {}],
    ['an empty client ID', undefined, { client_id: '', client_secret: 'secret' }],
    ['no client ID', undefined, { client_secret: 'secret' }],
    ['a bearer token', 'Bearer abc', {}],
    ['Basic without a colon', basic('client'), {}],
    ['Basic with half an escape', basic('client:%4'), {}],
    ['Basic with an escape that is no UTF-8', basic('client:%ff'), {}],
    ['Basic that is no base64', 'Basic {}', {}],
    ['Basic without anything', 'Basic ', {}],
  ])('rejects a token request with %s as not authenticated', (_name, authorization, form) => {
    expect(() => readPresentedClient(authorization, form)).toThrow(noClient);
  });

  test('N020 a rejected client gets WWW-Authenticate with the scheme Basic', () => {
    expect(() => readPresentedClient(undefined, {})).toThrow(
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

  test('a client can authenticate with each of its secrets', async () => {
    const { ports, client } = await stored(['one', 'two']);
    for (const clientSecret of ['one', 'two'])
      expect(await authenticateClient(ports, { clientId: client.clientId, clientSecret })).toMatchObject({
        client,
      });
  });

  test('a wrong secret, the stored hash and an unknown client get the same answer', async () => {
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

  test('a client without secrets cannot authenticate with an empty one', async () => {
    const { ports, client } = await stored([]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: '' }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });

  test.each(['private_key_jwt', 'none'] as const)(
    'N022 rejects a secret from a client whose method is %s',
    async (authMethod) => {
      const { ports, records, client } = await stored(['one']);
      const seen = await records.find(client.clientId);
      if (!seen || !(await records.replace(seen, { ...seen, authMethod }))) throw new Error('not changed');
      await expect(
        authenticateClient(ports, { clientId: client.clientId, clientSecret: 'one' }),
      ).rejects.toMatchObject({ key: 'invalid_client' });
    },
  );

  test('a new secret works at once, even if the client record is cached without it', async () => {
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

  test('a revoked secret is rejected, even if the client record is cached with it', async () => {
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

  test('rejects an unknown secret of 256 bits', async () => {
    const { ports, client } = await stored([newSecret()]);
    await expect(
      authenticateClient(ports, { clientId: client.clientId, clientSecret: newSecret() }),
    ).rejects.toMatchObject({ key: 'invalid_client' });
  });
});
