import type { BrowserJar } from './browser-jar.ts';
import type { Tokens, Upstream } from './upstream.ts';
import type { World, WorldAnswer } from './world.ts';

/** Logins of section B, as a browser, a provider and a backend see them. */

type Fields = Readonly<Record<string, string | undefined>>;

export interface SocialTokens {
  readonly id_token: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly session_id: string;
  readonly is_user_created: boolean;
}

function defined(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Where a redirect leads; throws with the answer when it is none. */
export async function locationOf(response: Response): Promise<URL> {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect: ${response.status} ${await response.text()}`);
  return new URL(location);
}

export function socialLogin(world: World, upstream: Upstream) {
  const { environment } = world;
  const redirectUri = environment.redirect_uris[0] ?? '';
  const path = (provider: string, change: Fields = {}) =>
    `${environment.base_url}/v1/auth/${provider}?${new URLSearchParams(
      defined({
        client_id: environment.client_id,
        redirect_uri: redirectUri,
        state: 'the state & more',
        nonce: 'the-nonce',
        ...change,
      }),
    )}`;
  const leave = async (jar: BrowserJar, change?: Fields, provider = 'google') =>
    locationOf(await jar.request(path(provider, change)));
  /** The address that the provider sends the browser to. */
  const callback = (authorization: URL, answer: Fields): string => {
    const { redirect_uri: to = '', state } = Object.fromEntries(authorization.searchParams);
    return `${to}?${new URLSearchParams(defined({ state, iss: upstream.issuer, ...answer }))}`;
  };
  const comeBack = async (jar: BrowserJar, authorization: URL, tokens?: Tokens) =>
    locationOf(await jar.request(callback(authorization, { code: upstream.issue(authorization, tokens) })));
  return {
    redirectUri,
    path,
    leave,
    callback,
    comeBack,
    /** A whole way to the provider and back, with these claims in the ID token. */
    async logIn(jar: BrowserJar, claims: Record<string, unknown>, change?: Fields, provider = 'google') {
      return comeBack(jar, await leave(jar, change, provider), { claims });
    },
    exchange: (target: URL, change: Fields = {}): Promise<WorldAnswer<SocialTokens>> =>
      world.post('/v1/token', {
        code: target.searchParams.get('code') ?? '',
        client_id: environment.client_id,
        client_secret: environment.client_secret,
        ...change,
      }),
  };
}

/** What an answer at the redirect URI says, but `state`. */
export function answerAt(target: URL): Readonly<Record<string, string>> {
  const { state: _, ...rest } = Object.fromEntries(target.searchParams);
  return rest;
}
