import { createHmac } from 'node:crypto';
import { customFetch } from 'oauth4webapi';
import { ADDRESS_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import type { UpstreamProfile } from '../ports/people.ts';
import type { ProviderCalls } from './calls.ts';
import { textClaim } from './claims.ts';
import type { Claims, Dialect, ProviderAccount } from './dialect.ts';
import { providerFailed, providerUnavailable } from './failures.ts';
import { bySecret } from './openid.ts';

const VERSION = 'v23.0';
const GRAPH = `https://graph.facebook.com/${VERSION}`;
const FIELDS = 'id,email,first_name,last_name';
const SERVER_ERROR = 500;

/** Reads the profile of a user from the Graph API. `appsecret_proof` makes a stolen token useless without the app secret. */
async function fetchClaims(
  accessToken: string,
  { secret }: ProviderAccount,
  calls: ProviderCalls,
): Promise<Claims> {
  const proof = createHmac('sha256', secret?.clientSecret ?? '')
    .update(accessToken)
    .digest('hex');
  const url = `${GRAPH}/me?${new URLSearchParams({ fields: FIELDS, appsecret_proof: proof })}`;
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` };
  const response = await calls[customFetch](url, { method: 'GET', headers });
  if (response.status >= SERVER_ERROR) throw providerUnavailable();
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || typeof body !== 'object' || body === null) throw providerFailed('graph');
  return body as Claims;
}

function readProfile(claims: Claims): UpstreamProfile {
  const { id } = claims;
  if (typeof id !== 'string' || id === '') throw providerFailed('id');
  const [email, firstName, lastName] = [
    textClaim(claims, 'email', ADDRESS_MAX),
    textClaim(claims, 'first_name', NAME_MAX),
    textClaim(claims, 'last_name', NAME_MAX),
  ];
  return {
    subject: id,
    ...(email === undefined ? {} : { email }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
  };
}

/** Facebook Login (developers.facebook.com/docs/facebook-login): OAuth 2.0 and the Graph API, without ID tokens. */
export const facebook: Dialect = {
  issuer: 'https://www.facebook.com',
  server: {
    issuer: 'https://www.facebook.com',
    authorization_endpoint: `https://www.facebook.com/${VERSION}/dialog/oauth`,
    token_endpoint: `${GRAPH}/oauth/access_token`,
  },
  scope: 'public_profile email',
  pkce: true,
  authenticate: bySecret,
  // Re-authentication: developers.facebook.com/docs/facebook-login/guides/advanced/re-authentication. Facebook has no maximum
  // age, login hint, account chooser or language, and no ID token that would show when the user authenticated.
  wishParameters: ({ forcesLogin }) => ({ auth_type: forcesLogin ? 'reauthenticate' : undefined }),
  idToken: 'none',
  fetchClaims,
  readProfile,
};
