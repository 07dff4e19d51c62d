import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { made, resourceFields } from '../support/fixtures/managed.ts';
import { newEmail } from '../support/fixtures/people.ts';
import { type StoredApplication, storeApplication, storeTenant } from '../support/fixtures/tenants.ts';
import { tokensDirect } from '../support/fixtures/tokens.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';
import { listBlocks, ROOT, readPage } from './support/markdown.ts';

// Runs the verification code of the documentation page, and the verifier of the typed client, in a program that has only jose.

const server = useTestServer({ rateLimits: 'off' });
const folder = mkdtempSync(join(tmpdir(), 'verify-token-'));

/** Module that wraps the verifier of the typed client, so that it has the same interface as the documented code. */
const CLIENT = `
import { createVerifier } from '${join(ROOT, 'lib/client/verify.ts')}';
const { ISSUER, AUDIENCE: audience, TENANT_ID: tenantId, APP_IDS } = process.env;
const baseUrl = ISSUER.replace(/.oidc$/, '');
const verifyToken = createVerifier({ baseUrl, audience, tenantId, appIds: APP_IDS.split(' ') });
export { verifyToken };
`;
/** Program that verifies tokens from stdin. Each token is verified with its own settings by a new verifier. */
const RUN = `
import { json } from 'node:stream/consumers';
const said = [];
for (const [index, { token, settings }] of (await json(process.stdin)).entries()) {
  Object.assign(process.env, settings);
  const { verifyToken } = await import(settings.VERIFIER + '?' + index);
  said.push(await verifyToken(token).then(({ sub }) => sub, ({ message }) => 'refused: ' + message));
}
console.log(JSON.stringify(said));
`;
/** Module that moves the clock of the process two hours forward. */
const LATER = `
const now = Date.now;
globalThis.Date = class extends Date {
  constructor(...given) { given.length === 0 ? super(now() + 7_200_000) : super(...given); }
  static now() { return now() + 7_200_000; }
};
`;
beforeAll(() => {
  const [code = ''] = listBlocks('ts', readPage('functions/oauth/README.md'));
  writeFileSync(join(folder, 'verify.ts'), code);
  writeFileSync(join(folder, 'client.mjs'), CLIENT);
  writeFileSync(join(folder, 'run.mjs'), RUN);
  writeFileSync(join(folder, 'later.mjs'), LATER);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Settings = Readonly<Record<'VERIFIER' | 'ISSUER' | 'AUDIENCE' | 'TENANT_ID' | 'APP_IDS', string>>;

type Asked = readonly [token: string, settings: Settings];

async function verify(asked: readonly Asked[], ...options: string[]): Promise<readonly string[]> {
  const env = childEnvironment();
  const child = spawn(process.execPath, [...options, 'run.mjs'], { cwd: folder, env });
  child.stdin.end(JSON.stringify(asked.map(([token, settings]) => ({ token, settings }))));
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (said === '') throw new Error(complaint);
  return JSON.parse(said) as string[];
}

/** Creates a user and logs the user in to an application. Returns the tokens and the user ID. */
async function requestTokens(application?: StoredApplication, resource?: string) {
  const email = newEmail();
  const token = await server.clientToken(application);
  const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', { email }, token);
  const fields = resource === undefined ? {} : { resource };
  return { ...(await tokensDirect(server, email, fields, token)), userId };
}

const withDirect = { loginPreferences: { direct: {} } };
describe.each([
  ['with the documented code', './verify.ts'],
  ['with the typed client', './client.mjs'],
])('example API that verifies access tokens %s', (_title, VERIFIER) => {
  const mine = (AUDIENCE: string, APP_IDS: string): Settings => ({
    ...{ ISSUER: server.environment.issuer, TENANT_ID: server.environment.tenant_id },
    ...{ AUDIENCE, APP_IDS, VERIFIER },
  });

  test('the documented token verification accepts tokens whose audience is the resource or the application', async () => {
    const { app_id: appId } = server.environment;
    const { uri } = await made<{ uri: string }>(
      server,
      '/v1/resources',
      resourceFields(),
      await server.clientToken(),
    );
    const ofResource = await requestTokens(undefined, uri);
    const byPss = { idTokenSignedResponseAlg: 'PS256' } as const;
    const named = await storeApplication(server, { ...withDirect, appIdAudience: true }, byPss);
    const { applicationId } = named.application;
    const ofNamed = await requestTokens(named);
    const ofClient = await server.clientToken(named);
    const [resource, application, client, unnamed] = await verify([
      [ofResource.access_token, mine(uri, `other ${appId}`)],
      [ofNamed.access_token, mine(applicationId, applicationId)],
      [ofClient, mine(applicationId, applicationId)],
      [(await requestTokens()).access_token, mine(appId, appId)],
    ]);
    expect([resource, application, client]).toEqual([ofResource.userId, ofNamed.userId, named.clientId]);
    // The service itself still accepts the token.
    const own = { token: ofNamed.access_token };
    expect((await server.post('/v1/auth/logout', {}, own)).body).toEqual({ sessions_count: 1 });
    // Access tokens of an application without this setting do not have the application as their audience.
    expect(unnamed).toMatch(/^refused: .*"aud"/);
  });

  test('the documented token verification has one check for each type of token that an API must reject', async () => {
    const { issuer, app_id: appId, client_id: clientId } = server.environment;
    const good = await requestTokens();
    const settings = mine(issuer, appId);

    const { application, ...foreign } = await storeTenant(server, withDirect);
    const foreigner = await requestTokens({ application, ...foreign });
    const both = { ...settings, APP_IDS: `${appId} ${application.applicationId}` };
    const side = await requestTokens(await storeApplication(server, withDirect));
    const { privateKey } = await generateKeyPair('RS256');
    const forged = (header: object) =>
      new SignJWT({ tid: settings.TENANT_ID, app_id: appId })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject('user')
        .setExpirationTime('1h')
        .sign(privateKey);
    const [header = ''] = good.access_token.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };

    const answers = await verify([
      [good.access_token, settings],
      [foreigner.access_token, both],
      [side.access_token, settings],
      [good.access_token, { ...settings, AUDIENCE: 'https://api.example.com/' }],
      [good.id_token, { ...settings, AUDIENCE: clientId }],
      // The issuer URL uses 127.0.0.1 instead of localhost: it has the same keys but is a different issuer.
      [good.access_token, { ...settings, ISSUER: issuer.replace('localhost', '127.0.0.1') }],
      [await forged({ kid }), settings],
      [await forged({ kid: 'unknown' }), settings],
    ]);
    // The errors of the typed client also contain the expected and the actual value.
    expect(answers.map((each) => each.replace(/: expected .*/, ''))).toEqual([
      good.userId,
      expect.stringMatching(/^refused: .*another tenant$/),
      expect.stringMatching(/^refused: .*another application$/),
      'refused: unexpected "aud" claim value',
      'refused: unexpected "typ" JWT header value',
      'refused: unexpected "iss" claim value',
      'refused: signature verification failed',
      'refused: no applicable key found in the JSON Web Key Set',
    ]);
    const later = await verify([[good.access_token, settings]], '--import', './later.mjs');
    expect(later).toEqual([
      expect.stringMatching(/^refused: (?:"exp" claim timestamp check failed|the token has expired)/),
    ]);
  });
});
