import { describe, expect, test } from '@jest/globals';
import { answerAt, newClaims, socialLogin, useSocialLogin } from '../support/providers/social.ts';
import { startUpstream, type Upstream } from '../support/providers/upstream.ts';
import { otlWith } from '../support/server/otl.ts';

/** Who may set the login methods of an application learns no secret of it and reaches no inner network. */

const { upstream, server, social, browser } = useSocialLogin();
const otl = (...args: string[]) => otlWith({ OTL_ENDPOINT: server.url }, args);

const put = async (google: object) =>
  server.put(
    `/loginPreferences/${server.environment.app_id}`,
    { google },
    { token: await server.adminToken() },
  );

/** On this machine only the command line may name an issuer of this machine. */
async function pointAt({ clientId, issuer }: Upstream): Promise<void> {
  const preferences = JSON.stringify({ google: { client_id: clientId, issuer, trusted_for_email: true } });
  const answer = await otl(
    'application',
    'update',
    server.environment.app_id,
    '--login-preferences',
    preferences,
  );
  expect(answer).toMatchObject({ code: 0 });
  await server.advanceClock(61);
}

const logIn = (to: Upstream) => socialLogin(server, to).logIn(browser(), newClaims());

describe('the secret of a provider', () => {
  test('goes to no other issuer than the one it was set for', async () => {
    expect(answerAt(await logIn(upstream))).toEqual({ code: expect.any(String) });
    const [evil, before] = [await startUpstream(), upstream.exchanges.length];
    try {
      await pointAt(evil);
      expect(answerAt(await logIn(evil))).toMatchObject({ error: 'access_denied' });
      expect(evil.exchanges).toEqual([]);

      // The operator who means it sets the secret for the new issuer.
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

      // Nor does it go back to the former one.
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

describe('an issuer', () => {
  test.each([
    ...['http://127.0.0.1:8080', 'https://127.0.0.1', 'https://localhost', 'https://id.localhost:8443'],
    ...['https://10.0.0.1', 'https://169.254.169.254/latest', 'https://[::1]', 'https://[fd00:ec2::254]'],
    ...['https://2130706433', 'https://0x7f.1', 'https://192.168.1.1/', 'http://id.example.com'],
  ])('in no public network is refused over HTTP: %s', async (issuer) => {
    const { clientId: client_id } = upstream;
    expect(await put({ client_id, issuer })).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(/^login_preferences\.google\.issuer: must be a public https address/),
      },
    });
  });

  test('in a public one is taken, and one that stays as the command line has set it', async () => {
    const { clientId: client_id, issuer } = upstream;
    expect((await put({ client_id, issuer: 'https://id.example.com/tenant' })).status).toBe(200);
    await pointAt(upstream);
    expect((await put({ client_id, issuer, trusted_for_email: true })).status).toBe(200);
    expect(answerAt(await logIn(upstream))).toEqual({ code: expect.any(String) });
  });

  test.each([
    ['authorization_endpoint', 'https://10.255.255.1/authorize'],
    ['authorization_endpoint', 'https://[fd00::1]/authorize'],
    ['authorization_endpoint', 'javascript:alert(1)//'],
    ['token_endpoint', 'https://10.255.255.1/token'],
    ['token_endpoint', 'https://169.254.169.254/token'],
    ['jwks_uri', 'https://192.168.255.1/jwks'],
  ])('cannot announce an inner address as %s: %s', async (name, address) => {
    // A provider that is down would be `temporarily_unavailable`.
    const evil = await startUpstream({ [name]: address });
    try {
      const { clientId, issuer, clientSecret } = evil;
      const { providerSecretRecords } = await server.ports(['providerSecretRecords']);
      await providerSecretRecords.put(server.environment.app_id, 'google', { clientSecret, issuer });
      await pointAt({ ...evil, clientId });
      const left = await social.leave(browser());
      if (name === 'authorization_endpoint') expect(answerAt(left)).toMatchObject({ error: 'access_denied' });
      else expect(answerAt(await logIn(evil))).toMatchObject({ error: 'access_denied' });
    } finally {
      await evil.stop();
    }
  });
});
