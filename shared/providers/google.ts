import type { Dialect } from './dialect.ts';
import { bySecret, openIdProfile } from './openid.ts';

const GMAIL = /@gmail\.com$/i;

const AUTH_TIME = JSON.stringify({ id_token: { auth_time: { essential: true } } });

/**
 * Google (developers.google.com/identity/openid-connect). Its word counts for its own addresses and the domains that it
 * hosts (`hd`). Any other address was verified once, for a new Google account, and may have another holder today.
 */
export const google: Dialect = {
  issuer: 'https://accounts.google.com',
  scope: 'openid email profile',
  pkce: true,
  authenticate: bySecret,
  // No `prompt=login`, no `max_age` and no locale: Google documents that it does not re-authenticate. `auth_time` has to be requested by
  // `claims`, and "Session age claims" have to be on in the Google Auth Platform (developers.google.com/identity/siwg/security-bundle).
  wishParameters: ({ selectsAccount, maxAge, loginHint }) => ({
    prompt: selectsAccount ? 'select_account' : undefined,
    claims: maxAge === undefined ? undefined : AUTH_TIME,
    // An address or a Google `sub`; usernames and numbers of ours are neither.
    login_hint: loginHint?.includes('@') ? loginHint : undefined,
  }),
  idToken: 'asymmetric',
  readProfile: (claims) => {
    const profile = openIdProfile(claims);
    const answersFor = GMAIL.test(profile.email ?? '') || typeof claims.hd === 'string';
    return { ...profile, emailVerified: profile.emailVerified === true && answersFor };
  },
};
