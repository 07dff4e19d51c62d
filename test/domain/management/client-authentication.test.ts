import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { type KeySet, readClientKeys } from '../../../shared/domain/credentials/client-keys.ts';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import { createApplication, updateApplication } from '../../../shared/domain/management/applications.ts';
import { toClientRecord } from '../../../shared/domain/management/client-record.ts';
import {
  createClient,
  requireClient,
  rotateSecret,
  updateClient,
} from '../../../shared/domain/management/clients.ts';
import { clients } from '../../../shared/dynamo/directory/clients.ts';
import type { PublicJwk } from '../../../shared/ports/directory.ts';
import { ApplicationRecord } from '../../../shared/schemas/applications.ts';
import { ClientRecord, CreateClientBody, UpdateClientBody } from '../../../shared/schemas/clients.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const toJwk = (key: KeyObject) => key.export({ format: 'jwk' }) as unknown as PublicJwk;
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent });
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

const p256 = ec('P-256');
const rsa2048 = rsa(2048);
const publicKeys: Readonly<Record<string, PublicJwk>> = {
  RSA: toJwk(rsa2048.publicKey),
  'P-256': toJwk(p256.publicKey),
  'P-384': toJwk(ec('P-384').publicKey),
  'P-521': toJwk(ec('P-521').publicKey),
  Ed25519: toJwk(generateKeyPairSync('ed25519').publicKey),
};
const good = publicKeys['P-256'] as PublicJwk;
const weak = publicKeys['P-384'] as PublicJwk;
const set = (...keys: PublicJwk[]): KeySet => ({ keys });

/** Returns the JWK of an RSA key whose modulus is a number of this length. Generating a key of this length would take seconds. */
const rsaOfBytes = (length: number): PublicJwk => ({
  ...toJwk(rsa2048.publicKey),
  n: Buffer.alloc(length, 255).toString('base64url'),
});

describe('N047 public keys registered for a client', () => {
  test.each(Object.entries(publicKeys))(
    'N047 the client key %s is stored without JWK members that are not needed',
    (_name, jwk) => {
      const named = { ...jwk, kid: 'one', use: 'sig' };
      expect(readClientKeys(set({ ...named, x5c: ['certificate'], key_ops: ['verify'] }))).toEqual(
        set(named),
      );
    },
  );

  test.each<[string, PublicJwk, RegExp]>([
    ['a private EC key', toJwk(p256.privateKey), /^jwks\.keys\.0: holds a private key/],
    ['a private RSA key', toJwk(rsa2048.privateKey), /holds a private key/],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, /holds a private key/],
    ['a key with an empty private member', { ...good, d: '' }, /holds a private key/],
    ['a key for encryption', { ...good, use: 'enc' }, /use: sig/],
    ['an RSA key of 1024 bits', toJwk(rsa(1024).publicKey), /2048 to 8192 bits/],
    ['an RSA key of more than 8192 bits', rsaOfBytes(1025), /2048 to 8192 bits/],
    ['an RSA key with the exponent 3', toJwk(rsa(2048, 3).publicKey), /exponent/],
    ['a key on the curve secp256k1', toJwk(ec('secp256k1').publicKey), /P-256, P-384, P-521 or Ed25519/],
    ['a key agreement key', toJwk(generateKeyPairSync('x25519').publicKey), /P-256, P-384, P-521/],
    ['a point off the curve', { ...good, y: good.x }, /not a valid public key/],
    ['a key without the coordinate y', { kty: 'EC', crv: 'P-256', x: good.x }, /not a valid public key/],
    ['an unknown key type', { kty: 'AKP' }, /P-256, P-384, P-521/],
    ['the key type "constructor"', { kty: 'constructor' }, /P-256, P-384, P-521/],
    ['an algorithm of another key type', { ...good, alg: 'RS256' }, /alg must be/],
    ['an HMAC algorithm', { ...good, alg: 'HS256' }, /alg must be/],
    ['alg none', { ...good, alg: 'none' }, /alg must be/],
    ['a kid that is not a string', { ...good, kid: 7 }, /kid must be/],
    ['an empty kid', { ...good, kid: '' }, /kid must be/],
    ['a kid that is too long', { ...good, kid: 'k'.repeat(257) }, /kid must be/],
  ])('N047 an invalid client key is rejected: %s', (_name, jwk, message) => {
    expect(() => readClientKeys(set(jwk))).toThrow(message);
    expect(() => readClientKeys(set(good, jwk))).toThrow(/^jwks\.keys\.1: /);
  });

  test("N047 a client's key set is rejected if it is empty, too large or contains the same kid twice", () => {
    expect(() => readClientKeys(set())).toThrow(/^jwks\.keys: must have 1 to 10/);
    const most = set(...Array.from({ length: 9 }, () => good), { ...rsaOfBytes(1024), kid: 'k'.repeat(256) });
    expect(readClientKeys(most)).toEqual(most);
    expect(() => readClientKeys(set(...most.keys, good))).toThrow(/1 to 10/);
    expect(() => readClientKeys(set({ ...good, kid: 'a' }, { ...good, kid: 'a' }))).toThrow(/same kid/);
  });
});

