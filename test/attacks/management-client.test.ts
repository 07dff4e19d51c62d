// The attacker has a management client, which was stolen or created by mistake. The client cannot obtain provider secrets,
// reach internal networks, or place links to other hosts on login pages.
import { describe, expect, test } from '@jest/globals';
import { updateApplication } from '../../shared/domain/management/applications.ts';
import { PROVIDERS } from '../../shared/records/providers.ts';
import { madeApplication } from '../support/fixtures/managed.ts';
import { answerAt, newClaims, socialLogin, useSocialLogin } from '../support/providers/social.ts';
import { startUpstream, type Upstream } from '../support/providers/upstream.ts';
import { otlAt, otlWith } from '../support/server/otl.ts';

type Json = Readonly<Record<string, unknown>>;

const { upstream, server, social, browser } = useSocialLogin();
const toFlags = ({ home_uri, brand }: Json): readonly string[] =>
  home_uri === undefined ? ['--brand', JSON.stringify(brand)] : ['--home-uri', String(home_uri)];
const { otl } = otlAt(server);

describe('options that otl requires to create clients', () => {
  test('otl does not create a management client without the option --app', async () => {
    const forgotten = await otl('--json', 'client', 'create', '--name', 'Shop backend');
    expect(forgotten).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--management') });
    const both = await otl(
      '--json',
      'client',
      'create',
      '--name',
      'Both',
      '--app',
      'demo-app',
      '--management',
    );
    expect(both).toMatchObject({ code: 2, stdout: '' });

    const meant = await otl('--json', 'client', 'create', '--name', 'Provisioning', '--management');
    expect({ code: meant.code, ...(JSON.parse(meant.stdout) as Json) }).toMatchObject({
      code: 0,
      kind: 'management',
    });
    const ofApp = await otl('--json', 'client', 'create', '--name', 'Shop backend', '--app', 'demo-app');
    expect({ code: ofApp.code, ...(JSON.parse(ofApp.stdout) as Json) }).toMatchObject({
      code: 0,
      kind: 'application',
      app_id: 'demo-app',
    });
  });
});

describe('changing the redirect URIs of an application', () => {
  const put = async (appId: string, fields: Json) =>
    server.put<Json & { result: Json }>(`/v1/applications/${appId}`, fields, {
      token: await server.adminToken(),
    });

  test.each([
    ['localhost:5173/cb', 'must begin with https://, or http:// for localhost'],
    ['shop.example.com:8443', 'must begin with https://, or http:// for localhost'],
    ['localhost:/cb', 'must begin with https://, or http:// for localhost'],
    ['https://*.example.com', 'must name one host, without wildcards'],
    ['https://%2A.example.com/cb', 'must name one host, without wildcards'],
  ])('an ambiguous redirect URI is rejected: %s', async (uri, reason) => {
    const appId = await madeApplication(server);
    for (const fields of [{ redirect_uris: [uri] }, { add_redirect_uris: [uri] }]) {
      const [field] = Object.keys(fields);
      expect(await put(appId, fields)).toMatchObject({
        status: 400,
        body: { message: `${field}.0: ${reason}` },
      });
    }
    const native = ['com.example.shop:/cb', 'http://localhost:5173/cb', 'https://shop.example.com/*'];
    expect(await put(appId, { redirect_uris: native })).toMatchObject({
      status: 200,
      body: { result: { redirect_uris: native } },
    });
  });

  test('redirect URIs that several requests add concurrently are all stored', async () => {
    const first = 'https://shop.example.com/first';
    const appId = await madeApplication(server, { redirect_uris: [first] });
    const added = Array.from({ length: 3 }, (_, n) => `https://shop.example.com/${n}`);
    const answers = await Promise.all(added.map((uri) => put(appId, { add_redirect_uris: [uri] })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // A redirect URI that is added a second time is not stored twice.
    const { body } = await put(appId, { add_redirect_uris: [first] });
    const stored = body.result.redirect_uris as string[];
    expect(stored[0]).toBe(first);
    expect(stored.toSorted()).toEqual([...added, first].toSorted());
  });

  test('otl can add a redirect URI without listing the existing redirect URIs again', async () => {
    const [kept, more] = ['https://shop.example.com/kept', 'https://shop.example.com/more'];
    const appId = await madeApplication(server, { redirect_uris: [kept] });
    const add = (uri: string) =>
      otlWith({ OTL_ENDPOINT: server.url }, [
        'application',
        'add-redirect-uri',
        appId,
        '--uri',
        uri,
        '--json',
      ]);
    const { stdout } = await add(more);
    expect(JSON.parse(stdout)).toMatchObject({ redirect_uris: [kept, more] });
    expect(await add('https://*.example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('without wildcards'),
    });
  });

  test("an added redirect URI counts towards the application's limit on redirect URIs", async () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `https://shop.example.com/${from + n}`);
    const appId = await madeApplication(server, { redirect_uris: many(0, 99) });
    expect((await put(appId, { add_redirect_uris: many(99, 1) })).status).toBe(200);
    expect(await put(appId, { add_redirect_uris: many(100, 1) })).toMatchObject({
      status: 400,
      body: { message: 'add_redirect_uris: an application has at most 100 redirect URIs' },
    });
  });
});

