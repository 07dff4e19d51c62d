import {
  AUTHORIZATION_CODE_SECONDS,
  CLAIMS_REQUEST_MAX_BYTES,
  CLIENT_ID_MAX,
  STATE_MAX_BYTES,
} from '../../domain/basis/limits.ts';
import { believedProviders, either, labelOf, PROVIDERS } from '../../records/providers.ts';
import { doc } from './described.ts';

/** Words of fields that several schemas have. */

export const redirectUri = doc(
  'Where the browser comes back: one of the redirect URIs of the application, to the letter. `otl application add-redirect-uri` adds one.',
  'https://app.example.com/complete',
);
export const echoedState = doc(
  `Comes back on the redirect, against CSRF: at most ${STATE_MAX_BYTES} bytes as an address spells it.`,
  'af0ifjsldkj',
);
export const tokenNonce = doc(
  'Comes back in the ID token, so that the caller knows the login that it began.',
  'n-0S6_WzA2Mj',
);
export const uiLocales = doc(
  "Languages of the page by preference: RFC 5646 tags with spaces between. Default: the browser's.",
  'de en',
);
export const resourceUri = doc(
  'The URI of a resource of the application, for `aud` and the lifetime of the access token.',
  'https://api.example.com/',
);
export const organizationId = doc(
  'The ID of the organization to log in to, of which the user must be a member.',
  'jW4nT8cXq1ZbR6mKe0PvYg',
);
export const clientId = doc(
  `The ID of the client, at most ${CLIENT_ID_MAX} characters. \`otl client create\` makes one.`,
  'h3VqLw0sT9yKf2NxGd7RmA',
);
export const clientSecret = doc(
  'The secret of the client, where it authenticates by secret and not by HTTP Basic.',
  'the-secret-of-your-client',
);
export const clientAssertionType = doc(
  'The kind of `client_assertion`: always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
);
export const clientAssertion = doc(
  'A JWT that the client signed with its private key, instead of a secret (RFC 7523). It counts once.',
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJoM1ZxTHcwcyJ9.c2lnbmF0dXJl',
);
export const requireMfa = doc(
  'Whether two kinds of factors are needed; those of the session of the browser count. Default: false.',
  true,
);
export const createNewUser = (otherwise: string) =>
  doc(
    `Whether an unknown user signs up; public signup must be on for the application. Default: ${otherwise}.`,
    true,
  );
export const claimsParameter = doc(
  `Further claims for ID token, access token and UserInfo (\`userinfo\`), as JSON (OpenID Connect Core §5.5): at most ${CLAIMS_REQUEST_MAX_BYTES} bytes.`,
  '{"id_token":{"email":null}}',
);
export const codeChallenge = doc(
  'BASE64URL(SHA-256) of the `code_verifier` (RFC 7636). Public clients need it.',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
);
export const codeChallengeMethod = doc('The method of `code_challenge`: always `S256`.', 'S256');
export const codeVerifier = doc(
  'The verifier of the `code_challenge` that the login was begun with (RFC 7636).',
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
);
export const loginHint = doc('The address or number that the login page begins with.', 'ann@example.com');
export const customMessage = doc(
  'A text that every page of the login quotes under the name of the application: plain, without web addresses.',
  'Log in to see your order',
);
export const csrf = doc(
  'The token of the page that the form came from, against forged requests.',
  'k3Jq0vYx',
);
export const loginId = doc(
  'The ID of the login, as the address of its page has it.',
  'T5mZ0aQw8LrYk2VhXc9BnD',
);
export const exchangeCode = doc(
  `The code that came to the redirect URI. It counts once, for ${AUTHORIZATION_CODE_SECONDS} seconds; that of a mailed link as long as the link.`,
  'qN2xZ8bTf6YhKc0RwLj4Vm',
);
export const accessToken = doc(
  'The access token, a JWT (RFC 9068), for `Authorization`.',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
);
export const idToken = doc(
  'The ID token, a JWT that tells who the user is and how they logged in.',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI4SnowbTJLNCJ9.c2lnbmF0dXJl',
);
export const refreshToken = doc(
  'Buys new tokens once; the answer has its successor.',
  '8Jz0m2K4.r6PqWb1N.Xc3Tz9Lv.the-secret-part',
);
export const sessionId = doc('The session that the login belongs to.', 'mB8rQ2xTzK5wYc0VnJ6hLd');
export const userId = doc('The ID of the user, which never changes.', '8Jz0m2K4q7bYxWv1NcRtLg');
export const approvalData = { payee: 'Example Shop', amount: '25.00 EUR' };
export const encodedResult = doc(
  'JSON `{webauthnSessionId, publicKeyCredential, userAgent}` in base64: the ID of the start, and the answer of the authenticator with its binary fields in base64 or base64url.',
  'eyJ3ZWJhdXRoblNlc3Npb25JZCI6IlE0eiIsInB1YmxpY0tleUNyZWRlbnRpYWwiOnt9fQ==',
);
export const credentialId = doc('The ID of the passkey, in base64url.', 'dGhlLWNyZWRlbnRpYWw');
export const transports = doc('How the authenticator is reached, as it says itself.', ['internal', 'hybrid']);
export const provider = doc(`The provider: ${either(PROVIDERS.map((name) => `\`${name}\``))}.`, 'google');
export const providerLogin = (name: string) => doc(`Login at ${labelOf(name)}. Absent: off.`);
export const trustedForEmail = doc(
  `Whether addresses that it says to be verified count as proven (default: true for ${believedProviders()} without an \`issuer\`, else false).`,
  true,
);
export const developerMessage = (example: string) => doc('A text for developers.', example);
export const typedDigits = doc(
  'The digits that the user typed, of any script. Spaces, dashes and dots between them are ignored.',
  '482913',
);
export const newName = doc('The new name, to tell several apart.', 'My telephone');
export const registeredAt = doc('When it was registered, in UTC (RFC 3339).', '2026-01-31T09:30:00.000Z');
