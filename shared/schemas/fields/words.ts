import {
  AUTHORIZATION_CODE_SECONDS,
  CLAIMS_REQUEST_MAX_BYTES,
  CLIENT_ID_MAX,
  STATE_MAX_BYTES,
} from '../../domain/basis/limits.ts';
import { listTrustedProviders, PROVIDERS, toEnumeration, toProviderLabel } from '../../records/providers.ts';
import { describe } from './described.ts';

// Texts of fields that several schemas contain.

export const redirectUri = describe(
  "URI that the browser returns to: one of the application's redirect URIs, compared character by character. `otl application add-redirect-uri` adds one.",
  'https://app.example.com/complete',
);
export const echoedState = describe(
  `Value that is returned on the redirect, to prevent CSRF. At most ${STATE_MAX_BYTES} bytes in URL encoding.`,
  'af0ifjsldkj',
);
export const tokenNonce = describe(
  'Value that is returned in the ID token, so that the caller recognises the login that it began.',
  'n-0S6_WzA2Mj',
);
export const uiLocales = describe(
  "Preferred languages of the page, as RFC 5646 tags separated by spaces. Default: the browser's.",
  'de en',
);
export const resourceUri = describe(
  'URI of a resource of the application, which determines `aud` and the lifetime of the access token.',
  'https://api.example.com/',
);
export const organizationId = describe(
  'ID of the organization to log in to. The user must be a member.',
  'jW4nT8cXq1ZbR6mKe0PvYg',
);
export const clientId = describe(
  `ID of the client, at most ${CLIENT_ID_MAX} characters. \`otl client create\` creates a client.`,
  'h3VqLw0sT9yKf2NxGd7RmA',
);
export const clientSecret = describe(
  'Secret of the client, if it authenticates with a secret and does not use HTTP Basic.',
  'the-secret-of-your-client',
);
export const clientAssertionType = describe(
  'Type of `client_assertion`: always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
);
export const clientAssertion = describe(
  'JWT that the client signed with its private key, instead of a secret (RFC 7523). It is valid once.',
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJoM1ZxTHcwcyJ9.c2lnbmF0dXJl',
);
export const requireMfa = describe(
  "Whether two factors are required. Factors of the browser's session count. Default: false.",
  true,
);
export const createNewUser = (otherwise: string) =>
  describe(
    `Whether an unknown user signs up; public signup must be on for the application. Default: ${otherwise}.`,
    true,
  );
export const claimsParameter = describe(
  `Additional claims for ID token, access token and UserInfo (\`userinfo\`), as JSON (OpenID Connect Core §5.5): at most ${CLAIMS_REQUEST_MAX_BYTES} bytes.`,
  '{"id_token":{"email":null}}',
);
export const codeChallenge = describe(
  'BASE64URL(SHA-256) of the `code_verifier` (RFC 7636). Required for public clients.',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
);
export const codeChallengeMethod = describe('Method of `code_challenge`: always `S256`.', 'S256');
export const codeVerifier = describe(
  'Verifier of the `code_challenge` with which the login began (RFC 7636).',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
);
export const loginHint = describe(
  'Email address or phone number to prefill the login page.',
  'ann@example.com',
);
export const customMessage = describe(
  'Plain text without web addresses that every page of the login quotes under the name of the application.',
  'Log in to see your order',
);
export const csrf = describe('CSRF token of the page that contained the form.', 'k3Jq0vYx');
export const loginId = describe('ID of the login, as in the URL of its page.', 'T5mZ0aQw8LrYk2VhXc9BnD');
export const exchangeCode = describe(
  `Code that the redirect URI received. It is valid once, for ${AUTHORIZATION_CODE_SECONDS} seconds; a code from a mailed link is valid as long as the link.`,
  'qN2xZ8bTf6YhKc0RwLj4Vm',
);
export const accessToken = describe(
  'Access token for the `Authorization` header, a JWT (RFC 9068).',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
);
export const idToken = describe(
  'ID token, a JWT that says who the user is and how they logged in.',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
);
export const refreshToken = describe(
  'Refresh token, which can be exchanged for new tokens once. The answer contains its successor.',
  '8Jz0m2K4.r6PqWb1N.Xc3Tz9Lv.the-secret-part',
);
export const sessionId = describe('ID of the session that the login belongs to.', 'mB8rQ2xTzK5wYc0VnJ6hLd');
export const userId = describe('ID of the user, which never changes.', '8Jz0m2K4q7bYxWv1NcRtLg');
export const approvalData = { payee: 'Example Shop', amount: '25.00 EUR' };
export const encodedResult = describe(
  "JSON `{webauthnSessionId, publicKeyCredential, userAgent}` in base64: the ID from the start, and the authenticator's answer with its binary fields in base64 or base64url.",
  'eyJ3ZWJhdXRoblNlc3Npb25JZCI6IlE0eiIsInB1YmxpY0tleUNyZWRlbnRpYWwiOnt9fQ==',
);
export const credentialId = describe('ID of the passkey in base64url.', 'dGhlLWNyZWRlbnRpYWw');
export const transports = describe('Transports of the authenticator, as reported by it.', [
  'internal',
  'hybrid',
]);
export const provider = describe(
  `Provider: ${toEnumeration([...PROVIDERS, 'openid/<name>'].map((name) => `\`${name}\``))}.`,
  'google',
);
export const providerInPath = describe(
  `Provider: ${toEnumeration(PROVIDERS.map((name) => `\`${name}\``))}, or the name of another OpenID provider.`,
  'google',
);
export const providerLogin = (name: string) => describe(`Login at ${toProviderLabel(name)}. Absent: off.`);
export const trustedForEmail = describe(
  `Whether addresses that the provider reports as verified count as proven (default: true for ${listTrustedProviders()} without an \`issuer\`, otherwise false).`,
  true,
);
export const developerMessage = (example: string) => describe('Message for developers.', example);
export const typedDigits = describe(
  'Digits that the user typed, in any script. Spaces, dashes and dots between them are ignored.',
  '482913',
);
export const newName = describe('New name, to distinguish several.', 'My telephone');
export const registeredAt = describe('Time of the registration (RFC 3339, UTC).', '2026-01-31T09:30:00.000Z');
