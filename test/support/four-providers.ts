import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { DemoProviders } from '../../lib/local/providers.ts';
import { selfSigned } from './self-signed.ts';

/**
 * The four providers at their own addresses: oidc-provider behind each of them, made to behave as it does. The browser
 * reaches them over TLS by `browserArguments`, the functions of this process by a `fetch` that knows where they are.
 */

type Name = 'google' | 'apple' | 'facebook' | 'line';
type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface FourProviders {
  /** How the application is registered there, for a world. */
  readonly providers: DemoProviders;
  readonly browserArguments: readonly string[];
  /** Who the login pages offer to log in as. */
  readonly people: Map<string, Person>;
  /** Secrets that Apple was given, newest last. */
  readonly appleSecrets: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

const HOSTS: Readonly<Record<string, Name>> = {
  'accounts.google.com': 'google',
  'appleid.apple.com': 'apple',
  'www.facebook.com': 'facebook',
  'graph.facebook.com': 'facebook',
  'access.line.me': 'line',
};
const ISSUERS: Readonly<Record<Name, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  facebook: 'https://www.facebook.com',
  line: 'https://access.line.me',
};
const [TEAM_ID, KEY_ID] = ['TEAM123456', 'KEY1234567'];
const clientIdOf = (name: Name) => `client-at-${name}`;
const secretOf = (name: Name) => `the secret of the client at ${name}`;

/** Users consent to what is asked for, and have never done otherwise. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  if (!oidc.client || !oidc.session?.accountId) return undefined;
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope(String(oidc.params?.scope ?? ''));
  await grant.save();
  return grant;
}

function configuration(
  name: Name,
  people: Map<string, Person>,
  redirectUri: string,
  jwk: object,
  change: Configuration,
): Configuration {
  return {
    clients: [
      {
        client_id: clientIdOf(name),
        client_secret: secretOf(name),
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        ...(name === 'line' ? { id_token_signed_response_alg: 'HS256' as const } : {}),
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'hd'],
      profile: ['name', 'given_name', 'family_name', 'locale'],
    },
    scopes: ['openid', 'email', 'profile', 'name', 'public_profile'],
    conformIdTokenClaims: false,
    cookies: { keys: ['a key'] },
    jwks: { keys: [jwk] },
    adapter: createMemoryAdapter(0),
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'HS256'] },
    renderError: (ctx: KoaContextWithOIDC, { error }: { readonly error: string }) => {
      ctx.body = error;
    },
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...people.get(sub), sub }),
    }),
    interactions: { url: (_ctx: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    loadExistingGrant,
    ...change,
  };
}

const readForm = async (request: IncomingMessage) => new URLSearchParams(await text(request));

/** The login page: one button for each person, and one to go back. */
function interaction(provider: Provider, people: Map<string, Person>, denial: string): Handler {
  return async (request, response) => {
    if (request.method === 'POST') {
      const who = (await readForm(request)).get('who');
      const result = who ? { login: { accountId: who } } : { error: denial };
      return provider.interactionFinished(request, response, result);
    }
    const buttons = [...people.keys()].map((who) => `<button name="who" value="${who}">${who}</button>`);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><form method="post">${buttons.join('')}<button>Cancel</button></form>`);
  };
}

function openAt(name: Name, settings: Parameters<typeof configuration>, denial = 'access_denied') {
  const provider = new Provider(ISSUERS[name], configuration(...settings));
  provider.proxy = true;
  let answer: ReturnType<Provider['callback']> | undefined;
  const page = interaction(provider, settings[1], denial);
  // Made with the first request: what is added to the provider before is in it.
  const serve: Handler = (request, response) => {
    answer ??= provider.callback();
    return answer(request, response);
  };
  const handler: Handler = (request, response) =>
    request.url?.startsWith('/interaction/') ? page(request, response) : serve(request, response);
  return { provider, handler };
}

/** Apple takes a secret that is signed anew, and posts the name beside the code at the first login of all. */
function apple(
  open: ReturnType<typeof openAt>,
  key: KeyObject,
  secrets: Readonly<Record<string, unknown>>[],
): Handler {
  let named = false;
  open.provider.use(async (ctx, next) => {
    await next();
    if (named || typeof ctx.body !== 'string' || !ctx.body.includes('name="code"')) return;
    named = true;
    const user = JSON.stringify({
      name: { firstName: 'Ann', lastName: 'Apple' },
      email: 'not@believed.example',
    });
    const field = `<input type="hidden" name="user" value="${user.replaceAll('"', '&quot;')}"/></form>`;
    ctx.body = ctx.body.replace('</form>', field);
  });
  return async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/token') return open.handler(request, response);
    const form = await readForm(request);
    const { payload, protectedHeader } = await jwtVerify(form.get('client_secret') ?? '', key, {
      issuer: TEAM_ID,
      subject: clientIdOf('apple'),
      audience: ISSUERS.apple,
      algorithms: ['ES256'],
    });
    secrets.push({ ...payload, kid: protectedHeader.kid });
    form.set('client_secret', secretOf('apple'));
    return open.handler(Object.assign(request, { body: Object.fromEntries(form) }), response);
  };
}

