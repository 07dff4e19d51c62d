import { invalidInput } from '../../../shared/errors/service-error.ts';
import { check } from '../../../shared/http/parse.ts';
import { CreateApplicationBody } from '../../../shared/schemas/applications.ts';
import { CreateClientBody } from '../../../shared/schemas/clients.ts';

/** Kinds of applications that a developer can create, each described with the library that it uses. */
export const APPLICATION_KINDS = {
  web: 'a web backend, with openid-client',
  'single-page': 'a single page, with oidc-client-ts',
  native: 'a native app, with AppAuth',
  api: 'a backend that only calls the API, with the typed client',
} as const;

export type ApplicationKind = keyof typeof APPLICATION_KINDS;

export interface OwnApplicationOptions {
  readonly kind: string;
  /** URL of the developer's application: its origin or its redirect URI. Absent for the kind `api`. */
  readonly address?: string | undefined;
  /** Further settings of the application, which override the settings of the kind. */
  readonly settings: { readonly name?: unknown };
}

/** Created application, with the IDs and secrets that the developer's program needs. */
export interface CreatedApplication {
  readonly app_id: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly client_secret?: string;
}

function readKind(kind: string): ApplicationKind {
  if (Object.hasOwn(APPLICATION_KINDS, kind)) return kind as ApplicationKind;
  throw invalidInput(`kind: must be one of ${Object.keys(APPLICATION_KINDS).join(', ')}`);
}

const WEB = /^https?:$/;

function toRedirectUri(kind: ApplicationKind, address = ''): string | undefined {
  if (kind === 'api') {
    if (address === '') return undefined;
    throw invalidInput('address: an application of the kind api has no address');
  }
  const url = URL.parse(address);
  if (url === null)
    throw invalidInput('address: must be the address where it runs, such as http://localhost:8080');
  const isOrigin = WEB.test(url.protocol) && url.pathname === '/' && url.search === '';
  return isOrigin ? `${url.origin}/complete` : address;
}

/** Returns the settings that depend on the origin of the application's pages. A native app has no such settings. */
function pageSettings(redirectUri: string) {
  const { protocol, origin } = new URL(redirectUri);
  return WEB.test(protocol) ? { post_logout_redirect_uris: [`${origin}/`], origins: [origin] } : {};
}

/**
 * Builds the request bodies that create an application and its client, with settings that let a new user log in immediately.
 * @throws `system_invalid_input`
 */
export function ownApplication({ kind: given, address, settings }: OwnApplicationOptions) {
  const kind = readKind(given);
  const redirectUri = toRedirectUri(kind, address);
  const addresses =
    redirectUri === undefined ? {} : { redirect_uris: [redirectUri], ...pageSettings(redirectUri) };
  const isPublic = kind === 'single-page' || kind === 'native';
  const applicationBody = check(CreateApplicationBody, { public_signup: true, ...addresses, ...settings });
  const clientBody = check(CreateClientBody, {
    name: applicationBody.name,
    ...(isPublic && { auth_method: 'none' }),
    ...(kind !== 'api' && { require_pkce: true }),
  });
  return { applicationBody, clientBody, redirectUri };
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;

interface ClientFacts {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly redirectUri?: string | undefined;
}

const LINES: Readonly<Record<ApplicationKind, (told: ClientFacts) => readonly string[]>> = {
  web: ({ baseUrl, clientId, redirectUri = '' }) => [
    `const execute = ${baseUrl.startsWith('http:') ? '[oidc.allowInsecureRequests]' : '[]'};`,
    `const config = await oidc.discovery(new URL(${quoted(`${baseUrl}/oidc`)}), ${quoted(clientId)}, process.env.CLIENT_SECRET, undefined, { execute });`,
    'const pkceCodeVerifier = oidc.randomPKCECodeVerifier();',
    `const loginUrl = oidc.buildAuthorizationUrl(config, { redirect_uri: ${quoted(redirectUri)}, scope: 'openid email offline_access', code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256' });`,
    'const finishLogin = (url) => oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier });',
  ],
  'single-page': ({ baseUrl, clientId, redirectUri = '' }) => [
    `const manager = new UserManager({ authority: ${quoted(`${baseUrl}/oidc`)}, client_id: ${quoted(clientId)},`,
    `  redirect_uri: ${quoted(redirectUri)}, post_logout_redirect_uri: ${quoted(`${readOrigin(redirectUri)}/`)},`,
    "  scope: 'openid email offline_access' });",
    'const logIn = () => manager.signinRedirect();',
    'const finishLogin = () => manager.signinCallback();',
  ],
  native: ({ baseUrl, clientId, redirectUri = '' }) => [
    'const tokens = await authorize({',
    `  issuer: ${quoted(`${baseUrl}/oidc`)},`,
    `  clientId: ${quoted(clientId)},`,
    `  redirectUrl: ${quoted(redirectUri)},`,
    "  scopes: ['openid', 'email', 'offline_access'] });",
  ],
  api: ({ baseUrl, clientId }) => [
    `const login = createClient({ baseUrl: ${quoted(baseUrl)}, clientId: ${quoted(clientId)}, clientSecret: process.env.CLIENT_SECRET });`,
    "const who = (email) => ({ identifier_type: 'email', identifier: email });",
    'const signUp = (email) => login.createUser({ email });',
    "const sendCode = (email) => login.sendOTP({ ...who(email), channel: 'email' });",
    'const finishLogin = (email, passcode) => login.authenticateOTP({ ...who(email), passcode });',
  ],
};

const readOrigin = (uri: string): string => new URL(uri).origin;

const IMPORTS: Readonly<Record<ApplicationKind, string>> = {
  web: "import * as oidc from 'openid-client';",
  'single-page': "import { UserManager } from 'oidc-client-ts';",
  native: "import { authorize } from 'react-native-app-auth';",
  api: "import { createClient } from 'one-time-login-client';",
};

/** Returns the environment variables for the application's program, under the names that the quickstarts use. */
export function toEnvironmentFile(kind: string, baseUrl: string, made: CreatedApplication): string {
  const issuer = `${baseUrl}/oidc`;
  const { client_id: clientId, client_secret: secret } = made;
  const variables = {
    BASE_URL: baseUrl,
    ISSUER: issuer,
    TENANT_ID: made.tenant_id,
    APP_ID: made.app_id,
    CLIENT_ID: clientId,
    ...(secret !== undefined && { CLIENT_SECRET: secret }),
    // Vite exposes only variables with this prefix to the code of pages.
    ...(kind === 'single-page' && { VITE_ISSUER: issuer, VITE_CLIENT_ID: clientId }),
  };
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Returns example code that logs a user in: an import and a few lines. */
export const buildLoginSnippet = (kind: string, told: ClientFacts): string =>
  [IMPORTS[readKind(kind)], '', ...LINES[readKind(kind)](told)].join('\n');
