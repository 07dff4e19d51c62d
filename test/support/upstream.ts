import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';

/** A hand-made OpenID provider, for what an honest one never does. */

type Claims = Record<string, unknown>;

/** What the next exchange of a code brings. */
export interface Tokens {
  /** Over the good claims; undefined leaves one out. */
  readonly claims?: Claims;
  readonly header?: Partial<JWTHeaderParameters>;
  /** Makes the ID token otherwise; the good claims are given. */
  readonly sign?: (claims: Claims) => string | Promise<string>;
  /** Answers the token request instead. */
  readonly answer?: { readonly status: number; readonly body: unknown };
}

export interface Upstream {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly publicJwk: string;
  /** A code of the provider that brings these tokens, once; `nonce` and challenge are those of the authorization request. */
  issue(authorization: URL, tokens?: Tokens): string;
  /** What the token endpoint was sent, newest last. */
  readonly exchanges: readonly {
    readonly form: URLSearchParams;
    readonly authorization: string | undefined;
  }[];
  /** Stops answering; open requests stay open until `resume` or `stop`. */
  hang(path: string): void;
  resume(): void;
  /** Requests by path. */
  readonly counts: Map<string, number>;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  const [clientId, clientSecret] = ['the-client', 'the-secret & more'];
  const codes = new Map<string, { readonly authorization: URL; readonly tokens: Tokens }>();
  const exchanges: { form: URLSearchParams; authorization: string | undefined }[] = [];
  const counts = new Map<string, number>();
  const hanging = new Set<string>();
  const waiting = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://upstream');
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    if (hanging.has(pathname)) return void waiting.add(response);
    answer(request, pathname).then(
      ([status, body]) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, path: string): Promise<[number, unknown]> {
    if (path === '/.well-known/openid-configuration')
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize?kept=1`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          authorization_response_iss_parameter_supported: true,
          // As a careless provider might: what it announces must not be what is believed.
          id_token_signing_alg_values_supported: ['ES256', 'RS256', 'HS256', 'none'],
        },
      ];
    if (path === '/jwks') return [200, { keys: [jwk] }];
    if (path !== '/token') return [404, {}];
    const form = new URLSearchParams(await text(request));
    exchanges.push({ form, authorization: request.headers.authorization });
    const issued = codes.get(form.get('code') ?? '');
    if (!issued) return [400, { error: 'invalid_grant' }];
    codes.delete(form.get('code') ?? '');
    return exchange(issued.authorization, issued.tokens, form);
  }

  async function exchange(
    authorization: URL,
    tokens: Tokens,
    form: URLSearchParams,
  ): Promise<[number, unknown]> {
    const asked = authorization.searchParams;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== asked.get('code_challenge') || form.get('redirect_uri') !== asked.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }];
    if (tokens.answer) return [tokens.answer.status, tokens.answer.body];
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: `subject-${randomUUID()}`,
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce'),
      ...tokens.claims,
    };
    const id_token = tokens.sign
      ? await tokens.sign(claims)
      : await new SignJWT(JSON.parse(JSON.stringify(claims)) as Claims)
          .setProtectedHeader({ alg: 'ES256', kid: 'key-1', ...tokens.header })
          .sign(privateKey);
    return [200, { access_token: randomUUID(), token_type: 'Bearer', id_token }];
  }

  return {
    issuer,
    clientId,
    clientSecret,
    publicJwk: JSON.stringify(jwk),
    issue(authorization, tokens = {}) {
      const code = randomUUID();
      codes.set(code, { authorization, tokens });
      return code;
    },
    exchanges,
    hang: (path) => void hanging.add(path),
    resume() {
      hanging.clear();
      for (const response of waiting) response.destroy();
      waiting.clear();
    },
    counts,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
