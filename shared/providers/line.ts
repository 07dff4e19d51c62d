import { ADDRESS_MAX, NAME_MAX, PICTURE_MAX } from '../domain/basis/limits.ts';
import { secureUrl, textClaim } from './claims.ts';
import type { Dialect } from './dialect.ts';
import { bySecret, openIdProfile } from './openid.ts';

/**
 * LINE Login v2.1 (developers.line.biz/en/docs/line-login). The email address requires the channel's email permission, and LINE
 * does not say whether the address is verified. ID tokens of web logins are signed by HS256 with the channel secret, others by
 * ES256.
 */
export const line: Dialect = {
  issuer: 'https://access.line.me',
  scope: 'openid email profile',
  pkce: true,
  authenticate: bySecret,
  // LINE documents only the consent screen as a value of `prompt`. The ID token contains `auth_time` if the request has
  // `max_age`.
  wishParameters: ({ maxAge, uiLocales }) => ({ max_age: maxAge?.toString(), ui_locales: uiLocales }),
  idToken: 'secret',
  readProfile: (claims) => {
    const { subject } = openIdProfile(claims);
    const [email, firstName, picture] = [
      textClaim(claims, 'email', ADDRESS_MAX),
      // LINE has only one name, the display name.
      textClaim(claims, 'name', NAME_MAX),
      secureUrl(claims, 'picture', PICTURE_MAX),
    ];
    return {
      subject,
      ...(email === undefined ? {} : { email }),
      ...(firstName === undefined ? {} : { firstName }),
      ...(picture === undefined ? {} : { picture }),
    };
  },
};
