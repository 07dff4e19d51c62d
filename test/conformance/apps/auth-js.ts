import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { TestServer } from '../../support/server/test-server.ts';
import { byLinks, type ClientApp, homePage, registerApp, type ShownUser, serveApp } from './client-app.ts';

/** Auth.js on a server, with its own pages, the profile of its ID token, and the refresh that its guide has. */

const secret = 'a secret of the application that signs its cookies';

type Members = Readonly<Record<string, unknown>>;

/** What is used of it. Its own types bring those of the DOM along, which contradict those of Node in other tests. */
interface AuthJs {
  Auth(request: Request, config: Members): Promise<Response>;
  getToken(asked: { readonly req: Request; readonly secret: string }): Promise<Tokens>;
}

async function loadAuthJs(): Promise<AuthJs> {
  const [core, jwt] = await Promise.all(['@auth/core', '@auth/core/jwt'].map((name) => import(name)));
  return { ...core, ...jwt };
}

interface Endpoints {
  readonly token_endpoint: string;
  readonly end_session_endpoint: string;
}

interface Tokens {
  readonly sub: string;
  readonly id_token: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_at: number;
}

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** https://authjs.dev/guides/refresh-token-rotation, the JWT strategy. */
async function rotate(token: Tokens, { token_endpoint }: Endpoints, client: Client): Promise<Tokens> {
  if (Date.now() < token.expires_at * 1000) return token;
  const body = new URLSearchParams({
    client_id: client.client_id,
    client_secret: client.client_secret,
    grant_type: 'refresh_token',
    refresh_token: token.refresh_token,
  });
  const response = await fetch(token_endpoint, { method: 'POST', body });
  const fresh = (await response.json()) as Tokens & { readonly expires_in: number };
  if (!response.ok) throw fresh;
  return {
    ...token,
    access_token: fresh.access_token,
    expires_at: Math.floor(Date.now() / 1000 + fresh.expires_in),
    refresh_token: fresh.refresh_token,
  };
}

const configOf = (issuer: string, endpoints: Endpoints, client: Client): Members => ({
  basePath: '/auth',
  trustHost: true,
  secret,
  providers: [
    {
      id: 'login',
      name: 'Login',
      style: { logo: 'data:,' },
      type: 'oidc',
      issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      authorization: { params: { scope: 'openid profile email offline_access' } },
    },
  ],
  callbacks: {
    jwt: async ({ token, account, profile }: { token: Tokens; account?: Tokens; profile?: Tokens }) =>
      account ? { ...token, ...account, sub: profile?.sub } : rotate(token, endpoints, client),
    session: async ({ session, token }: { session: object; token: Tokens }) =>
      Object.assign(session, { sub: token.sub, accessToken: token.access_token }),
  },
});

function toRequest(origin: string, request: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = request;
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(request), duplex: 'half' };
  return new Request(`${origin}${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...body,
  } as RequestInit);
}

async function send(answer: Response, response: ServerResponse, page?: string): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  response.setHeader('set-cookie', answer.headers.getSetCookie());
  if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page ?? Buffer.from(await answer.arrayBuffer()));
}

type Session = Omit<ShownUser, 'name' | 'email'> & { readonly user: Pick<ShownUser, 'name' | 'email'> };

export async function startAuthJs(server: TestServer): Promise<ClientApp> {
  const { Auth, getToken } = await loadAuthJs();
  let config: Members;
  let endpoints: Endpoints;
  const { origin, close } = await serveApp(async (incoming, response) => {
    const request = toRequest(origin, incoming);
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/auth/')) return send(await Auth(request, config), response);
    if (pathname === '/out') {
      const token = await getToken({ req: request, secret });
      const query = new URLSearchParams({
        id_token_hint: token.id_token,
        post_logout_redirect_uri: `${origin}/auth/signout`,
      });
      return response.writeHead(303, { location: `${endpoints.end_session_endpoint}?${query}` }).end();
    }
    const asked = new Request(`${origin}/auth/session`, { headers: request.headers });
    const answer = await Auth(asked, config);
    const session = (await answer.clone().json()) as Session | null;
    return send(answer, response, homePage(session && { ...session, ...session.user }));
  });
  const client = await registerApp(
    server,
    origin,
    { callback: '/auth/callback/login', afterLogout: '/auth/signout' },
    // Its guide refreshes what has expired.
    { access_token_ttl: 1 },
  );
  const { issuer } = server.environment;
  endpoints = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Endpoints;
  config = configOf(issuer, endpoints, client);
  return {
    origin,
    close,
    async signIn(tab) {
      await tab.goto(`${origin}/auth/signin`);
      await tab.getByRole('button', { name: 'Sign in with Login' }).click();
    },
    async refresh(tab) {
      await tab.waitForTimeout(1000);
      await tab.reload();
    },
    async signOut(tab) {
      await byLinks.signOut(tab);
      await tab.getByRole('button', { name: 'Sign out' }).click();
    },
  };
}
