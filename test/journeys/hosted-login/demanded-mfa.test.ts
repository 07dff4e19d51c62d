// Logins that require MFA, by users whom a backend has created with a passkey and with addresses that are not verified yet.
import { describe, expect, test } from '@jest/globals';
import { CONFIRM, useTenant } from '../../stories/people.ts';
import { decodeClaims, hostedLogin, leftTo, readHeading } from '../../support/fixtures/hosted-login.ts';
import { passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import type { BrowserPage } from '../../support/tools/browser-jar.ts';

const { server, main, claimed, browser, ...tenant } = useTenant();
const login = hostedLogin(server);
const { address } = passkeyLogin(server, login);

const requests: readonly (readonly [string, () => string])[] = [
  ['direct passkey login with require_mfa', () => address({ require_mfa: 'true' })],
  ['authorization request with acr_values=mfa', () => login.address({ acr_values: 'mfa' })],
];

/** Exchanges the code and returns the `acr` claim. Only a direct passkey login (section B) has no `code_verifier`. */
async function acrAfter(page: BrowserPage, isB: boolean): Promise<unknown> {
  const change = isB ? { code_verifier: undefined } : {};
  return decodeClaims((await login.exchange(leftTo(page), change)).body.id_token).acr;
}

describe.each(requests)('login that requires MFA: %s', (title, request) => {
  test('after a passkey login that requires MFA, a user must verify the unverified email address and phone number', async () => {
    const { email, phone } = await claimed();
    const passkey = await (await main.registerByHint({ webauthn_identifier: email })).makePasskey();
    const jar = browser();
    const asked = await tenant.givePasskey(jar, await jar.open(request()), passkey);
    expect(readHeading(asked)).toBe(CONFIRM);
    const confirmed = await main.give(asked, email);
    expect(readHeading(confirmed)).toBe(CONFIRM);
    expect(tenant.offersText(confirmed)).toBe(true);
    const reloaded = await jar.open(new URL(confirmed.response.url).pathname);
    expect(reloaded.html).toBe(confirmed.html);

    const ended = await main.give(reloaded, phone);
    expect(await acrAfter(ended, title.startsWith('direct'))).toBe('mfa');
  });
});