describe('hosts to which links on login pages may point', () => {
  const OWN = 'https://shop.example.com';
  const EVIL = 'https://evil.example';
  const FIELDS = ['terms_uri', 'home_uri'] as const;
  const withLink = (field: string, uri: string): Json =>
    field === 'home_uri' ? { home_uri: uri } : { brand: { [field]: uri } };
  const put = async (appId: string, fields: Json, token?: string) =>
    server.put<Json & { result: Json }>(`/v1/applications/${appId}`, fields, {
      token: token ?? (await server.adminToken()),
    });
  const refused = (field: string) => ({
    status: 400,
    body: { message: expect.stringMatching(new RegExp(`^(brand\\.)?${field}: must use https and a host`)) },
  });

  test.each(FIELDS)(
    'adding a redirect URI does not let the same request point the link %s to the host of this URI',
    async (field) => {
      const appId = await madeApplication(server, { redirect_uris: [`${OWN}/cb`] });
      const link = withLink(field, `${EVIL}/`);
      for (const uris of [
        { add_redirect_uris: [`${EVIL}/cb`] },
        { redirect_uris: [`${OWN}/cb`, `${EVIL}/cb`] },
        {},
      ])
        expect(await put(appId, { ...uris, ...link })).toMatchObject(refused(field));
      expect(await put(appId, withLink(field, `${OWN}/page`))).toMatchObject({ status: 200 });
      // Links to a host are rejected if the same change removes the host's redirect URI.
      const moved = { redirect_uris: [`${EVIL}/cb`], ...withLink(field, `${OWN}/page`) };
      expect(await put(appId, moved)).toMatchObject(refused(field));
      const updated = await otl(
        'application',
        'update',
        appId,
        '--redirect-uri',
        `${EVIL}/cb`,
        ...toFlags(link),
      );
      expect(updated).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('must use https and a host'),
      });
    },
  );

  test.each(FIELDS)(
    'the link %s of a new application may point only to hosts of its redirect URIs',
    async (field) => {
      const fields = { name: 'Shop', redirect_uris: [`${OWN}/cb`] };
      const token = await server.adminToken();
      const create = (more: Json) => server.post('/v1/applications', { ...fields, ...more }, { token });
      expect(await create(withLink(field, `${EVIL}/`))).toMatchObject(refused(field));
      expect(await create(withLink(field, 'http://localhost/'))).toMatchObject(refused(field));
      expect(await create(withLink(field, `${OWN}/page`))).toMatchObject({ status: 201 });
    },
  );

  test('a client cannot change the links on the login pages of its application', async () => {
    const token = await server.clientToken();
    const { app_id } = server.environment;
    const link = withLink('terms_uri', `${EVIL}/`);
    expect((await put(app_id, { add_redirect_uris: [`${EVIL}/cb`], ...link }, token)).status).toBe(403);
    const made = await server.post('/v1/applications', { name: 'Shop', ...link }, { token });
    expect(made.status).toBe(403);
  });
});

const putProvider = async (name: string, settings: object) =>
  server.put(
    `/loginPreferences/${server.environment.app_id}`,
    { [name]: settings },
    { token: await server.adminToken() },
  );

