import { describe, expect, test } from '@jest/globals';
import { leftTo, readHeading, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createAccountActions } from '../../support/fixtures/hosted-passkeys.ts';
import { asManager, madeClient } from '../../support/fixtures/managed.ts';
import { otlWith } from '../../support/server/otl.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });
const { put, post, get } = asManager(server);

const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function newApplication(fields: object) {
  const { app_id } = (
    await post('/v1/applications', { name: 'Shop', redirect_uris: [login.redirectUri], ...fields })
  ).body.result as { readonly app_id: string };
  const { client_id } = await madeClient(server, {}, app_id);
  return { app_id, client_id };
}

describe('brand of an application on pages and in emails', () => {
  test('the brand of an application appears on its login pages and in its emails', async () => {
    const brand = {
      ...{ primary_color: '#0a5c36', primary_color_dark: '#7bd3a8', on_primary_color: '#fff' },
      ...{ on_primary_color_dark: '#000', background_color: '#f4f1ea', background_color_dark: '#101512' },
      ...{ corner_radius: 4, font: 'serif', base64logo: LOGO, help_uri: 'https://shop.example.com/help' },
      texts: {
        en: { title: 'Welcome to Shop', subtitle: 'Orders <b>', terms: 'Our terms' },
        ar: { help: 'م' },
      },
    };
    const redirect_uris = [login.redirectUri, 'https://shop.example.com/complete'];
    const { app_id, client_id } = await newApplication({ redirect_uris, brand });
    expect((await get(`/v1/applications/${app_id}`)).body.result).toMatchObject({ brand });

    const { email } = await someUser();
    const page = await login.browser().open(login.address({ client_id }));
    expect(readHeading(page)).toBe('Welcome to Shop');
    for (const part of [
      'Orders &lt;b&gt;',
      '<span dir="auto">Our terms</span>',
      'href="https://shop.example.com/help"',
    ])
      expect(page.html).toContain(part);
    await login.toCode(login.browser(), email, { client_id });
    const [mail] = await server.messages({ to: email });
    const html = await (await fetch(`${server.url}/_local/messages/${mail?.id}/html`)).text();
    expect(html).toContain(`src="data:image/png;base64,${LOGO}"`);
    expect(html).toContain('#0a5c36');
  });

  test.each([
    [
      { primary_color: '#777', on_primary_color: '#888' },
      'brand.on_primary_color: #888 on #777777 has a contrast of 1.3 to 1, and needs 4.5',
    ],
    [
      { primary_color_dark: '#fff', on_primary_color_dark: '#ff0' },
      /^brand\.on_primary_color_dark: .* 1\.1 to 1/,
    ],
    [{ on_primary_color: '#fff' }, 'brand.on_primary_color: needs primary_color'],
    [{ help_uri: 'https://evil.example/help' }, /^brand\.help_uri: .*redirect URIs/],
    [{ terms_uri: 'http://localhost/terms' }, /^brand\.terms_uri: /],
    [{ privacy_uri: 'javascript:alert(1)' }, /^brand\.privacy_uri: /],
    [{ texts: { en: { title: 'x'.repeat(61) } } }, /title/],
    [{ texts: { en: { help: 'x'.repeat(301) } } }, /help/],
    [{ corner_radius: 25 }, /corner_radius/],
    [{ font: 'Comic Sans' }, /font/],
  ])('the invalid brand %j is rejected with an error that names the reason', async (brand, message) => {
    const { status, body } = await post('/v1/applications', {
      name: 'Shop',
      redirect_uris: [login.redirectUri],
      brand,
    });
    expect([status, JSON.stringify(body.message)]).toEqual([
      400,
      expect.stringMatching(
        typeof message === 'string'
          ? message.replace(/[.]/g, '\\.')
          : new RegExp(message.source.replace('^', '')),
      ),
    ]);
  });

  test("a brand can link to another host only as long as an operator's confirmation of the host is valid", async () => {
    const { app_id, client_id } = await newApplication({});
    const brand = { help_uri: 'https://help.example.com/' };
    const otl = (verb: string) =>
      otlWith({ OTL_ENDPOINT: server.url }, ['application', verb, app_id, '--host', 'help.example.com']);
    const showsHelp = async () => {
      await server.advanceClock(61);
      return (await login.browser().open(login.address({ client_id }))).html.includes(brand.help_uri);
    };
    expect((await put(`/v1/applications/${app_id}`, { brand })).status).toBe(400);
    expect(
      (await put(`/v1/applications/${app_id}`, { link_hosts: ['help.example.com'] })).body.result,
    ).not.toHaveProperty('link_hosts');
    expect(await otl('confirm-host')).toMatchObject({ code: 0 });
    expect((await put(`/v1/applications/${app_id}`, { brand })).body.result).toMatchObject({
      brand,
      link_hosts: ['help.example.com'],
    });
    expect(await showsHelp()).toBe(true);
    expect(await otl('free-host')).toMatchObject({ code: 0 });
    expect(await showsHelp()).toBe(false);
  });
});

