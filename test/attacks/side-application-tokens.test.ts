// Attacks with a stolen client token, with a login that the attacker began (login CSRF), or with a stolen authorization code.
import { describe, expect, test } from '@jest/globals';
import { codeBased, open, readRedirect } from '../support/fixtures/code-based.ts';
import { decodeClaims, useHostedLogin, verifier } from '../support/fixtures/hosted-login.ts';
import { madeClient } from '../support/fixtures/managed.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { dpopProof, newKey } from '../support/fixtures/proofs.ts';
import { askToken, exchange, storeClient, storeNewCode } from '../support/tools/authorized.ts';

const { server, login } = useHostedLogin();

type Body = Readonly<Record<string, string>>;

describe('attacker who has stolen a DPoP-bound client token', () => {
  const key = newKey();
  const proofFor = (path: string, more: object = {}) =>
    dpopProof(key, {
      htm: 'POST',
      htu: `${server.environment.base_url}${path}`,
      iat: Math.floor(Date.now() / 1000),
      ...more,
    });

  test('a stolen DPoP-bound client token cannot be used to obtain user tokens', async () => {
    const client = await storeClient(server, { dpopBound: true });
    const granted = await askToken(server, { grant_type: 'client_credentials' }, client, {
      dpop: proofFor('/oidc/token'),
    });
    const token = granted.body.access_token;
    const ath = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))).toString(
      'base64url',
    );
    const call = (path: string, json: object) =>
      server.post<Body>(path, json, {
        headers: { authorization: `DPoP ${token}`, dpop: proofFor(path, { ath }) },
      });

    const email = newEmail();
    await createUser(server, { email });
    const named = { identifier_type: 'email', identifier: email };
    const { code: passcode } = (await call('/v1/auth/otp/send', { ...named, channel: 'direct' })).body;
    const link = { ...named, channel: 'direct', redirect_uri: login.redirectUri };
    const { code } = (await call('/v1/auth/link/email/send', link)).body;
    const session = await login.exchange(await login.logIn(login.browser(), email));
    const { session_id } = session.body;
    for (const [path, json] of [
      ['/v1/auth/otp/authenticate', { ...named, passcode }],
      ['/v1/auth/link/email/authenticate', { code }],
      ['/v1/auth/session/authenticate', { session_id }],
    ] as const) {
      const { status, body } = await call(path, json);
      expect([path, status, body.message]).toEqual([path, 400, expect.stringContaining('DPoP')]);
      expect(body).not.toHaveProperty('access_token');
    }
    // The client gets user tokens only by an authorization code, which it exchanges with a DPoP proof.
    const stored = await storeNewCode(server, { clientId: client.clientId });
    const bound = await exchange(server, stored, {}, client, { dpop: proofFor('/oidc/token') });
    expect(bound.body.token_type).toBe('DPoP');
  });
});

describe('login CSRF, in which a victim completes a login that an attacker began', () => {
  test.each(['link', 'digits'])(
    'if a victim completes a login begun by an attacker (by %s), the state and nonce do not match',
    async (way) => {
      const sectionC = codeBased(server, await server.clientToken());
      const [attacker, victim] = [newEmail(), newEmail()];
      for (const email of [attacker, victim]) await createUser(server, { email });
      const begin = async (email: string, state: string, nonce: string) => {
        if (way === 'digits') return sectionC.resultByEmail(email, { state, nonce });
        await sectionC.sendLink({ email, state, nonce });
        return server.linkTo(email);
      };
      const own = { state: 'of the victim', nonce: 'victim-nonce' };
      const planted = await begin(attacker, 'of the attacker', 'attacker-nonce');
      const honest = await begin(victim, own.state, own.nonce);

      const arrivals = [];
      for (const address of [planted, honest]) {
        const arrival = await readRedirect(open(address));
        const { body } = await sectionC.exchange(arrival.searchParams.get('code') ?? '');
        arrivals.push([arrival.searchParams.get('state'), decodeClaims(body.id_token).nonce]);
      }
      expect(arrivals).toEqual([
        ['of the attacker', 'attacker-nonce'],
        [own.state, own.nonce],
      ]);
    },
  );

  test('if an emailed link cannot be opened, the client receives an error with the state of its request', async () => {
    const sectionC = codeBased(server, await server.clientToken());
    const { email = { value: '' } } = await createUser(server, { email: newEmail() });
    await sectionC.sendLink({ email: email.value, state: 'mine' });
    const link = await server.linkTo(email.value);
    await server.advanceClock(16 * 60);
    const expired = await readRedirect(open(link));
    expect([expired.searchParams.get('error'), expired.searchParams.get('state')]).toEqual([
      'invalid_link',
      'mine',
    ]);
    for (const fields of [{ state: 'ü'.repeat(700) }, { nonce: 'n'.repeat(513) }]) {
      const { status, body } = await sectionC.sendEmailOtp({ email: email.value, ...fields });
      expect([status, String(body.message)]).toEqual([400, expect.stringMatching(/^(?:state|nonce): /)]);
    }
  });
});