const putOpenIdProviders = async (openid_providers: readonly object[] | null) =>
  server.put(
    `/v1/applications/${server.environment.app_id}`,
    { openid_providers },
    { token: await server.adminToken() },
  );

const acme = (change: object = {}) => ({
  ...{ name: 'acme', label: 'Acme', client_id: 'client', issuer: 'https://id.example.com/tenant' },
  ...change,
});

/** Sets the test's provider as the issuer of Google, directly in the database, because the API rejects loopback addresses. */
async function pointAt({ clientId, issuer }: Upstream): Promise<void> {
  const ports = await server.ports([
    ...(['applicationRecords', 'providerSecretRecords', 'resourceRecords', 'tenants'] as const),
  ]);
  const tenant = await ports.tenants.find(server.environment.tenant_id);
  if (!tenant) throw new Error('there is no tenant');
  const google = { client_id: clientId, issuer, trusted_for_email: true };
  const own = { tenant, applicationId: server.environment.app_id, localExceptions: { loopback: true } };
  await updateApplication(ports, own, { login_preferences: { google } }, Math.floor(Date.now() / 1000));
  await server.advanceClock(61);
}

const logIn = (to: Upstream) => socialLogin(server, to).logIn(browser(), newClaims());

describe('client secret of an identity provider', () => {
  test('the client secret of an identity provider is sent only to the issuer for which it was configured', async () => {
    expect(answerAt(await logIn(upstream))).toEqual({ code: expect.any(String) });
    const [evil, before] = [await startUpstream(), upstream.exchanges.length];
    try {
      await pointAt(evil);
      expect(answerAt(await logIn(evil))).toMatchObject({ error: 'access_denied' });
      expect(evil.exchanges).toEqual([]);

      // After an operator has set the secret again, it is sent to the new issuer.
      const { app_id } = server.environment;
      const google = ['--provider', 'google', '--client-id', evil.clientId, '--issuer', evil.issuer];
      const set = ['application', 'set-provider', app_id, ...google, '--secret-file', '-'];
      const own = 'a secret of the new issuer';
      expect(await otlWith({ OTL_ENDPOINT: server.url }, set, own)).toMatchObject({ code: 0 });
      await server.advanceClock(61);
      expect(answerAt(await logIn(evil))).toEqual({ code: expect.any(String) });
      const { authorization = '' } = evil.exchanges[0] ?? {};
      const sent = Buffer.from(authorization.slice('Basic '.length), 'base64').toString();
      expect(sent).toContain(encodeURIComponent(own).replaceAll('%20', '+'));

      // The new secret is not sent to the previous issuer.
      await pointAt(upstream);
      expect(answerAt(await logIn(upstream))).toMatchObject({ error: 'access_denied' });
      expect(upstream.exchanges).toHaveLength(before);
    } finally {
      await evil.stop();
      const { clientId, issuer, clientSecret } = upstream;
      const { providerSecretRecords } = await server.ports(['providerSecretRecords']);
      await providerSecretRecords.put(server.environment.app_id, 'google', { clientSecret, issuer });
      await pointAt({ ...upstream, clientId, issuer });
    }
    expect(answerAt(await logIn(upstream))).toEqual({ code: expect.any(String) });
  });
});