describe('choosing the language of a login', () => {
  test('a language chosen on the first login page applies to the whole login and its emails', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const first = await jar.open(login.address({ ui_locales: 'fr' }));
    expect(first.html).toContain('<html lang="fr">');
    const [, path = ''] = /href="(\/login\/[^"]*\?language=ar)"/.exec(first.html) ?? [];
    const chosen = await jar.open(new URL(path, server.url).href);
    expect(chosen.html).toContain('<html lang="ar" dir="rtl">');
    const second = await chosen.submit({ identifier: email, method: 'email' });
    expect(second.html).toContain('<html lang="ar" dir="rtl">');
    const [mail] = await server.messages({ to: email });
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">');
    expect(
      leftTo(await second.submit({ passcode: await server.codeTo(email) })).searchParams.has('code'),
    ).toBe(true);
    const other = await login.browser().open(login.address({ ui_locales: 'fr' }));
    expect(other.html).toContain('<html lang="fr">');
  });

  test('a user can choose the language on the account page, the logout page and error pages', async () => {
    const { email } = await someUser();
    const jar = login.browser();
    const { client_id } = server.environment;
    const account = createAccountActions(server, login);
    /** Opens the link on a page that switches to another language. Returns the page in this language. */
    const inLanguage = async (address: string, html: string, language: string) => {
      const links = [...html.matchAll(/href="([^"]*[?&;]language=[a-z]{2})"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      );
      const link = links.find((href) => href.endsWith(language)) ?? 'https://none.invalid';
      const page = await jar.open(new URL(link, new URL(address, login.address())).href);
      expect(page.html).toContain(`<html lang="${language}"`);
      return page;
    };
    const own = await account.open(email, jar);
    const french = await inLanguage(account.address(), own.html, 'fr');
    // The page in the chosen language has a valid form.
    expect((await french.submit({ first_name: 'Ann' }, 'account/profile')).html).toContain('Ann');

    const leave = `/oidc/session/end?client_id=${client_id}&state=s%22%26x`;
    const question = await jar.open(leave);
    const asked = await inLanguage(leave, question.html, 'de');
    expect(asked.html).toContain('name="csrf"');
    const gone = await asked.submit({}, 'session/end');
    expect(gone.html).not.toContain('name="csrf"');
    await inLanguage(leave, gone.html, 'ja');

    for (const wrong of ['/nothing-here', '/login/none']) {
      const error = await jar.open(wrong, { headers: { accept: 'text/html' } });
      expect(error.status).toBeGreaterThanOrEqual(400);
      const arabic = await inLanguage(wrong, error.html, 'ar');
      expect(arabic.status).toBe(error.status);
    }
    // Error pages of requests with parameters, or of POST requests, offer no other language.
    const parameters = await jar.open('/oidc/auth?client_id=unknown&state=x');
    expect(parameters.html).not.toContain('language=');
    const posted = await jar.open('/login/none/passcode', { method: 'POST', body: new URLSearchParams() });
    expect(posted.html).not.toContain('language=');
  });
});