describe('authorization code that an attacker steals and injects at /v1/token', () => {
  const retrieve = (
    { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
    code: string,
    fields: object = {},
  ) => server.post<Body>('/v1/token', { client_id: clientId, client_secret: clientSecret, code, ...fields });

  test('a stolen authorization code is rejected if the client sends neither a redirect URI nor a code verifier', async () => {
    const client = await madeClient(server, {}, server.environment.app_id);
    const clientId = client.client_id;
    const owner = { clientId, clientSecret: client.client_secret };
    const { code } = await storeNewCode(server, { clientId });
    expect((await retrieve(owner, code)).status).toBe(400);
    expect((await retrieve(owner, code, { redirect_uri: 'https://evil.example/cb' })).status).toBe(400);
    expect((await retrieve(owner, code, { redirect_uri: login.redirectUri })).status).toBe(200);

    const begun = await login.logIn(login.browser(), await known(), { client_id: clientId });
    const withChallenge = begun.searchParams.get('code') ?? '';
    expect((await retrieve(owner, withChallenge)).status).toBe(400);
    expect((await retrieve(owner, withChallenge, { redirect_uri: login.redirectUri })).status).toBe(400);
    expect((await retrieve(owner, withChallenge, { code_verifier: verifier })).status).toBe(200);
  });

  test('a public client can exchange an authorization code only at /oidc/token and not at /v1/token', async () => {
    const client = await storeClient(server, { authMethod: 'none', secrets: [] });
    const { code, record } = await storeNewCode(server, { clientId: client.clientId });
    expect((await retrieve(client, code)).status).toBe(401);
    const taken = { client_id: client.clientId, code, redirect_uri: record.redirectUri };
    expect((await server.form('/oidc/token', { grant_type: 'authorization_code', ...taken })).status).toBe(
      200,
    );
  });

  test('the authorization code of a direct or code-based login needs no redirect URI and no code verifier', async () => {
    const client = await madeClient(server, {}, server.environment.app_id);
    const owner = { clientId: client.client_id, clientSecret: client.client_secret };
    for (const origin of ['browser', 'code-based'] as const) {
      const { code } = await storeNewCode(server, { clientId: owner.clientId, origin });
      expect((await retrieve(owner, code)).status).toBe(200);
    }
    const pushed = { clientId: owner.clientId, provenClient: true };
    expect((await retrieve(owner, (await storeNewCode(server, pushed)).code)).status).toBe(200);
    const bound = await storeClient(server, { boundCodes: true });
    const { code } = await storeNewCode(server, { ...pushed, clientId: bound.clientId });
    expect((await retrieve(bound, code)).status).toBe(400);
    expect((await retrieve(bound, code, { redirect_uri: login.redirectUri })).status).toBe(200);
  });

  async function known(): Promise<string> {
    const email = newEmail();
    await createUser(server, { email });
    return email;
  }
});
