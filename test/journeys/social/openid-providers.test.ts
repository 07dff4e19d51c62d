// Logins at custom OpenID providers, which an application has added under a name of its own.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenIdProvider } from '../../../shared/ports/providers.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import { hostedLogin, leftTo, readHeading, readPageError } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, findUser, newEmail } from '../../support/fixtures/people.ts';
import { answerAt, newClaims, newClaimsWithEmail, useSocialLogin } from '../../support/providers/social.ts';
import { startUpstream, type Upstream } from '../../support/providers/upstream.ts';

const { upstream, server, social, browser, findUserId } = useSocialLogin();
const login = hostedLogin(server);
const other = {} as Upstream;

const LABEL = '<b>Acme</b> & Söhne';
const acme = (change: Partial<OpenIdProvider> = {}): OpenIdProvider => ({
  ...{ name: 'acme', label: LABEL, clientId: upstream.clientId, issuer: upstream.issuer },
  ...change,
});

/** Runs `run` while the application has these custom OpenID providers and a client secret for each of them. */
async function offering(openidProviders: readonly OpenIdProvider[], run: () => Promise<void>): Promise<void> {
  const { providerSecretRecords } = await server.ports(['providerSecretRecords']);
  for (const { name, issuer } of openidProviders)
    await providerSecretRecords.put(server.environment.app_id, `openid/${name}`, {
      clientSecret: upstream.clientSecret,
      issuer,
    });
  await withApplication(server, { openidProviders }, run);
}

const readIdentities = async (userId: string) =>
  ((await findUser(server, userId)) as unknown as { identities: object[] }).identities;

beforeAll(async () => {
  Object.assign(other, await startUpstream());
});
afterAll(() => other.stop());

const notConfigured = {
  error: 'invalid_request',
  error_description: 'The application has not configured this provider',
};

