import { expect, test } from '@jest/globals';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { locationOf, useSocialLogin } from '../../support/providers/social.ts';

/** `acr_values` that name providers, and the login page, in the order of preference. */

const { upstream, server, browser } = useSocialLogin();

const [apple, google, line, page] = ['apple_direct', 'google_direct', 'line_direct', 'centralized'].map(
  (way) => `urn:cis:${way}`,
);
test.each([
  ['passes over a provider that is not configured', `${apple} ${google}`, 'google'],
  ['goes to the first of two providers', `${line} ${google}`, 'line'],
  ['shows the page that stands before a provider', `${page} ${google}`, 'page'],
  ['shows the page where no provider before it is configured', `${apple} ${page}`, 'page'],
  ['shows the page for what stands beside it', `${apple} mfa`, 'page'],
])('acr_values in their order: %s', async (_, acr_values, expected) => {
  const { pathname, origin, searchParams } = await locationOf(
    await browser().request(hostedLogin(server).address({ acr_values })),
  );
  const way = origin === upstream.issuer ? searchParams.get('redirect_uri') : pathname;
  expect(way).toContain(expected === 'page' ? '/login/' : `/auth/${expected}/callback`);
});
