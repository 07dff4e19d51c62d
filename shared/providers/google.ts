import type { Dialect } from './dialect.ts';
import { bySecret, openIdProfile } from './openid.ts';

const GMAIL = /@gmail\.com$/i;

/**
 * Google (developers.google.com/identity/openid-connect). Its word counts for its own addresses and the domains that it
 * hosts (`hd`). Any other address was verified once, for a new Google account, and may have another holder today.
 */
export const google: Dialect = {
  issuer: 'https://accounts.google.com',
  scope: 'openid email profile',
  pkce: true,
  authenticate: bySecret,
  idToken: 'asymmetric',
  readProfile: (claims) => {
    const profile = openIdProfile(claims);
    const answersFor = GMAIL.test(profile.email ?? '') || typeof claims.hd === 'string';
    return { ...profile, emailVerified: profile.emailVerified === true && answersFor };
  },
};
