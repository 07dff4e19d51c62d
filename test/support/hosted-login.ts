import { createHash, randomBytes } from 'node:crypto';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import { BrowserJar, type BrowserPage } from './browser-jar.ts';
import type { TokenResponse } from './tokens.ts';
import type { World, WorldAnswer } from './world.ts';

/** Logins by the authorization endpoint and the hosted pages, as a browser and an application see them. */

type Fields = Readonly<Record<string, string | undefined>>;

export const verifier = randomBytes(32).toString('base64url');
export const codeChallenge = createHash('sha256').update(verifier).digest('base64url');

export interface ClientOfLogin {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Tokens extends TokenResponse {
  readonly scope: string;
}

export interface HostedLogin {
  readonly redirectUri: string;
  /** A new browser, with no cookies. */
  browser(): BrowserJar;
  /** Parameters of a good request, changed; undefined leaves one out. */
  parameters(change?: Fields): Record<string, string>;
  /** The address of the authorization endpoint with them. */
  address(change?: Fields): string;
  /** The newest code, or link, that was sent to the address. */
  digits(to: string): Promise<string>;
  link(to: string): Promise<string>;
  /** The page that asks for a code that was sent to the address. */
  toCode(jar: BrowserJar, to: string, change?: Fields, method?: string): Promise<BrowserPage>;
  /** A whole login by one code, to the address that the browser is led to. */
  logIn(jar: BrowserJar, to: string, change?: Fields, method?: string): Promise<URL>;
  /** What the token endpoint says to the code in an address. */
  exchange(
    target: URL,
    change?: Fields,
    client?: ClientOfLogin,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WorldAnswer<Tokens & Record<string, string>>>;
}

function defined(fields: Fields): Record<string, string> {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Where a page has led the browser; throws with the page when it has stayed. */
export function leftTo(page: BrowserPage): URL {
  if (!page.left) throw new Error(`the login did not end (${page.status}): ${page.html}`);
  return page.left;
}

export function hostedLogin(world: World): HostedLogin {
  const { environment } = world;
  const redirectUri = environment.redirect_uris[0] ?? '';
  const origin = new URL(environment.base_url).origin;
  const parameters = (change: Fields = {}) =>
    defined({
      client_id: environment.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: 'the state & more',
      nonce: 'the-nonce',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...change,
    });
  const address = (change: Fields = {}) =>
    `${environment.issuer}/auth?${new URLSearchParams(parameters(change))}`;
  const newest = async (to: string) => {
    const [message] = await world.messages({ to });
    if (!message) throw new Error('nothing was sent');
    return message;
  };
  const digits = async (to: string) => (await newest(to)).codes[0] ?? '';
  const link = async (to: string) => (await newest(to)).links[0] ?? '';
  const toCode: HostedLogin['toCode'] = async (jar, to, change, method = 'email') => {
    const page = await jar.open(address(change));
    return page.submit({ identifier: to, method });
  };
  return {
    redirectUri,
    browser: () => new BrowserJar(origin),
    parameters,
    address,
    digits,
    link,
    toCode,
    async logIn(jar, to, change, method) {
      const page = await toCode(jar, to, change, method);
      return leftTo(await page.submit({ passcode: await digits(to) }));
    },
    exchange: (target, change, client, headers = {}) =>
      world.form(
        '/oidc/token',
        defined({
          grant_type: 'authorization_code',
          code: target.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          client_id: client?.clientId ?? environment.client_id,
          client_secret: client?.clientSecret ?? environment.client_secret,
          code_verifier: verifier,
          ...change,
        }),
        { headers },
      ),
  };
}

/** What an answer at the redirect URI says, but `state` and `iss`, which every one has. */
export function answerIn(target: URL): Readonly<Record<string, string>> {
  const { state: _, iss: __, ...rest } = Object.fromEntries(target.searchParams);
  return rest;
}

export function claimsOf(token: string): JwtPayload {
  return jwt.decode(token) as JwtPayload;
}
