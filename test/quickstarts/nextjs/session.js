// Stores the session in an encrypted cookie that contains the tokens. Nothing is stored on the server.
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as openid from 'openid-client';

const { PORT = '8080', SESSION_SECRET = 'long and random, for sessions of your own' } = process.env;
const { ISSUER: issuer = 'http://localhost:3000/cis/oidc' } = process.env;
const { CLIENT_ID: clientId = 'demo-client', CLIENT_SECRET: clientSecret = 'demo-client-secret' } =
  process.env;
export const { ORIGIN: origin = `http://localhost:${PORT}` } = process.env;

const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(SESSION_SECRET));
const key = new Uint8Array(digest);
// `lax` protects against forms of other sites (CSRF).
const settings = { httpOnly: true, sameSite: 'lax', path: '/', secure: origin.startsWith('https:') };

/** Returns an encrypted cookie that only this application can read and change. `use` is the name of the cookie. */
export async function seal(use, content, maxAge) {
  const token = new EncryptJWT(content).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setAudience(use);
  return { name: use, value: await token.setExpirationTime(`${maxAge}s`).encrypt(key), ...settings, maxAge };
}

/** Returns the content of a cookie, or undefined if the cookie is missing, expired or changed. */
export async function unseal(use, cookies) {
  const value = cookies.get(use)?.value;
  if (!value) return undefined;
  return jwtDecrypt(value, key, { audience: use }).then(
    ({ payload }) => payload,
    () => undefined,
  );
}

const DAYS = 24 * 60 * 60;
/** Returns the session cookie for the tokens of a login or a refresh. */
export function sessionCookie(tokens, former = {}) {
  const { sub, email } = { ...former.user, ...tokens.claims() };
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    id_token: idToken = former.idToken,
  } = tokens;
  const expiresAt = Date.now() + tokens.expires_in * 1000;
  return seal('session', { user: { sub, email }, accessToken, refreshToken, idToken, expiresAt }, 14 * DAYS);
}

let configuration;
export function discover() {
  // The local server does not support TLS.
  const execute = issuer.startsWith('http://localhost:') ? [openid.allowInsecureRequests] : [];
  configuration ??= openid.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute });
  // A failed discovery is not cached, so the next call tries again.
  configuration.catch(() => {
    configuration = undefined;
  });
  return configuration;
}

const { REFRESH_BEFORE_SECONDS = '30' } = process.env;
const refreshes = new Map();

/**
  * Returns a new session cookie if the access token expires soon, null if the login has ended, and otherwise undefined. All
  * requests with the same refresh token share one refresh, for example requests of several tabs. Several processes need no
  * lock, because the service accepts the same refresh token again within 10 seconds.
 */
export async function refresh(session) {
  const { refreshToken, expiresAt } = session;
  if (Date.now() < expiresAt - REFRESH_BEFORE_SECONDS * 1000) return undefined;
  const known = refreshes.get(refreshToken);
  if (known) return known;
  const refreshing = discover()
    .then((config) => openid.refreshTokenGrant(config, refreshToken))
    .then((tokens) => sessionCookie(tokens, session))
    .catch((error) => {
      if (error.error === 'invalid_grant') return null;
      // If the service is unreachable, the session is kept and the next request tries again.
      console.error(error.message);
      refreshes.delete(refreshToken);
    });
  refreshes.set(refreshToken, refreshing);
  setTimeout(() => refreshes.delete(refreshToken), 10_000).unref();
  return refreshing;
}
