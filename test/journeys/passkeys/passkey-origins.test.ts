import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { login, newPerson, registerPasskey, startLogin, toOrigin } from '../../support/fixtures/passkeys.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off' });

const invalid = { status: 400, body: { message: 'Invalid passkey', error_code: 400 } };

describe('origins that may use the passkeys of an application', () => {
  const shop = 'https://shop.example';
  const android = `android:apk-key-hash:${randomBytes(32).toString('base64url')}`;

  test("only pages of the application's origins can read the passkey options (CORS)", async () => {
    await withApplication(server, { origins: [shop, android] }, async () => {
      const read = async (origin: string) => {
        const { headers } = await startLogin(server, {}, { origin });
        return { allowed: headers.get('access-control-allow-origin'), vary: headers.get('vary') };
      };
      for (const origin of [shop, toOrigin(server)])
        expect(await read(origin)).toEqual({ allowed: origin, vary: 'Origin' });
      for (const origin of ['https://evil.example', 'null', `${shop}:8443`])
        expect(await read(origin)).toEqual({ allowed: null, vary: 'Origin' });
    });
  });

  test('a passkey login is accepted from each registered origin, including that of an Android app', async () => {
    const passkey = await registerPasskey(server, await newPerson(server));
    expect(await login(server, passkey, { origin: android })).toMatchObject(invalid);
    await withApplication(server, { origins: [shop, android] }, async () => {
      for (const origin of [shop, android, toOrigin(server)])
        expect((await login(server, passkey, { origin })).status).toBe(200);
    });
  });

  test("registering an application's first passkey makes its RP ID permanent", async () => {
    await registerPasskey(server, await newPerson(server));
    const { applicationRecords } = await server.ports(['applicationRecords']);
    expect(await applicationRecords.find(server.environment.app_id)).toMatchObject({
      fixedRpId: 'localhost',
    });
  });
});

describe('N108 list of related origins (WebAuthn)', () => {
  const path = () => `${new URL(server.environment.base_url).origin}/.well-known/webauthn`;

  test("the list of related origins contains the origins of applications with the service's RP ID", async () => {
    const origins = [
      'https://shop.example',
      'https://a.localhost',
      'android:apk-key-hash:x',
      'https://shop.example:8443',
    ];
    await withApplication(server, { origins }, async () => {
      const answer = await server.get(path());
      expect(answer).toMatchObject({
        status: 200,
        body: { origins: ['https://shop.example', 'https://shop.example:8443'] },
      });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });
  });

  test('the list of related origins contains at most five hosts', async () => {
    const origins = Array.from({ length: 7 }, (_, n) => `https://shop-${n}.example`);
    await withApplication(server, { origins }, async () => {
      expect((await server.get(path())).body).toEqual({ origins: origins.slice(0, 5) });
    });
    await withApplication(server, { origins, rpId: 'elsewhere.example' }, async () => {
      expect((await server.get(path())).body).toEqual({ origins: [] });
    });
    expect((await server.get(path())).body).toEqual({ origins: [] });
  });
});
