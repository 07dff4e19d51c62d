// Environment setting LINK_APPLICATION: only this application sends magic links, and its native apps may open the links.
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { demo } from '../../../lib/local/demo.ts';
import { madeApplication, madeClient, toCredentials } from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({
  rateLimits: 'off',
  environment: { LINK_APPLICATION: demo.applicationId },
});

const newFingerprint = () => randomBytes(32).toString('hex').toUpperCase().match(/../g)?.join(':') ?? '';
const appFields = (name: string) => {
  const fingerprint = newFingerprint();
  return {
    fingerprint,
    android_apps: [{ package_name: `com.example.${name}`, sha256_cert_fingerprints: [fingerprint] }],
    ios_apps: [{ team_id: 'ABCDE12345', bundle_id: `com.example.${name}` }],
  };
};
const statement = (permission: string, name: string, fingerprint: string) => ({
  relation: [`delegate_permission/common.${permission}`],
  target: {
    namespace: 'android_app',
    package_name: `com.example.${name}`,
    sha256_cert_fingerprints: [fingerprint],
  },
});
const read = async (name: string) =>
  (await server.get<unknown>(`${new URL(server.environment.base_url).origin}/.well-known/${name}`)).body;

test('only apps of the application that sends magic links may open the links', async () => {
  const [own, other] = [appFields('own'), appFields('other')];
  const token = await server.adminToken();
  await server.put(
    `/v1/applications/${demo.applicationId}`,
    { android_apps: own.android_apps, ios_apps: own.ios_apps },
    { token },
  );
  // The order of the apps depends on the creation times of their applications.
  await server.advanceClock(1);
  await madeApplication(server, { android_apps: other.android_apps, ios_apps: other.ios_apps });
  await server.advanceClock(61);

  const links = await read('assetlinks.json');
  expect(links).toHaveLength(3);
  expect(links).toEqual(
    expect.arrayContaining([
      statement('get_login_creds', 'own', own.fingerprint),
      statement('get_login_creds', 'other', other.fingerprint),
      statement('handle_all_urls', 'own', own.fingerprint),
    ]),
  );
  expect(await read('apple-app-site-association')).toEqual({
    webcredentials: { apps: ['ABCDE12345.com.example.own', 'ABCDE12345.com.example.other'] },
    applinks: {
      details: [
        {
          appIDs: ['ABCDE12345.com.example.own'],
          components: [{ '/': '/v1/auth/link/email/open' }, { '/': '/v1/auth/links/email/open' }],
        },
      ],
    },
  });
});

test('if one application is configured as the only sender of magic links, other applications cannot send them', async () => {
  const redirect_uri = 'https://shop.example.com/complete';
  const appId = await madeApplication(server, { redirect_uris: [redirect_uri] });
  const otherToken = await server.clientToken(toCredentials(await madeClient(server, {}, appId)));
  const email = newEmail();
  await createUser(server, { email });
  const named = { redirect_uri, identifier_type: 'email', identifier: email };
  for (const [path, body] of [
    ['/v1/auth/link/email/send', named],
    ['/v1/auth/link/email/send', { ...named, channel: 'direct' }],
    ['/v1/auth/links/email', { email, redirect_uri }],
  ] as const)
    expect(await server.post(path, body, { token: otherToken })).toMatchObject({
      status: 403,
      body: { error_code: expect.anything(), message: expect.any(String) },
    });
  expect(await server.messages({ to: email })).toEqual([]);
  // The other application can still send one-time codes.
  const passcode = { channel: 'email', identifier_type: 'email', identifier: email };
  expect((await server.post('/v1/auth/otp/send', passcode, { token: otherToken })).status).toBe(200);

  // The application in the setting can send links, and its apps may open the paths of these links.
  const [ownUri = ''] = server.environment.redirect_uris;
  for (const [path, body] of [
    ['/v1/auth/link/email/send', { ...named, redirect_uri: ownUri }],
    ['/v1/auth/links/email', { email, redirect_uri: ownUri }],
  ] as const) {
    expect((await server.post(path, body, { token: await server.clientToken() })).status).toBe(200);
    const { applinks } = (await read('apple-app-site-association')) as {
      applinks: { details: readonly { components: readonly { '/': string }[] }[] };
    };
    const paths = applinks.details.flatMap(({ components }) => components.map((each) => each['/']));
    expect(paths).toContain(new URL(await server.linkTo(email)).pathname);
  }
});
