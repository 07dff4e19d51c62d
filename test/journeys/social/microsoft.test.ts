import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProviderPreference } from '../../../shared/ports/providers.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { decodeClaims } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, createUser, newEmail } from '../../support/fixtures/people.ts';
import { divertHosts } from '../../support/providers/divert-hosts.ts';
import { answerAt, socialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { BrowserJar } from '../../support/tools/browser-jar.ts';

const HOST = 'https://login.microsoftonline.com';
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** ID of a Microsoft directory that publishes no keys, so that no signature is valid. */
const KEYLESS = '00000000-0000-4000-8000-000000000000';
const COMPANY = randomUUID();
const toIssuer = (directory: string) => `${HOST}/${directory}/v2.0`;

/** Returns the metadata document that Microsoft publishes for a directory. */
function documentAt(path: string): object | undefined {
  const [, directory = ''] = path.split('/');
  if (path === `/${KEYLESS}/jwks`) return { keys: [] };
  if (!path.endsWith('/v2.0/.well-known/openid-configuration')) return undefined;
  // Microsoft's document for `common` contains a placeholder in the issuer.
  const issuer = toIssuer(directory === 'common' ? '{tenantid}' : directory);
  return { issuer, jwks_uri: `${HOST}/${directory}/jwks`, id_token_signing_alg_values_supported: ['ES256'] };
}

const upstream = {} as Upstream;
const server = {} as TestServer;
const social = {} as ReturnType<typeof socialLogin>;
let endDiversion: () => void;

beforeAll(async () => {
  Object.assign(upstream, await startUpstream({}, documentAt));
  endDiversion = divertHosts([new URL(HOST).host], new URL(upstream.issuer).port);
  const { clientId, clientSecret } = upstream;
  const microsoft = { preference: { clientId }, secret: { clientSecret } };
  Object.assign(server, await startTestServer({ rateLimits: 'off', providers: { microsoft } }));
  Object.assign(social, socialLogin(server, upstream));
});

afterAll(async () => {
  endDiversion();
  await server.stop();
  await upstream.stop();
  server.expectNoViolations();
});

type Claims = Readonly<Record<string, unknown>>;

/** Returns the claims of a new account in a directory. Microsoft's `sub` is different for each registered app. */
const accountIn = (tid: string, more: Claims = {}): Claims => ({
  iss: toIssuer(tid),
  tid,
  oid: randomUUID(),
  sub: randomUUID(),
  ...more,
});

/** Logs in at Microsoft in a new browser. The ID token contains the given claims. */
async function logIn(claims: Claims): Promise<URL> {
  const jar = new BrowserJar(new URL(server.environment.base_url).origin);
  const away = await social.leave(jar, {}, 'microsoft');
  const code = upstream.issue(away, { claims });
  const back = await jar.request(social.callback(away, { code, iss: undefined }));
  return new URL(back.headers.get('location') ?? '');
}

async function logInAndFindUser(claims: Claims): Promise<string> {
  const target = await logIn(claims);
  expect(answerAt(target)).toEqual({ code: expect.any(String) });
  return decodeClaims((await social.exchange(target)).body.id_token).sub ?? '';
}

async function readRecord(userId: string) {
  const token = await server.clientToken();
  const { body } = await server.get<{ readonly result: Record<string, unknown> }>(`/v1/users/${userId}`, {
    token,
  });
  return body.result;
}

const withSettings = (settings: Partial<ProviderPreference>, run: () => Promise<void>) =>
  withApplication(
    server,
    { loginPreferences: { email: {}, microsoft: { clientId: upstream.clientId, ...settings } } },
    run,
  );

const failed = { error: 'access_denied', error_description: 'The provider did not prove who logged in' };
const addressTaken = {
  error: 'access_denied',
  error_description: 'An account with this address exists: log in to it in another way',
};

describe('login with a Microsoft account', () => {
  test('a Microsoft login creates a user with the verified address', async () => {
    const jar = new BrowserJar(new URL(server.environment.base_url).origin);
    const away = await social.leave(jar, {}, 'microsoft');
    expect(away.origin + away.pathname).toBe(`${HOST}/common/oauth2/v2.0/authorize`);
    expect(Object.fromEntries(away.searchParams)).toMatchObject({
      client_id: upstream.clientId,
      scope: 'openid email profile',
      redirect_uri: `${server.environment.base_url}/auth/microsoft/callback`,
      code_challenge_method: 'S256',
      nonce: expect.any(String),
    });
    const email = newEmail();
    const names = { given_name: 'Ann', family_name: 'Example' };
    const account = accountIn(COMPANY, { email, xms_edov: true, ...names });
    expect(await readRecord(await logInAndFindUser(account))).toMatchObject({
      email: { value: email, email_verified: true },
      name: { first_name: 'Ann', last_name: 'Example' },
      identities: [{ provider: 'microsoft', subject: `${account.oid}.${COMPANY}` }],
    });
  });

  test('a Microsoft login finds its user by directory ID and object ID', async () => {
    const account = accountIn(COMPANY, { email: newEmail() });
    const userId = await logInAndFindUser(account);
    expect(await logInAndFindUser({ ...account, sub: randomUUID(), email: newEmail() })).toBe(userId);
    const directory = randomUUID();
    const namesake = { ...account, tid: directory, iss: toIssuer(directory) };
    expect(await logInAndFindUser(namesake)).not.toBe(userId);
  });
});

describe('linking a Microsoft account by its address', () => {
  test.each([
    ['who has verified this address', createProvenUser],
    ['for whom a backend has set this address', createUser],
  ])(
    'a Microsoft account with an address set by an administrator is not linked to the user %s (nOAuth attack)',
    async (_, create) => {
      const email = newEmail('victim');
      const { user_id: victim } = await create(server, { email });
      const attack = async () => {
        for (const xms_edov of [undefined, false, 'false', '0', 0, null]) {
          const forged = accountIn(randomUUID(), { email, email_verified: true, xms_edov });
          const answer = answerAt(await logIn(forged));
          expect([xms_edov, answer]).toEqual([xms_edov, addressTaken]);
        }
        expect(await readRecord(victim)).toMatchObject({ identities: [] });
      };
      await attack();
      // The account is not linked even if the application trusts Microsoft, because Microsoft has not verified the address.
      await withSettings({ trustedForEmail: true }, attack);
    },
  );

  test('an unverified address of a new Microsoft account is not stored', async () => {
    const email = newEmail();
    expect((await readRecord(await logInAndFindUser(accountIn(COMPANY, { email })))).email).toBeUndefined();
    const token = await server.clientToken();
    expect((await server.get(`/v1/users/email/${email}`, { token })).status).toBe(404);
  });

  test.each([
    ['its directory owns the domain', COMPANY, true],
    ['xms_edov is the number 1', COMPANY, 1],
    ['xms_edov is the string 1', COMPANY, '1'],
    ['it is a personal account', PERSONAL, undefined],
  ])(
    'a Microsoft account is linked to the user with the same verified address if %s',
    async (_, directory, xms_edov) => {
      const email = newEmail();
      const { user_id: userId } = await createUser(server, { email });
      expect(await logInAndFindUser(accountIn(directory, { email, xms_edov }))).toBe(userId);
    },
  );

  test('a Microsoft account is not linked by address if the application does not trust Microsoft', async () => {
    const email = newEmail();
    await createUser(server, { email });
    await withSettings({ trustedForEmail: false }, async () => {
      expect(answerAt(await logIn(accountIn(PERSONAL, { email })))).toEqual(addressTaken);
    });
  });
});

describe('rejected ID tokens from Microsoft', () => {
  const other = randomUUID();
  test.each<[string, Claims]>([
    ['with the issuer of another directory', { iss: toIssuer(other) }],
    ['with a directory ID that does not match the issuer', { tid: other }],
    ['with an issuer other than Microsoft', { iss: 'https://id.example.com' }],
    [
      'with the placeholder {tenantid} that the metadata of `common` contains',
      { iss: toIssuer('{tenantid}'), tid: '{tenantid}' },
    ],
    ['with the issuer of the version 1 endpoint', { iss: `https://sts.windows.net/${COMPANY}/` }],
    ['without a directory ID', { tid: undefined }],
    ['with a path as its directory ID', { tid: `../${COMPANY}`, iss: toIssuer(`../${COMPANY}`) }],
    ['without an object ID', { oid: undefined }],
    ['with an invalid object ID', { oid: `x.${COMPANY}` }],
    ['for another client', { aud: 'another client' }],
  ])('a Microsoft ID token is rejected %s', async (_, change) => {
    expect(answerAt(await logIn(accountIn(COMPANY, change)))).toEqual(failed);
  });

  test('a Microsoft ID token is rejected unless its directory publishes the signing key', async () => {
    expect(answerAt(await logIn(accountIn(KEYLESS)))).toEqual(failed);
  });
});

describe('Microsoft directories that an application allows', () => {
  test.each([
    ['one directory', [COMPANY], COMPANY, [COMPANY], [randomUUID(), PERSONAL]],
    ['two directories', [COMPANY, KEYLESS], 'common', [COMPANY], [randomUUID(), PERSONAL]],
    ['organizations', ['organizations'], 'organizations', [COMPANY], [PERSONAL]],
    ['consumers', ['consumers'], 'consumers', [PERSONAL], [COMPANY]],
  ])(
    'only users of the allowed Microsoft directories can log in: %s',
    async (_, directories, endpoint, allowed, refused) => {
      await withSettings({ directories }, async () => {
        const away = await social.leave(new BrowserJar(social.redirectUri), {}, 'microsoft');
        expect(away.pathname).toBe(`/${endpoint}/oauth2/v2.0/authorize`);
        for (const directory of allowed) await logInAndFindUser(accountIn(directory));
        for (const directory of refused) expect(answerAt(await logIn(accountIn(directory)))).toEqual(failed);
      });
    },
  );

  const put = async (settings: object) => {
    const { client_id } = server.environment;
    const { status, body } = await server.put<{ readonly message?: string }>(
      `/loginPreferences/${server.environment.app_id}`,
      { microsoft: { client_id, ...settings } },
      { token: await server.adminToken() },
    );
    return [status, body.message];
  };

  test.each([
    ['empty', []],
    ['`common`', ['common']],
    ['a domain', ['contoso.onmicrosoft.com']],
    ['an ID in upper case', [COMPANY.toUpperCase()]],
    ['a path', [`${COMPANY}/..`]],
  ])('the allowed Microsoft directories cannot be %s', async (_, directories) => {
    expect(await put({ directories })).toEqual([400, expect.stringContaining('directories')]);
  });

  test('allowed Microsoft directories cannot be configured together with an issuer', async () => {
    expect(await put({ directories: [COMPANY], issuer: toIssuer(COMPANY) })).toEqual([
      400,
      'login_preferences.microsoft.directories: cannot be combined with issuer',
    ]);
  });

  test('the API returns the allowed Microsoft directories exactly as an operator has set them', async () => {
    expect(await put({ directories: [COMPANY, 'consumers'] })).toEqual([200, undefined]);
    const token = await server.adminToken();
    const { body } = await server.get(`/v1/applications/${server.environment.app_id}`, { token });
    expect(body).toMatchObject({
      result: { login_preferences: { microsoft: { directories: [COMPANY, 'consumers'] } } },
    });
  });
});