/** The Graph API: a profile for a token, if it comes with the proof that the secret is known. */
function facebook(open: ReturnType<typeof openAt>, people: Map<string, Person>): Handler {
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'https://graph.facebook.com');
    if (url.pathname !== '/v23.0/me') return open.handler(request, response);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const proof = createHmac('sha256', secretOf('facebook')).update(token).digest('hex');
    const found = await open.provider.AccessToken.find(token);
    const good = found && url.searchParams.get('appsecret_proof') === proof;
    const { email, given_name, family_name } = people.get(found?.accountId ?? '') ?? ({ sub: '' } as Person);
    const profile = { id: found?.accountId, email, first_name: given_name, last_name: family_name };
    response
      .writeHead(good ? 200 : 400, { 'content-type': 'text/javascript; charset=UTF-8' })
      .end(JSON.stringify(good ? profile : { error: { message: 'Invalid appsecret_proof' } }));
  };
}

const listen = (server: Server) =>
  new Promise<number>((listening) =>
    server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port)),
  );

/** `baseUrl` is asked for when a browser first comes: the service starts after its providers. */
export async function startFourProviders(baseUrl: () => string): Promise<FourProviders> {
  const people = new Map<string, Person>();
  const appleSecrets: Readonly<Record<string, unknown>>[] = [];
  const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const handlers = new Map<Name, Handler>();

  function handlerOf(name: Name): Handler {
    const known = handlers.get(name);
    if (known) return known;
    const routes = { authorization: '/v23.0/dialog/oauth', token: '/v23.0/oauth/access_token' };
    const change = name === 'facebook' ? { routes } : {};
    const callback = `${baseUrl()}/auth/${name}/callback`;
    const denial = name === 'apple' ? 'user_cancelled_authorize' : 'access_denied';
    const open = openAt(name, [name, people, callback, rsa, change], denial);
    const handler =
      name === 'apple'
        ? apple(open, appleKey.publicKey, appleSecrets)
        : name === 'facebook'
          ? facebook(open, people)
          : open.handler;
    handlers.set(name, handler);
    return handler;
  }

  const answer: Handler = (request, response) => {
    const host = String(request.headers['x-forwarded-host'] ?? request.headers.host);
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = 'https';
    const name = HOSTS[host];
    if (!name) return void response.writeHead(404).end();
    return Promise.resolve(handlerOf(name)(request, response)).catch(() => void response.destroy());
  };
  const [secure, plain] = [createServer(selfSigned(Object.keys(HOSTS)), answer), createPlainServer(answer)];
  const [securePort, plainPort] = [await listen(secure), await listen(plain)];

  const network = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!HOSTS[url.host]) return network(input, init);
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-host', url.host);
    return network(`http://127.0.0.1:${plainPort}${url.pathname}${url.search}`, { ...init, headers });
  };

  const account = (name: Name) => ({
    preference: { clientId: clientIdOf(name) },
    secret: { clientSecret: secretOf(name) },
  });
  const pem = appleKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    providers: {
      google: account('google'),
      facebook: account('facebook'),
      line: account('line'),
      apple: {
        preference: { clientId: clientIdOf('apple') },
        secret: { teamId: TEAM_ID, keyId: KEY_ID, privateKey: pem },
      },
    },
    browserArguments: [
      `--host-resolver-rules=${Object.keys(HOSTS)
        .map((host) => `MAP ${host}:443 127.0.0.1:${securePort}`)
        .join(',')}`,
      '--ignore-certificate-errors',
    ],
    people,
    appleSecrets,
    async stop() {
      globalThis.fetch = network;
      for (const server of [secure, plain]) {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      }
    },
  };
}
