import type { ProviderPreference } from '../ports/providers.ts';
import type { Claims, Dialect } from './dialect.ts';
import { providerFailed } from './failures.ts';
import { bySecret, openIdProfile } from './openid.ts';

const HOST = 'https://login.microsoftonline.com';
/** ID of the directory that contains all personal accounts. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the Microsoft Entra directory of an account. Throws `provider_failed` if the settings allow neither this directory
 * nor the account type.
 */
function readDirectory({ tid }: Claims, { directories }: ProviderPreference): string {
  if (typeof tid !== 'string' || !ID.test(tid)) throw providerFailed('tid');
  const kind = tid === PERSONAL ? 'consumers' : 'organizations';
  if (directories && !directories.includes(tid) && !directories.includes(kind))
    throw providerFailed('directory');
  return tid;
}

/** Values of `xms_edov` that mean true. Microsoft has been observed to send all of them. */
const TRUE: readonly unknown[] = [true, 'true', 1, '1'];

/**
 * Microsoft Entra ID and personal accounts (learn.microsoft.com/entra/identity-platform/v2-protocols-oidc). Every directory has
 * its own issuer, and the metadata of `common` contains only a pattern for these issuers.
 */
export const microsoft = (preference: ProviderPreference): Dialect => {
  const { directories = [] } = preference;
  const [only] = directories;
  const authority = `${HOST}/${directories.length === 1 ? only : 'common'}`;
  return {
    issuer: `${authority}/v2.0`,
    server: {
      issuer: `${authority}/v2.0`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint: `${authority}/oauth2/v2.0/token`,
    },
    // Use the metadata and keys of the account's own directory, because keys of another directory must not be accepted for it.
    toIssuer: (claims) => `${HOST}/${readDirectory(claims, preference)}/v2.0`,
    scope: 'openid email profile',
    pkce: true,
    authenticate: bySecret,
    // Microsoft accepts one value of `prompt`, and documents neither `max_age` nor a locale. `auth_time` is an optional claim
    // that must be added to the registration.
    wishParameters: ({ forcesLogin, selectsAccount, loginHint }) => ({
      prompt: forcesLogin ? 'login' : selectsAccount ? 'select_account' : undefined,
      login_hint: loginHint,
    }),
    idToken: 'asymmetric',
    readProfile: (claims) => {
      const { tid, oid, xms_edov: ownsDomain } = claims;
      if (typeof oid !== 'string' || !ID.test(oid)) throw providerFailed('oid');
      return {
        ...openIdProfile(claims),
        // `sub` is different for each registration, and each application has its own registration.
        subject: `${oid}.${tid}`,
        // A directory's administrator can write any address into `email` (nOAuth, descope.com/blog/post/noauth). Only
        // `xms_edov` shows that the directory has proven ownership of the address's domain.
        emailVerified: tid === PERSONAL || TRUE.includes(ownsDomain),
      };
    },
  };
};
