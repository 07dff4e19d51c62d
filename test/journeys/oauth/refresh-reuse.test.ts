import { describe, expect, test } from '@jest/globals';
import { REFRESH_GRACE_SECONDS } from '../../../shared/domain/basis/limits.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import { storeApplication } from '../../support/fixtures/tenants.ts';
import { type TokenResponse, verifyToken } from '../../support/fixtures/tokens.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  exchange,
  expectFamilyEnded,
  expectGrantError,
  expectOAuthError,
  introspect,
  logIn,
  refresh,
  refreshed,
  storeClient,
  storeCode,
  storeNewCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer();

/** Refreshes a token. Repeats the request if an overloaded machine responds with 503 (N026). */
async function served(token: string) {
  for (;;) {
    const answer = await refresh(server, token);
    if (answer.status !== 503) return answer;
  }
}

/** Logs in to a public client. Returns the first refresh token, and a function that refreshes with a given refresh token. */
async function publicLogin(change: Partial<Application> = {}) {
  const { clientId, application } = await storeApplication(server, change, {
    authMethod: 'none',
    secrets: [],
  });
  const { applicationId } = application;
  const { code, record } = await storeNewCode(server, { applicationId, clientId });
  const ask = (fields: Readonly<Record<string, string>>) =>
    server.form<TokenResponse>('/oidc/token', { client_id: clientId, ...fields });
  const grant = { grant_type: 'authorization_code', code, redirect_uri: record.redirectUri };
  const again = (token: string) => ask({ grant_type: 'refresh_token', refresh_token: token });
  return { first: (await ask(grant)).body.refresh_token, again };
}

