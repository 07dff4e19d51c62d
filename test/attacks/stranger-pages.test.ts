import { describe, expect, test } from '@jest/globals';
import { leftTo, useHostedLogin } from '../support/fixtures/hosted-login.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import type { BrowserPage } from '../support/tools/browser-jar.ts';

/** Attacks of strangers who build the address of a login, and write on its pages. */

const { server, login } = useHostedLogin();

/** What the page says outside of the quotation. */
const withoutQuotation = ({ html }: BrowserPage) =>
  html.replace(/<figure class="notice">[\s\S]*?<\/figure>/g, '');

describe('a stranger sends a victim to a login with a text of their own (custom_message)', () => {
  const text = 'Your account is locked.\u202e Call +1 900 555 0199 or see https://evil.example/unlock';
  const address = (path: 'auth' | 'webauthn') =>
    path === 'auth'
      ? login.address({ custom_message: text })
      : `${server.environment.base_url}/v1/auth/webauthn?${new URLSearchParams({
          client_id: server.environment.client_id,
          redirect_uri: login.redirectUri,
          custom_message: text,
        })}`;

  test.each(['auth', 'webauthn'] as const)(
    'at /%s: each page quotes it under the name of the application, and never says it itself',
    async (path) => {
      const email = newEmail();
      await createUser(server, { email });
      const first = await login.browser().open(address(path));
      const second = await first.submit({ identifier: email, method: 'email' });
      for (const page of [first, second]) {
        const [, by, said] =
          /<figure class="notice"><figcaption[^>]*>([^<]*)<\/figcaption>\s*<blockquote[^>]*>([^<]*)<\/blockquote><\/figure>/.exec(
            page.html,
          ) ?? [];
        expect(by).toContain('Demo');
        expect(said).toContain('Your account is locked.');
        // Nothing to click or call, and nothing that turns the text after it around.
        expect(page.html).not.toMatch(/<a\b|href="https?:|\u202e/);
        expect(said).not.toMatch(/https?:|evil\.example/);
        expect(page.html).toContain('<meta name="format-detection" content="telephone=no,');
        expect(withoutQuotation(page)).not.toContain('locked');
      }
      const third = await second.submit({ passcode: await login.digits(email) });
      // A login by passkey offers one to a user without.
      leftTo(path === 'auth' ? third : await third.submit({}, '/later'));
    },
  );
});