describe('login at a custom OpenID provider', () => {
  test('the service calls a custom OpenID provider with the configured client ID, redirect URI, scopes and prompt', () =>
    offering([acme({ scopes: ['email', 'groups'], prompt: 'select_account' })], async () => {
      const away = await social.leave(browser(), { prompt: 'login' }, 'openid/acme');
      expect(away.origin).toBe(upstream.issuer);
      expect(Object.fromEntries(away.searchParams)).toMatchObject({
        client_id: upstream.clientId,
        redirect_uri: `${server.environment.base_url}/auth/openid/acme/callback`,
        scope: 'openid email groups',
        prompt: 'login select_account',
        code_challenge_method: 'S256',
      });
      const claims = newClaims();
      const userId = await findUserId(await social.logIn(browser(), claims, {}, 'openid/acme'));
      expect(await readIdentities(userId)).toMatchObject([
        { provider: 'openid/acme', issuer: upstream.issuer, subject: claims.sub },
      ]);
      expect(upstream.exchanges.at(-1)?.authorization).toMatch(/^Basic /);
    }));

  test("a user's account at an OpenID provider is found by the issuer, not by the name of the provider", async () => {
    const claims = newClaims();
    let userId = '';
    await offering([acme()], async () => {
      userId = await findUserId(await social.logIn(browser(), claims, {}, 'openid/acme'));
    });
    await offering([acme({ name: 'acme-2' })], async () => {
      const again = await social.logIn(browser(), claims, {}, 'openid/acme-2');
      expect(await findUserId(again)).toBe(userId);
    });
    await offering([acme({ issuer: other.issuer })], async () => {
      const away = await social.leave(browser(), {}, 'openid/acme');
      const jar = browser();
      const own = await social.leave(jar, {}, 'openid/acme');
      expect(away.origin).toBe(other.issuer);
      const code = other.issue(own, { claims });
      const back = await jar.open(social.callback(own, { code, iss: other.issuer }));
      expect(await findUserId(leftTo(back))).not.toBe(userId);
    });
  });

  test('a verified address from a custom OpenID provider is trusted only if the application trusts the provider', async () => {
    const email = newEmail();
    const { user_id: userId } = await createProvenUser(server, { email });
    await offering([acme()], async () => {
      const refused = await social.logIn(browser(), newClaimsWithEmail(email), {}, 'openid/acme');
      expect(answerAt(refused)).toMatchObject({ error: 'access_denied' });
      expect(await readIdentities(userId)).toEqual([]);
    });
    await offering([acme({ trustedForEmail: true })], async () => {
      const target = await social.logIn(browser(), newClaimsWithEmail(email), {}, 'openid/acme');
      expect(await findUserId(target)).toBe(userId);
    });
  });

  test('a login at an OpenID provider that is unknown, disabled or removed is rejected', async () => {
    expect(answerAt(await social.leave(browser(), {}, 'openid/acme'))).toEqual(notConfigured);
    await offering([acme({ enabled: false })], async () => {
      expect(answerAt(await social.leave(browser(), {}, 'openid/acme'))).toEqual(notConfigured);
      // A built-in provider cannot be used under the path of a custom provider.
      expect(answerAt(await social.leave(browser(), {}, 'openid/google'))).toEqual(notConfigured);
    });
    const jar = browser();
    let away = new URL('about:blank');
    await offering([acme()], async () => {
      away = await social.leave(jar, {}, 'openid/acme');
    });
    const back = await jar.open(social.callback(away, { code: upstream.issue(away) }));
    expect(answerAt(leftTo(back))).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['ACME', 'a%2Fb', 'a/b', '%00', 'x'.repeat(33)])(
    'a request with the invalid provider name %j in its path gets a response with status 400 or 404',
    async (name) => {
      const start = await browser().request(social.path(`openid/${name}`));
      expect([400, 404]).toContain(start.status);
      const callback = await browser().request(
        `${server.environment.base_url}/auth/openid/${name}/callback?state=x&code=y`,
      );
      expect([400, 404]).toContain(callback.status);
    },
  );
});

describe('attacks on custom OpenID providers', () => {
  test("a login fails if one OpenID provider's response arrives at the callback URL of another", () =>
    offering([acme(), acme({ name: 'other', issuer: other.issuer })], async () => {
      for (const path of ['openid/other', 'google', 'openid/google']) {
        const jar = browser();
        const away = await social.leave(jar, {}, 'openid/acme');
        const code = upstream.issue(away);
        const mixed = social.callback(away, { code }).replace('openid/acme', path);
        expect(answerAt(leftTo(await jar.open(mixed)))).toMatchObject({ error: 'access_denied' });
        const late = await jar.open(social.callback(away, { code }));
        expect(late.left?.searchParams.get('code') ?? null).toBeNull();
      }
    }));

  test("if a provider's issuer changes during a login, the new issuer receives neither client secret nor code", () =>
    offering([acme()], async () => {
      const jar = browser();
      const away = await social.leave(jar, {}, 'openid/acme');
      const exchanges = other.exchanges.length;
      await withApplication(server, { openidProviders: [acme({ issuer: other.issuer })] }, async () => {
        const back = await jar.open(social.callback(away, { code: upstream.issue(away) }));
        expect(answerAt(leftTo(back))).toMatchObject({ error: 'access_denied' });
        const later = browser();
        const own = await social.leave(later, {}, 'openid/acme');
        const refused = await later.open(social.callback(own, { code: other.issue(own), iss: other.issuer }));
        expect(answerAt(leftTo(refused))).toMatchObject({ error: 'access_denied' });
      });
      expect(other.exchanges.length).toBe(exchanges);
    }));

  test('accounts with the same subject at a custom and a built-in provider belong to different users', () =>
    offering([acme()], async () => {
      const claims = newClaims();
      const victim = await findUserId(await social.logIn(browser(), claims));
      const attacker = await findUserId(await social.logIn(browser(), claims, {}, 'openid/acme'));
      expect(attacker).not.toBe(victim);
    }));
});

describe('custom OpenID providers on the login page and the account page', () => {
  test("the login page shows a custom OpenID provider's button with its escaped label and its colour", () =>
    offering([acme({ color: '#0b57d0' })], async () => {
      const jar = browser();
      const page = await jar.open(login.address());
      expect(page.html).toContain('value="openid/acme"');
      expect(page.html).toContain('Continue with &lt;b&gt;Acme&lt;/b&gt; &amp; Söhne');
      expect(page.html).toContain('fill="#0b57d0"');
      expect(page.html).not.toContain('<b>Acme');
      const away = leftTo(await page.submit({ method: 'openid/acme' }));
      expect(away.searchParams.get('redirect_uri')).toMatch(/\/auth\/openid\/acme\/callback$/);
      const claims = newClaims();
      const back = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
      expect(leftTo(back).searchParams.get('code')).toEqual(expect.any(String));
    }));

  test('the login page shows an error if the submitted form names a provider that the application lacks', () =>
    offering([acme()], async () => {
      const page = await browser().open(login.address());
      const failed = await page.submit({ method: 'openid/unknown' });
      expect(failed.left).toBeUndefined();
      expect(readPageError(failed)).toEqual(expect.any(String));
    }));

  test('with acr_values, a client can send the user directly to a custom OpenID provider', () =>
    offering([acme()], async () => {
      const acr_values = 'urn:cis:acme_direct';
      const page = await browser().open(login.address({ acr_values }));
      expect(leftTo(page).searchParams.get('redirect_uri')).toMatch(/\/auth\/openid\/acme\/callback$/);
      const unknown = await browser().open(login.address({ acr_values: 'urn:cis:unknown_direct' }));
      expect(unknown.left).toBeUndefined();
    }));

  test("a custom OpenID provider's account that a user connects on the account page is a second factor", () =>
    offering([acme({ label: 'Acme' })], async () => {
      const email = newEmail();
      const { user_id: userId } = await createProvenUser(server, { email });
      const jar = browser();
      const address = `${server.environment.base_url}/account?client_id=${server.environment.client_id}`;
      const asked = await (await jar.open(address)).submit({ identifier: email, method: 'email' });
      const page = await asked.submit({ passcode: await server.codeTo(email) });
      expect(page.html).toContain('Connect Acme');
      const connect = await page.submit({ item: 'openid/acme' }, 'identities/add');
      expect(readHeading(connect)).toBe('Connect Acme');
      const away = leftTo(await connect.submit({ method: 'openid/acme' }));
      const claims = newClaims();
      const done = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
      expect(done.html).not.toContain('Connect Acme');
      expect(await readIdentities(userId)).toMatchObject([{ provider: 'openid/acme', subject: claims.sub }]);
      const step = await login.afterCode(login.browser(), email, { acr_values: 'mfa' });
      expect(step.html).toContain('value="openid/acme"');
      await withApplication(server, { openidProviders: [] }, async () => {
        const shown = await jar.open(address);
        expect(shown.html).toContain(new URL(upstream.issuer).hostname);
      });
    }));
});
