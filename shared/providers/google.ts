import type { Dialect } from './dialect.ts';
import { bySecret, openIdProfile } from './openid.ts';

const GMAIL = /@gmail\.com$/i;

const AUTH_TIME = JSON.stringify({ id_token: { auth_time: { essential: true } } });

/**
 * Google (developers.google.com/identity/openid-connect). A verified address is trusted only if it belongs to Google or to a
 * domain that Google hosts (`hd`). Google has verified any other address only when the Google account was created, so the
 * address may now belong to another person.
 */
export const google: Dialect = {
  issuer: 'https://accounts.google.com',
  scope: 'openid email profile',
  pkce: true,
  authenticate: bySecret,
  // `prompt=login`, `max_age` and a locale are not sent, because Google documents that it does not re-authenticate. `auth_time`
  // must be requested with `claims`, and "Session age claims" must be enabled in the Google Auth Platform
  // (developers.google.com/identity/siwg/security-bundle).
  wishParameters: ({ selectsAccount, maxAge, loginHint }) => ({
    prompt: selectsAccount ? 'select_account' : undefined,
    claims: maxAge === undefined ? undefined : AUTH_TIME,
    // Google accepts an email address or a Google `sub`, so usernames and phone numbers are not sent.
    login_hint: loginHint?.includes('@') ? loginHint : undefined,
  }),
  idToken: 'asymmetric',
  readProfile: (claims) => {
    const profile = openIdProfile(claims);
    const answersFor = GMAIL.test(profile.email ?? '') || typeof claims.hd === 'string';
    return { ...profile, emailVerified: profile.emailVerified === true && answersFor };
  },
};
