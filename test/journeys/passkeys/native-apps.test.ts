import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { asManager, madeApplication } from '../../support/fixtures/managed.ts';
import { login, newPerson, registerPasskey } from '../../support/fixtures/passkeys.ts';
import { storeManager, storeTenant } from '../../support/fixtures/tenants.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off' });
const { get, put, remove } = asManager(server);

const newFingerprint = () => randomBytes(32).toString('hex').toUpperCase().match(/../g)?.join(':') ?? '';
const toAndroidOrigin = (fingerprint: string) =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`;
const androidApp = (package_name: string, ...sha256_cert_fingerprints: readonly string[]) => ({
  package_name,
  sha256_cert_fingerprints,
});
const statement = (package_name: string, fingerprint: string) => ({
  relation: ['delegate_permission/common.get_login_creds'],
  target: { namespace: 'android_app', package_name, sha256_cert_fingerprints: [fingerprint] },
});

/** Returns a well-known document of the login host, after the configuration caches have expired. */
async function read(name: string) {
  await server.advanceClock(61);
  return server.get<unknown>(`${new URL(server.environment.base_url).origin}/.well-known/${name}`);
}
const assetLinks = async () => (await read('assetlinks.json')).body;
const siteAssociation = async () => (await read('apple-app-site-association')).body;

async function newTenantToken() {
  const { application } = await storeTenant(server);
  return server.clientToken(await storeManager(server, application.tenantId));
}

describe('well-known documents about native apps', () => {
  test('without native apps, assetlinks.json and apple-app-site-association are public and contain empty lists', async () => {
    for (const [name, body] of [
      ['assetlinks.json', []],
      ['apple-app-site-association', { webcredentials: { apps: [] } }],
    ] as const) {
      const answer = await read(name);
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toMatch(/^public, /);
    }
  });

  test('the well-known documents merge the apps of all applications that use the RP ID of the login host', async () => {
    const [release, debug, other] = [newFingerprint(), newFingerprint(), newFingerprint()] as const;
    const ids = [
      await madeApplication(server, {
        android_apps: [androidApp('com.example.shop', release, debug.toLowerCase())],
        ios_apps: [{ team_id: 'ABCDE12345', bundle_id: 'com.example.shop' }],
      }),
      // A second application has the same app and sets the RP ID explicitly.
      await madeApplication(server, {
        rp_id: 'localhost',
        android_apps: [androidApp('com.example.shop', release), androidApp('com.example.admin', other)],
        ios_apps: [{ team_id: 'ABCDE12345', bundle_id: 'com.example.shop' }],
      }),
      await madeApplication(server, {
        rp_id: 'bank.example',
        android_apps: [androidApp('example.bank', newFingerprint())],
        ios_apps: [{ team_id: 'ABCDE12345', bundle_id: 'example.bank' }],
      }),
    ];
    expect(await assetLinks()).toEqual(
      expect.arrayContaining([
        statement('com.example.shop', release),
        statement('com.example.shop', debug),
        statement('com.example.admin', other),
      ]),
    );
    expect(await assetLinks()).toHaveLength(3);
    expect(await siteAssociation()).toEqual({ webcredentials: { apps: ['ABCDE12345.com.example.shop'] } });

    await put(`/v1/applications/${ids[0]}`, { android_apps: null, ios_apps: [] });
    expect(await assetLinks()).toHaveLength(2);
    expect(await siteAssociation()).toEqual({ webcredentials: { apps: ['ABCDE12345.com.example.shop'] } });
    for (const id of ids) expect((await remove(`/v1/applications/${id}`)).status).toBe(204);
    expect(await assetLinks()).toEqual([]);
    expect(await siteAssociation()).toEqual({ webcredentials: { apps: [] } });
  });

  test("a tenant with many apps does not push another tenant's app out of the well-known documents", async () => {
    const greedy = await newTenantToken();
    const made: [string, string][] = [];
    for (let batch = 0; batch < 5; batch++) {
      const apps = Array.from({ length: 10 }, (_, app) =>
        androidApp(`greedy.app${batch}x${app}`, ...Array.from({ length: 5 }, newFingerprint)),
      );
      made.push([await madeApplication(server, { android_apps: apps }, greedy), greedy]);
    }
    expect(await assetLinks()).toHaveLength(200);

    const honest = await newTenantToken();
    const fingerprint = newFingerprint();
    await server.advanceClock(1);
    made.push([
      await madeApplication(server, { android_apps: [androidApp('com.example.shop', fingerprint)] }, honest),
      honest,
    ]);
    const links = await assetLinks();
    expect(links).toHaveLength(200);
    expect(links).toContainEqual(statement('com.example.shop', fingerprint));
    for (const [id, token] of made) await server.delete(`/v1/applications/${id}`, { token });
  });
});

describe('native apps in application settings', () => {
  const path = () => `/v1/applications/${server.environment.app_id}`;
  const clear = () => put(path(), { android_apps: null, ios_apps: null, origins: null });

  test('an Android app needs no entry in the list `origins` to use a passkey of its application', async () => {
    const passkey = await registerPasskey(server, await newPerson(server));
    const fingerprint = newFingerprint();
    const origin = toAndroidOrigin(fingerprint);
    expect((await login(server, passkey, { origin })).status).toBe(400);
    const android_apps = [androidApp('com.example.shop', fingerprint)];
    expect((await put(path(), { android_apps })).body.result).toMatchObject({ android_apps });
    await server.advanceClock(61);
    expect((await login(server, passkey, { origin })).status).toBe(200);
    const another = toAndroidOrigin(newFingerprint());
    expect((await login(server, passkey, { origin: another })).status).toBe(400);
    await clear();
    await server.advanceClock(61);
    expect((await login(server, passkey, { origin })).status).toBe(400);
  });

  test('an Android origin without a matching app in `android_apps` is rejected, and the error names its fingerprint', async () => {
    const fingerprint = newFingerprint();
    const origins = ['https://shop.example', toAndroidOrigin(fingerprint)];
    const refused = {
      status: 400,
      body: {
        error_code: 400,
        message: `origins.1: needs an app in android_apps with the certificate ${fingerprint}, because Android asks for its package name`,
      },
    };
    expect(await put(path(), { origins })).toMatchObject(refused);
    const android_apps = [androidApp('com.example.shop', fingerprint)];
    expect((await put(path(), { origins, android_apps })).status).toBe(200);
    expect(await put(path(), { android_apps: [] })).toMatchObject(refused);
    expect((await get(path())).body.result).toMatchObject({ origins, android_apps });
    expect((await clear()).body.result).toMatchObject({ origins: [], android_apps: [], ios_apps: [] });
  });

  test('an application with an Android origin from an earlier version can still change its other settings', async () => {
    const { applicationRecords } = await server.ports(['applicationRecords']);
    const application = await applicationRecords.find(server.environment.app_id);
    if (!application) throw new Error('the demo application is missing');
    const origins = [toAndroidOrigin(newFingerprint())];
    await applicationRecords.replace(application, { ...application, origins });
    expect((await put(path(), { name: application.name })).body.result).toMatchObject({ origins });
    await clear();
  });

  const fingerprint = newFingerprint();
  const shop = { package_name: 'com.example.shop', sha256_cert_fingerprints: [fingerprint] };
  const iosShop = { team_id: 'ABCDE12345', bundle_id: 'com.example.shop' };
  test.each([
    ['a package name without a dot', { android_apps: [{ ...shop, package_name: 'shop' }] }],
    ['a package name with markup', { android_apps: [{ ...shop, package_name: 'com.example."shop' }] }],
    ['a package name with a line break', { android_apps: [{ ...shop, package_name: 'com.example\n' }] }],
    [
      'a SHA-1 fingerprint',
      { android_apps: [{ ...shop, sha256_cert_fingerprints: [fingerprint.slice(36)] }] },
    ],
    ['no fingerprint', { android_apps: [{ ...shop, sha256_cert_fingerprints: [] }] }],
    [
      'six fingerprints',
      { android_apps: [{ ...shop, sha256_cert_fingerprints: Array(6).fill(fingerprint) }] },
    ],
    ['eleven Android apps', { android_apps: Array(11).fill(shop) }],
    ['eleven iOS apps', { ios_apps: Array(11).fill(iosShop) }],
    ['a team ID in lower case', { ios_apps: [{ ...iosShop, team_id: 'abcde12345' }] }],
    ['a wildcard bundle ID', { ios_apps: [{ ...iosShop, bundle_id: 'com.example.*' }] }],
    ['a missing bundle ID', { ios_apps: [{ team_id: 'ABCDE12345' }] }],
    ['text instead of an app', { ios_apps: ['ABCDE12345.com.example.shop'] }],
  ])('the settings of native apps are rejected if they contain %s', async (_, fields) => {
    const [name] = Object.keys(fields);
    expect(await put(path(), fields)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(new RegExp(`^${name}\\b`)) },
    });
    expect((await get(path())).body.result).toMatchObject({ android_apps: [], ios_apps: [] });
  });
});