describeStore('client authentication settings', (store) => {
  const body = (fields: object) => v.parse(CreateClientBody, { name: 'Client', ...fields });

  async function application() {
    const ports = storedPorts(store());
    const tenant = someTenant();
    return {
      ports,
      tenant,
      application: await createApplication(ports, { tenant }, { name: 'Shop' }, nowSeconds()),
    };
  }

  test('a client that authenticates with keys is created without a secret', async () => {
    const { ports, ...owner } = await application();
    const jwks = set({ ...good, kid: 'one', alg: 'ES256' });
    const flags = {
      strict_audience: true,
      require_pkce: true,
      require_pushed_requests: true,
      dpop_bound: true,
      dpop_nonce: true,
      refresh_token_rotation: false,
    };
    const fields = body({ auth_method: 'private_key_jwt', jwks, ...flags });
    const { client, secret } = await createClient(ports, owner, fields, nowSeconds());
    expect(secret).toBeUndefined();
    const shown = toClientRecord(await requireClient(ports, owner.tenant, client.clientId));
    expect(shown).toMatchObject({ auth_method: 'private_key_jwt', jwks, secrets: [], ...flags });
    expect(v.parse(ClientRecord, shown)).toEqual(shown);
    expect(await clients(store().table('directory')).find(client.clientId)).toEqual(client);
    await expect(
      rotateSecret(ports, { ...owner, clientId: client.clientId }, nowSeconds()),
    ).rejects.toMatchObject({
      key: 'system_invalid_input',
    });
  });

  test('switching a client to private_key_jwt removes the client’s secrets', async () => {
    const { ports, ...owner } = await application();
    const { client, secret } = await createClient(ports, owner, body({}), nowSeconds());
    expect(secret).toBeDefined();
    const change = (fields: object) =>
      updateClient(
        ports,
        { ...owner, clientId: client.clientId },
        v.parse(UpdateClientBody, fields),
        nowSeconds(),
      );
    expect(await change({ jwks: set(good) })).toMatchObject({ secrets: [{}] });
    expect(await change({ auth_method: 'private_key_jwt' })).toMatchObject({ secrets: [] });
    await expect(change({ jwks: null })).rejects.toThrow(/^jwks: is required/);
    expect(await change({ auth_method: null, jwks: null })).toMatchObject({ secrets: [] });
    expect(toClientRecord(await requireClient(ports, owner.tenant, client.clientId))).toMatchObject({
      auth_method: 'secret',
    });
    const rotated = await rotateSecret(ports, { ...owner, clientId: client.clientId }, nowSeconds());
    expect(rotated.client.secrets).toHaveLength(1);
  });

  test('only a client that must prove possession of a key may disable refresh token rotation', async () => {
    const { ports, ...owner } = await application();
    const { client } = await createClient(ports, owner, body({}), nowSeconds());
    const change = (fields: object) =>
      updateClient(
        ports,
        { ...owner, clientId: client.clientId },
        v.parse(UpdateClientBody, fields),
        nowSeconds(),
      );
    const kept = { refresh_token_rotation: false };
    await expect(change(kept)).rejects.toThrow(/^refresh_token_rotation: /);
    await expect(change({ ...kept, auth_method: 'none', dpop_bound: true })).rejects.toThrow(
      /^refresh_token_rotation: /,
    );
    expect(await change({ ...kept, dpop_bound: true })).toMatchObject({ refreshTokenRotation: false });
    await expect(change({ dpop_bound: false })).rejects.toThrow(/^refresh_token_rotation: /);
    await change({ auth_method: 'private_key_jwt', jwks: set(good), dpop_bound: null });
    await expect(change({ auth_method: 'secret' })).rejects.toThrow(/^refresh_token_rotation: /);
    expect(await change({ auth_method: 'secret', refresh_token_rotation: null })).toMatchObject({
      authMethod: 'secret',
    });
  });

  test('settings that contradict the profile fapi2 are rejected for a client with that profile', async () => {
    const { ports, ...owner } = await application();
    const { client } = await createClient(ports, owner, body({}), nowSeconds());
    const change = (fields: object) =>
      updateClient(
        ports,
        { ...owner, clientId: client.clientId },
        v.parse(UpdateClientBody, fields),
        nowSeconds(),
      );
    const profile = 'fapi2';
    await expect(change({ profile })).rejects.toThrow(/^jwks: is required/);
    await expect(change({ profile, jwks: set(weak) })).rejects.toThrow(
      /^jwks\.keys: one key must support one of PS256/,
    );
    const demanded = {
      auth_method: 'private_key_jwt',
      strict_audience: true,
      require_pkce: true,
      require_pushed_requests: true,
      dpop_bound: true,
      refresh_token_rotation: false,
      id_token_signed_response_alg: 'PS256',
    };
    const given = { profile, jwks: set(good) };
    expect(toClientRecord(await change(given))).toMatchObject({ profile, ...demanded, secrets: [] });
    for (const [name, value] of Object.entries(demanded))
      for (const other of [
        typeof value === 'boolean' ? !value : value === 'PS256' ? 'RS256' : 'secret',
        null,
      ])
        await expect(change({ [name]: other })).rejects.toThrow(new RegExp(`^${name}: must be ${value} `));
    await expect(change({ jwks: null })).rejects.toThrow(/^jwks: is required/);
    expect(toClientRecord(await change({ profile: null }))).toMatchObject(demanded);
    expect(toClientRecord(await change({ dpop_bound: false }))).toMatchObject({ dpop_bound: false });
  });

  test('a client with the authentication method private_key_jwt must have keys', async () => {
    const { ports, ...owner } = await application();
    await expect(
      createClient(ports, owner, body({ auth_method: 'private_key_jwt' }), nowSeconds()),
    ).rejects.toThrow(/^jwks: is required/);
    const publicClient = body({ auth_method: 'none' });
    const { client, ...noSecret } = await createClient(ports, owner, publicClient, nowSeconds());
    expect([client.secrets, noSecret]).toEqual([[], {}]);
    expect(toClientRecord(client).require_pkce).toBe(true);
    await expect(createClient(ports, { tenant: owner.tenant }, publicClient, nowSeconds())).rejects.toThrow(
      /^auth_method: a management client/,
    );
  });

  test('N003 an invalid post-logout redirect URI is rejected', async () => {
    const { ports, tenant, application: made } = await application();
    const change = (fields: object) =>
      updateApplication(ports, { tenant, applicationId: made.applicationId }, fields, nowSeconds());
    const given = {
      post_logout_redirect_uris: ['https://shop.example.com/bye', 'http://127.0.0.1/bye'],
    };
    const changed = toApplicationRecord(await change(given));
    expect(changed).toMatchObject(given);
    expect(v.parse(ApplicationRecord, changed)).toEqual(changed);
    await expect(change({ post_logout_redirect_uris: ['javascript:alert(1)'] })).rejects.toThrow(
      /^post_logout_redirect_uris\.0: /,
    );
    const removed = await change({ post_logout_redirect_uris: null });
    expect(removed).not.toHaveProperty('postLogoutRedirectUris');
  });
});