describe('N061 reuse of a rotated refresh token', () => {
  test('reusing a refresh token within ten seconds returns the same new refresh token', async () => {
    const { tokens } = await logIn(server);
    const first = await refreshed(server, tokens.refresh_token);
    // Stays five seconds below the limit, because a busy machine may need some seconds.
    await server.advanceClock(REFRESH_GRACE_SECONDS - 5);
    const second = await refreshed(server, tokens.refresh_token);
    expect(second.refresh_token).toBe(first.refresh_token);
    const [one, other] = await Promise.all(
      [first, second].map((each) => verifyToken(server, each.access_token, server.environment.issuer)),
    );
    expect(other?.payload).toEqual(one?.payload);
    await refreshed(server, first.refresh_token);
  });

  test('reusing a refresh token returns tokens with the scope that the first refresh requested', async () => {
    const { tokens } = await logIn(server, { scope: 'openid email offline_access' });
    const first = await refreshed(server, tokens.refresh_token, { scope: 'openid email' });
    for (const fields of [{}, { scope: 'openid email' }, { scope: 'email offline_access openid' }]) {
      const again = await refreshed(server, tokens.refresh_token, fields);
      expect(again).toMatchObject({ scope: 'openid email', refresh_token: first.refresh_token });
      const [one, other] = await Promise.all(
        [first, again].map((each) => verifyToken(server, each.access_token, server.environment.issuer)),
      );
      expect(other?.payload).toEqual(one?.payload);
    }
    // A request for another scope is rejected, but does not revoke the token family.
    expectOAuthError(await refresh(server, tokens.refresh_token, { scope: 'openid' }), 400, 'invalid_scope');
    expect((await refreshed(server, first.refresh_token)).scope).toBe('openid email offline_access');
  });

  test("reusing a public client's refresh token after ten seconds revokes the token family", async () => {
    const { first, again } = await publicLogin();
    const { body: stolen } = await again(first);
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    // A thief has used the token first. When the client uses the same token, the thief's tokens are revoked.
    expectGrantError(await again(first));
    expectGrantError(await again(stolen.refresh_token));
    expect(await introspect(server, stolen.access_token)).toEqual({ active: false });
  });

  describe("reuse of a public client's refresh token with a grace period of 600 seconds", () => {
    const longer = { refreshReuseSeconds: 600 };

    test('reusing a refresh token within the grace period returns the same new refresh token', async () => {
      const { first, again } = await publicLogin(longer);
      const { body: lost } = await again(first);
      await server.advanceClock(500);
      const answers = await atOnce(10, () => again(first));
      const [one, ...others] = answers;
      expect(answers.map(({ status }) => status)).toEqual(new Array(10).fill(200));
      expect(one?.body.refresh_token).toBe(lost.refresh_token);
      expect(new Set(others.map(({ body }) => body.refresh_token))).toEqual(new Set([lost.refresh_token]));
      const { payload } = await verifyToken(server, one?.body.access_token ?? '', server.environment.issuer);
      expect((payload.iat ?? 0) - Date.now() / 1000).toBeGreaterThan(-60);
      expect((await again(lost.refresh_token)).status).toBe(200);
    });

    test.each([
      ['the thief refreshes first', 0],
      ['the owner refreshes first', 1],
    ])(
      'a refresh token family is revoked if both the owner and a thief keep refreshing (%s)',
      async (_, order) => {
        const { first, again } = await publicLogin(longer);
        const both = [(await again(first)).body, (await again(first)).body];
        const [one, other] = order === 0 ? both : both.toReversed();
        const used = await again(one?.refresh_token ?? '');
        expect(used.status).toBe(200);
        await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
        // The other party repeats the refresh and gets the same successor, because the successor is still unused.
        const { body: same } = await again(other?.refresh_token ?? '');
        expect(same.refresh_token).toBe(used.body.refresh_token);
        await again(same.refresh_token);
        expectGrantError(await again(first));
        expectGrantError(await again(used.body.refresh_token));
      },
    );

    test('reusing a refresh token after the grace period revokes the token family', async () => {
      const late = await publicLogin(longer);
      const { body: next } = await late.again(late.first);
      await server.advanceClock(601);
      expectGrantError(await late.again(late.first));
      expectGrantError(await late.again(next.refresh_token));
      const used = await publicLogin(longer);
      const { body: second } = await used.again(used.first);
      const { body: third } = await used.again(second.refresh_token);
      expectGrantError(await used.again(used.first));
      expectGrantError(await used.again(third.refresh_token));
    });
  });

  test('concurrent reuse of a refresh token after ten seconds returns one new refresh token', async () => {
    const { tokens } = await logIn(server);
    const lost = await refreshed(server, tokens.refresh_token);
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    const answers = await atOnce(20, () => served(tokens.refresh_token));
    expect(answers.map(({ status }) => status)).toEqual(new Array(20).fill(200));
    const [successor = '', ...others] = new Set(answers.map(({ body }) => body.refresh_token));
    expect(others).toEqual([]);
    expect(successor).not.toBe(lost.refresh_token);
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    const later = await refreshed(server, tokens.refresh_token);
    await refreshed(server, (await refreshed(server, later.refresh_token)).refresh_token);
    expectGrantError(await refresh(server, tokens.refresh_token));
  });

  test('if a reused refresh token has two successors, using the first one revokes the token family', async () => {
    const { tokens } = await logIn(server);
    const stolen = await refreshed(server, tokens.refresh_token);
    await server.advanceClock(REFRESH_GRACE_SECONDS + 1);
    const next = await refreshed(server, tokens.refresh_token);
    expectGrantError(await refresh(server, stolen.refresh_token));
    await expectFamilyEnded(server, next.refresh_token);
  });

  test('reusing a rotated refresh token revokes the token family even after the token has expired', async () => {
    const client = await storeClient(server, { refreshTokenSeconds: 100 });
    const { tokens } = await logIn(server, {}, client);
    await server.advanceClock(80);
    const next = await refreshed(server, tokens.refresh_token, {}, client);
    await server.advanceClock(21);
    expectGrantError(await refresh(server, tokens.refresh_token, {}, client));
    expectGrantError(await refresh(server, next.refresh_token, {}, client));
  });

  test('reusing a refresh token after the use of its successor revokes the token family', async () => {
    const { tokens } = await logIn(server);
    const second = await refreshed(server, tokens.refresh_token);
    const third = await refreshed(server, second.refresh_token);
    expectGrantError(await refresh(server, tokens.refresh_token));
    await expectFamilyEnded(server, third.refresh_token);
  });

  test('reusing a refresh token does not revoke other token families of the session', async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    const { body: other } = await exchange(server, code);
    const second = await refreshed(server, tokens.refresh_token);
    await refreshed(server, second.refresh_token);
    expectGrantError(await refresh(server, tokens.refresh_token));
    await refreshed(server, other.refresh_token);
  });

  test('using a refresh token with a wrong secret revokes the token family', async () => {
    const { tokens } = await logIn(server);
    const forged = [...tokens.refresh_token.split('.').slice(0, 3), 'x'.repeat(43)].join('.');
    expectGrantError(await refresh(server, forged));
    await expectFamilyEnded(server, tokens.refresh_token);
  });

  test('twenty concurrent uses of a refresh token return the same new refresh token', async () => {
    const { tokens } = await logIn(server);
    // On a busy machine, more calls could take longer than the ten seconds for which a repeated use is accepted.
    const answers = await atOnce(20, () => served(tokens.refresh_token));
    expect(answers.map(({ status }) => status)).toEqual(new Array(20).fill(200));
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    await refreshed(server, successor);
  });
});
