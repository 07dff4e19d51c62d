import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../functions/operations.ts';
import type { Operation } from '../../../shared/operation.ts';
import { leftTo, readHeading, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, login, someUser } = useHostedLogin({ rateLimits: 'off' });

type Shown = readonly [string, (jar: BrowserJar, email: string) => Promise<BrowserPage>];

const shown: readonly Shown[] = [
  ['that asks for an address', (jar) => jar.open(login.address())],
  ['that asks for a code', (jar, email) => login.toCode(jar, email)],
  ['that asks an unknown user for a code', (jar, email) => login.toCode(jar, `not-${email}`)],
  ['that is shown after a link was sent', (jar, email) => login.toCode(jar, email, {}, 'link')],
  [
    'that an emailed link opens',
    async (jar, email) => {
      await login.toCode(jar, email, {}, 'link');
      return jar.open(await server.linkTo(email));
    },
  ],
  [
    'that asks for a second factor',
    async (jar, email) => {
      return login.afterCode(jar, email, { acr_values: 'mfa' });
    },
  ],
];

describe('declining a login on the hosted pages', () => {
  test.each(shown)('a user can decline a login on the page %s', async (_title, open) => {
    const { email } = await someUser();
    const jar = login.browser();
    const page = await open(jar, email);
    const { searchParams } = leftTo(await page.submit({}, '/cancel'));
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user cancelled the login',
      state: 'the state & more',
      iss: server.environment.issuer,
    });
    const again = await page.submit({}, '/cancel');
    expect([again.status, readHeading(again)]).toEqual([404, 'This sign\u2011in has expired']);
  });

  test('a cancel form with a wrong CSRF token does not cancel the login', async () => {
    const jar = login.browser();
    const page = await jar.open(login.address());
    const [, action = ''] = /action="([^"]*\/cancel)"/.exec(page.html) ?? [];
    const forged = await jar.open(action, { method: 'POST', body: new URLSearchParams({ csrf: 'x' }) });
    expect([forged.left, readHeading(forged)]).toEqual([undefined, readHeading(page)]);
  });
});

test('every operation that browsers navigate to has an error page', () => {
  const navigated = Object.entries<Operation>(operations).filter(
    ([name, { reach, output }]) => name === 'fallback' || (reach === 'browser' && !('json' in output)),
  );
  expect(navigated.length).toBeGreaterThan(15);
  expect(navigated.filter(([, { errorPage }]) => !errorPage).map(([name]) => name)).toEqual([]);
});
