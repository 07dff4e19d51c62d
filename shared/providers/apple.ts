import { importPKCS8, SignJWT } from 'jose';
import { ClientSecretPost } from 'oauth4webapi';
import { APPLE_SECRET_SECONDS, NAME_MAX } from '../domain/basis/limits.ts';
import { textClaim } from './claims.ts';
import type { Claims, Dialect, ProviderAccount } from './dialect.ts';
import { providerFailed } from './failures.ts';
import { openIdProfile } from './openid.ts';

const ISSUER = 'https://appleid.apple.com';

/** Authenticates to Apple. Apple's client secret is a JWT that is signed with the application's .p8 key for each exchange. */
async function authenticate({ clientId, secret }: ProviderAccount) {
  const { teamId, keyId, privateKey } = secret ?? {};
  if (teamId === undefined || keyId === undefined || privateKey === undefined)
    throw providerFailed('secret_missing');
  const key = await importPKCS8(privateKey, 'ES256').catch((error: unknown) => {
    throw providerFailed('private_key', error);
  });
  const now = Math.floor(Date.now() / 1000);
  const jwt = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(ISSUER)
    .setIssuedAt(now)
    .setExpirationTime(now + APPLE_SECRET_SECONDS)
    .sign(key);
  return ClientSecretPost(jwt);
}

/**
 * Reads the user's name. Apple puts it into no token, but posts it together with the code, and only at the user's first login.
 */
function namesIn(user: string | null): { readonly firstName?: string; readonly lastName?: string } {
  let given: unknown;
  try {
    given = JSON.parse(user ?? '{}');
  } catch {
    return {};
  }
  const { name } = (given ?? {}) as { readonly name?: unknown };
  if (typeof name !== 'object' || name === null) return {};
  const firstName = textClaim(name as Claims, 'firstName', NAME_MAX);
  const lastName = textClaim(name as Claims, 'lastName', NAME_MAX);
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
  };
}

/**
 * Sign in with Apple (developer.apple.com/documentation/signinwithapplerestapi). If name or email is requested, Apple sends its
 * response by POST.
 */
export const apple: Dialect = {
  issuer: ISSUER,
  scope: 'openid email name',
  // Apple's metadata lists no PKCE method. Instead, the nonce in the ID token binds the code to the browser.
  pkce: false,
  // Apple documents only OAuth parameters, `nonce` and `response_mode`, but no parameters for prompt, maximum age, login hint
  // or language.
  parameters: { response_mode: 'form_post' },
  authenticate,
  idToken: 'asymmetric',
  readProfile: (claims, answer) => {
    const profile = openIdProfile(claims);
    // The browser can change the name, so the name is displayed but never used to identify the user.
    return { ...profile, emailVerified: profile.emailVerified === true, ...namesIn(answer.get('user')) };
  },
};