describe('changing the issuer of an identity provider', () => {
  test.each(PROVIDERS)(
    'a management client cannot change the issuer of the built-in identity provider %s',
    async (name) => {
      expect(
        await putProvider(name, { client_id: 'client', issuer: 'https://id.example.com' }),
      ).toMatchObject({
        status: 400,
        body: {
          message: `login_preferences.${name}.issuer: cannot be set; add the provider by name to openid_providers instead`,
        },
      });
    },
  );

  test('the issuer of a custom OpenID provider must be a public https URL', async () => {
    for (const issuer of [
      ...['http://127.0.0.1:8080', 'http://169.254.169.254', 'http://id.example.com'],
      ...[
        'https://169.254.169.254/latest',
        'https://[fd00:ec2::254]',
        'https://[fe80::1]',
        'https://10.0.0.1',
      ],
    ])
      expect([issuer, await putOpenIdProviders([acme({ issuer })])]).toMatchObject([
        issuer,
        {
          status: 400,
          body: {
            message: expect.stringMatching(/^openid_providers\.0\.issuer: must be a public https address/),
          },
        },
      ]);
  });

  test('an application can have at most ten custom OpenID providers, none with the name of a built-in login method', async () => {
    const many = Array.from({ length: 10 }, (_, index) => acme({ name: `acme-${index}` }));
    expect((await putOpenIdProviders(many)).body).toMatchObject({ result: { openid_providers: many } });
    for (const [message, change] of [
      [/^openid_providers: must have at most 10 entries/, [...many, acme()]],
      [/^openid_providers\.1\.name: must be unique/, [acme(), acme()]],
      [/^openid_providers\.0\.base64logo/, [acme({ base64logo: 'PHN2Zz4=' })]],
      [/^openid_providers\.0\.name: must have 1 to 32/, [acme({ name: 'Acme' })]],
      [/^openid_providers\.0\.label: must not hold control/, [acme({ label: 'Goo\u202egle' })]],
      [/^openid_providers\.0\.scopes\.0: must be a scope/, [acme({ scopes: ['a b'] })]],
      [/^openid_providers\.0\.prompt/, [acme({ prompt: 'none' })]],
      ...['google', 'email', 'link', 'passkey', 'direct'].map(
        (name) => [/^openid_providers\.0\.name: must not be the name/, [acme({ name })]] as const,
      ),
    ] as const)
      expect(await putOpenIdProviders(change)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(message) },
      });
  });

  test("removing a custom OpenID provider deletes the provider's client secret", async () => {
    const { providerSecretRecords, providerSecrets } = await server.ports([
      ...(['providerSecretRecords', 'providerSecrets'] as const),
    ]);
    const { app_id } = server.environment;
    await putOpenIdProviders([acme({ name: 'kept' }), acme({ name: 'removed' })]);
    for (const name of ['openid/kept', 'openid/removed'] as const)
      await providerSecretRecords.put(app_id, name, { clientSecret: 'secret' });
    expect((await putOpenIdProviders([acme({ name: 'kept' })])).status).toBe(200);
    expect(await providerSecrets.find(app_id, 'openid/removed')).toBeUndefined();
    expect(await providerSecrets.find(app_id, 'openid/kept')).toEqual({ clientSecret: 'secret' });
    expect((await putOpenIdProviders(null)).body).toMatchObject({ result: { openid_providers: [] } });
    expect((await putOpenIdProviders([acme({ name: 'kept' })])).status).toBe(200);
  });

  test('an issuer that an earlier version has stored for a built-in identity provider stays in use', async () => {
    const { clientId: client_id, issuer } = upstream;
    await pointAt(upstream);
    expect((await putProvider('google', { client_id, issuer, trusted_for_email: true })).status).toBe(200);
    expect(answerAt(await logIn(upstream))).toEqual({ code: expect.any(String) });
  });

  test.each([
    ['authorization_endpoint', 'https://10.255.255.1/authorize'],
    ['authorization_endpoint', 'javascript:alert(1)//'],
    ['token_endpoint', 'https://10.255.255.1/token'],
    ['jwks_uri', 'https://192.168.255.1/jwks'],
  ])(
    'an identity provider whose metadata contains an unsafe URL as %s is rejected: %s',
    async (name, address) => {
      // `access_denied` shows that the URL was rejected. An unreachable URL would result in `temporarily_unavailable`.
      const evil = await startUpstream({ [name]: address });
      try {
        const { clientId, issuer, clientSecret } = evil;
        const { providerSecretRecords } = await server.ports(['providerSecretRecords']);
        await providerSecretRecords.put(server.environment.app_id, 'google', { clientSecret, issuer });
        await pointAt({ ...evil, clientId });
        const left = await social.leave(browser());
        if (name === 'authorization_endpoint')
          expect(answerAt(left)).toMatchObject({ error: 'access_denied' });
        else expect(answerAt(await logIn(evil))).toMatchObject({ error: 'access_denied' });
      } finally {
        await evil.stop();
      }
    },
  );
});
